import { expect } from 'chai'
import { createTurns } from '../../../plugin/core/waiting/turns.js'

const never = () => new Promise<never>(() => {})
const nameOf = async (work: Promise<unknown>) => work.then(String, (error: Error) => error.message)

describe('turns', () => {
  const limits = { atOnce: 1, atOncePerKey: 1, waiting: 10, waitingPerKey: 2, refusal: () => new Error('refused') }

  it('end for those who have waited too long; they no longer stand in the way of others', async () => {
    const turns = createTurns({ ...limits, patience: 20 })
    const leave = await turns.enter('a')
    const began: string[] = []
    const late = ['a', 'a', 'b'].map((key) => nameOf(turns.run(key, async () => void began.push(key))))
    expect(await nameOf(turns.run('a', never)), 'no room').to.equal('refused')
    expect(await Promise.all(late)).to.deep.equal(['refused', 'refused', 'refused'])

    const next = ['a', 'a', 'b'].map((key, index) => nameOf(turns.run(key, async () => began.push(`${key}${index}`))))
    leave()
    expect(await Promise.all(next)).to.deep.equal(['1', '3', '2'])
    expect(began).to.deep.equal(['a0', 'b2', 'a1'])
  })
})
