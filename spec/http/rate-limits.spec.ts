import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Unavailable } from '../../plugin/core/errors.js'
import { createRateLimits } from '../../plugin/http/rate-limits.js'
import { settingsWith } from '../support/settings.js'

const clock = { now: () => new Date('2026-11-21T09:30:00.000Z') }
const NOW = clock.now().getTime() / 1000

describe('http/rate-limits', () => {
  it('counts down each key of its own, and refuses the call after the last one', async () => {
    const limits = createRateLimits(settingsWith({ rateLimit: { perHour: 2, burst: false } }).http.rateLimit, clock)
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

  it('refuses a burst although the hour is not used up, and does not count what it refuses', async () => {
    const limits = createRateLimits(
      settingsWith({ rateLimit: { perHour: 100, burst: 3, burstMs: 1000 } }).http.rateLimit,
      clock,
    )
    const seen = []
    for (let call = 0; call < 50; call += 1) seen.push(await limits.count('a'))
    expect(seen.slice(0, 4).map(({ retryAfter }) => retryAfter)).to.deep.equal([null, null, null, 1])
    expect(seen.slice(0, 4).map(({ remaining }) => remaining)).to.deep.equal([99, 98, 97, 97])
    expect(seen[49]).to.include({ limit: 100, remaining: 97, retryAfter: 1 })
    expect(seen[49]?.resetAt).to.be.within(NOW + 3_590, NOW + 3_600)
    await sleep(1_050)
    expect(await limits.count('a')).to.include({ remaining: 96, retryAfter: null })
  })

  it('tells a burst after the last call to wait for the hour', async () => {
    const limits = createRateLimits(settingsWith({ rateLimit: { perHour: 3, burst: 3 } }).http.rateLimit, clock)
    for (let call = 0; call < 3; call += 1) await limits.count('a')
    const { remaining, retryAfter } = await limits.count('a')
    expect(remaining).to.equal(0)
    expect(retryAfter).to.be.within(3_590, 3_600)
  })

  it('has figures for those who are refused from the first call on', async () => {
    const limits = createRateLimits({ ...settingsWith({}).http.rateLimit, burst: 0 }, clock)
    const { limit, remaining, resetAt, retryAfter } = await limits.count('a')
    expect([limit, remaining, resetAt, retryAfter]).to.deep.equal([3_600, 3_600, NOW + 3_600, 2])
  })

  it('allows 3600 calls an hour and 20 in 2 seconds unless told otherwise', async () => {
    const opened: object[] = []
    createRateLimits(settingsWith({ rateLimit: {} }).http.rateLimit, clock, (limit) => {
      opened.push(limit)
      return new RateLimiterMemory(limit)
    })
    expect(opened).to.deep.equal([
      { points: 3600, duration: 3600, keyPrefix: 'hour' },
      { points: 20, duration: 2, keyPrefix: 'burst' },
    ])
  })

  it('says that it is unavailable when its store is away', async () => {
    const away = () => Promise.reject(new Error('connect ECONNREFUSED'))
    const full = async () => Promise.reject(new RateLimiterRes(0, 1_000, 2))
    for (const store of [
      { consume: away, get: away, reward: away },
      { consume: full, get: away, reward: away },
    ]) {
      const thrown = await createRateLimits(settingsWith({ rateLimit: {} }).http.rateLimit, clock, () => store)
        .count('a')
        .catch((error: unknown) => error)
      expect(thrown).to.be.instanceOf(Unavailable)
    }
  })
})
