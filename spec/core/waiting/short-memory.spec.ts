import { expect } from 'chai'
import { createShortMemory } from '../../../plugin/core/waiting/short-memory.js'
import { errorOf } from '../../support/house.js'
import { settableClock } from '../../support/webhooks.js'

describe('a short memory', () => {
  const build = (max = 100) => {
    const clock = settableClock('2026-11-22T09:00:00Z')
    let loads = 0
    const memory = createShortMemory<number>({ clock, lasts: 1_000, max, isWorth: (value) => value >= 0 })
    const ask = async (key: string, load?: () => Promise<number>) =>
      (await memory.recall(key, load ?? (async () => ++loads))).value
    return { clock, memory, ask, loads: () => loads }
  }

  it('keeps a value for its time, also when the clock is set back', async () => {
    const { clock, ask } = build()
    expect([await ask('a'), await ask('a'), await ask('b')]).to.deep.equal([1, 1, 2])
    clock.pass(999)
    expect(await ask('a')).to.equal(1)
    clock.pass(1)
    expect(await ask('a')).to.equal(3)
    clock.set('2026-11-22T08:00:00Z')
    expect(await ask('a')).to.equal(4)
  })

  it('keeps so many values and no more, the newest ones', async () => {
    const { ask, loads } = build(2)
    for (const key of ['a', 'b', 'c']) await ask(key)
    await ask('c')
    await ask('b')
    expect(loads()).to.equal(3)
    await ask('a')
    expect(loads()).to.equal(4)
  })

  it('keeps neither errors nor what is not worth it', async () => {
    const { ask } = build()
    expect((await errorOf(ask('a', () => Promise.reject(new Error('no answer'))))).message).to.equal('no answer')
    expect(await ask('a', async () => -1)).to.equal(-1)
    expect(await ask('a')).to.equal(1)
  })

  it('does not keep what began to load before it was told to forget', async () => {
    const { memory, ask } = build()
    let answer = (_: number) => {}
    const loading = ask(
      'a',
      () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    )
    memory.forget(() => false)
    expect(await ask('a')).to.equal(1)
    answer(99)
    expect(await loading).to.equal(99)
    expect(await ask('a')).to.equal(1)
  })

  describe('that may keep values for a while after a change', () => {
    const lasting = () => {
      const clock = settableClock('2026-11-22T09:00:00Z')
      const afterChange = { lasts: 100, isFor: (value: number) => value >= 10 }
      const memory = createShortMemory<number>({ clock, lasts: 1_000, max: 100, afterChange })
      const ask = async (load: () => Promise<number>) => (await memory.recall('a', load)).value
      return { clock, memory, ask }
    }
    const of = (value: number) => async () => value

    it('keeps them for this time from their load on, and for no longer than others', async () => {
      const { clock, memory, ask } = lasting()
      expect(await ask(of(10))).to.equal(10)
      memory.forget()
      clock.pass(99)
      memory.forget()
      expect(await ask(of(11))).to.equal(10)
      clock.pass(1)
      expect(await ask(of(11))).to.equal(11)
      clock.pass(999)
      expect(await ask(of(12))).to.equal(11)
      memory.forget(() => false)
      expect(await ask(of(12))).to.equal(11)
      memory.forget()
      expect(await ask(of(12))).to.equal(12)
    })

    it('forgets all others at once', async () => {
      const { memory, ask } = lasting()
      expect(await ask(of(9))).to.equal(9)
      memory.forget(() => false)
      expect(await ask(of(8))).to.equal(9)
      memory.forget()
      expect(await ask(of(8))).to.equal(8)
    })

    it('decides about a value that was being loaded when it is there', async () => {
      for (const [loaded, next] of [
        [10, 10],
        [9, 20],
      ] as const) {
        const { memory, ask } = lasting()
        let answer = (_: number) => {}
        const loading = ask(
          () =>
            new Promise((resolve) => {
              answer = resolve
            }),
        )
        memory.forget()
        let loads = 0
        const load = async () => {
          loads += 1
          return 20
        }
        const asked = Promise.all([ask(load), ask(load)])
        answer(loaded)
        expect(await loading).to.equal(loaded)
        expect(await asked).to.deep.equal([next, next])
        expect(loads).to.equal(loaded === next ? 0 : 1)
        expect(await ask(load)).to.equal(next)
      }
    })
  })
})
