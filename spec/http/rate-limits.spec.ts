import { expect } from 'chai'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { Unavailable } from '../../plugin/core/errors.js'
import { createRateLimits } from '../../plugin/http/rate-limits.js'

const clock = { now: () => new Date('2026-11-21T09:30:00.000Z') }
const NOW = clock.now().getTime() / 1000

describe('http/rate-limits', () => {
  it('counts down each key of its own, and refuses the call after the last one', async () => {
    const limits = createRateLimits({ perHour: 2, burst: false }, clock)
    const seen = []
    for (const key of ['a', 'a', 'a', 'b']) seen.push(await limits.count(key))
    expect(seen.map(({ limit, remaining }) => [limit, remaining])).to.deep.equal([
      [2, 1],
      [2, 0],
      [2, 0],
      [2, 1],
    ])
    expect(seen.map(({ retryAfter }) => retryAfter !== null)).to.deep.equal([false, false, true, false])
    expect(seen[2]?.retryAfter).to.be.within(3590, 3600)
    expect(seen[2]?.resetAt).to.be.within(NOW + 3590, NOW + 3600)
  })

  it('refuses a burst although the hour is not used up', async () => {
    const limits = createRateLimits({ perHour: 100, burst: 3, burstSeconds: 2 }, clock)
    const seen = []
    for (let call = 0; call < 4; call += 1) seen.push(await limits.count('a'))
    expect(seen.map(({ retryAfter }) => retryAfter)).to.deep.equal([null, null, null, 2])
    expect(seen[3]?.remaining).to.equal(96)
  })

  it('allows 3600 calls an hour and 20 in 2 seconds unless told otherwise', async () => {
    const opened: object[] = []
    createRateLimits({}, clock, (limit) => {
      opened.push(limit)
      return new RateLimiterMemory(limit)
    })
    expect(opened).to.deep.equal([
      { points: 3600, duration: 3600, keyPrefix: 'hour' },
      { points: 20, duration: 2, keyPrefix: 'burst' },
    ])
  })

  it('says that it is unavailable when its store is away', async () => {
    const limits = createRateLimits({}, clock, () => ({ consume: () => Promise.reject(new Error('connect ECONNREFUSED')) }))
    const thrown = await limits.count('a').catch((error: unknown) => error)
    expect(thrown).to.be.instanceOf(Unavailable)
  })
})
