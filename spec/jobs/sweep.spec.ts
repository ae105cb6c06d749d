import { expect } from 'chai'
import { sweep } from '../../plugin/jobs/sweep.js'

describe('a sweep', () => {
  it('does its tasks one after the other', async () => {
    const order: string[] = []
    const task = (name: string) => async () => {
      order.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      order.push(`${name} ends`)
    }
    await sweep({ tasks: [task('a'), task('b')] })
    expect(order).to.deep.equal(['a begins', 'a ends', 'b begins', 'b ends'])
  })

  it('goes on after a task that fails, and reports all failures at the end', async () => {
    const done: string[] = []
    const fail = async () => {
      throw new Error('no table')
    }
    const round = sweep({ tasks: [fail, async () => void done.push('b'), fail] })
    const failure = await round.catch((error: unknown) => error)
    expect(done).to.deep.equal(['b'])
    expect(failure).to.be.instanceOf(AggregateError)
    expect((failure as AggregateError).errors).to.have.length(2)
  })
})
