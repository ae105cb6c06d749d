import { expect } from 'chai'
import { mergeCalls } from '../../plugin/jobs/merge-calls.js'

describe('merged calls', () => {
  it('share one more round while one is under way, for each key', async () => {
    const rounds: string[] = []
    const merged = mergeCalls()
    const call = (key: string) =>
      merged(key, async () => {
        rounds.push(key)
        await new Promise((resolve) => setImmediate(resolve))
      })
    await Promise.all(['a', 'a', 'a', 'b', 'a'].map(call))
    expect(rounds).to.deep.equal(['a', 'b', 'a'])
    await call('a')
    expect(rounds).to.deep.equal(['a', 'b', 'a', 'a'])
  })

  it('go on after a round that failed, and only its own callers hear of it', async () => {
    let rounds = 0
    const merged = mergeCalls()
    const call = () =>
      merged('a', async () => {
        rounds += 1
        if (rounds === 1) throw new Error('away')
      })
    const outcomes = await Promise.allSettled([call(), call(), call()])
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled', 'fulfilled'])
  })
})
