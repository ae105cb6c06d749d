import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { createNestedTurns } from '../../../plugin/storage/database/nested-turns.js'
import { errorOf } from '../../support/house.js'

describe('nested turns', () => {
  it('come one after the other, and within another one at once', async () => {
    const { take } = createNestedTurns()
    const told: string[] = []
    const tell = (text: string) => take(async () => void told.push(text))
    const first = take(async () => {
      told.push('begins')
      await pause(5)
      await Promise.all([tell('inner'), tell('second inner')])
      void take(() => pause(5).then(() => tell('not awaited')))
      told.push('ends')
    })
    await Promise.all([first, tell('outer')])
    expect(told).to.deep.equal(['begins', 'inner', 'second inner', 'ends', 'not awaited', 'outer'])
  })

  it('go on after a failure, which only its caller gets', async () => {
    const { take } = createNestedTurns()
    const failed = errorOf(take(() => Promise.reject(new Error('no'))))
    expect(await take(async () => 'done')).to.equal('done')
    expect((await failed).message).to.equal('no')
  })

  it('of another transaction are no part of those of this one', async () => {
    const [one, other] = [createNestedTurns(), createNestedTurns()]
    const told: string[] = []
    await one.take(() =>
      other.take(async () => {
        await one.take(async () => void told.push('within both'))
      }),
    )
    expect(told).to.deep.equal(['within both'])
  })

  it('that wait for each other end with an error, and the others go on', async () => {
    const { take } = createNestedTurns(20)
    let goOn = () => {}
    const there = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const first = take(() => there)
    const done: string[] = []
    const error = await errorOf(take(async () => void done.push('given up')))
    expect(error.message).to.include('waited in vain')
    const last = take(async () => void done.push('last'))
    goOn()
    await Promise.all([first, last])
    expect(done).to.deep.equal(['last'])
  })

  it('wait for as long as statements run', async () => {
    const { progress, take } = createNestedTurns(40)
    const first = take(async () => {
      for (let statement = 0; statement < 20; statement += 1) {
        progress()
        await pause(10)
      }
    })
    await Promise.all([first, take(async () => {})])
  })
})
