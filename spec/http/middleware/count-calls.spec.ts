import { expect } from 'chai'
import { TooManyRequests, Unavailable } from '../../../plugin/core/errors.js'
import { createApp } from '../../../plugin/http/app.js'
import type { HttpDeps } from '../../../plugin/http/deps.js'
import { createRateLimits } from '../../../plugin/http/rate-limits.js'
import { settingsWith } from '../../support/settings.js'
import { serving } from '../client.js'
import { stubs, TOKEN } from '../stubs.js'

const clock = { now: () => new Date('2026-11-21T09:30:00Z') }

function counting(keys: string[]): HttpDeps['rateLimits'] {
  return {
    count: async (key) => {
      keys.push(key)
      return { limit: 3600, remaining: 10, resetAt: 1_800_000_000, retryAfter: null }
    },
  }
}

describe('http/middleware/count-calls', () => {
  it('has the figures on every answer, whatever went wrong', async () => {
    const { deps } = stubs({ allowInsecure: true })
    await serving(createApp(deps), async ({ send }) => {
      for (const [path, sent, status] of [
        ['/v1', {}, 200],
        ['/v1/requests', { headers: TOKEN }, 200],
        ['/v1/tasks/1', { method: 'DELETE', headers: TOKEN }, 204],
        ['/v1/requests', { method: 'POST', headers: TOKEN, body: '{' }, 400],
        ['/v1/requests', {}, 401],
        ['/v1/requests', { headers: { ...TOKEN, 'X-SVC-Account': 'other' } }, 403],
        ['/v1/nothing', { headers: TOKEN }, 404],
        ['/v1/requests.xml', { headers: TOKEN }, 406],
      ] as const) {
        const answer = await send(path, sent)
        expect(answer.status, path).to.equal(status)
        expect(answer.headers, path).to.include({
          'x-ratelimit-limit': '3600',
          'x-ratelimit-remaining': '3599',
          'x-ratelimit-reset': '1800000000',
        })
      }
    })
  })

  it('has the figures when plain HTTP is refused', async () => {
    const { deps } = stubs({ allowInsecure: false })
    await serving(createApp(deps), async ({ send }) => {
      expect((await send('/v1/requests', { headers: TOKEN })).headers).to.have.property('x-ratelimit-limit')
    })
  })

  it('counts each call once: against the login, or the address of anonymous callers', async () => {
    const keys: string[] = []
    const { deps } = stubs({ rateLimits: counting(keys) })
    await serving(createApp(deps), async ({ send }) => {
      await send('/v1/requests', { headers: TOKEN })
      await send('/v1/nothing', { headers: { ...TOKEN, 'X-SVC-Account': 'trusted' } })
      await send('/v1/enums')
      await send('/v1/requests')
      await send('/v1/requests', { headers: { Authorization: 'Bearer wrong' } })
    })
    const login = 'person wdc 1'
    expect(keys.map((key) => key.replace(/[:.\da-f]+$/, (end) => (key === login ? end : '…')))).to.deep.equal([
      login,
      login,
      'address …',
      'address …',
      'address …',
    ])
  })

  it('counts anonymous callers of one IPv6 network together, and keeps no long texts that came as addresses', async () => {
    const keys: string[] = []
    const { deps } = stubs({ rateLimits: counting(keys) })
    const app = createApp(deps)
    app.proxy = true
    await serving(app, async ({ send }) => {
      for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '::ffff:192.0.2.1', 'x'.repeat(9_000)])
        await send('/v1/requests', { headers: { 'X-Forwarded-For': address } })
    })
    const network = 'address 8193:3512:1:2/64'
    expect(keys).to.deep.equal([network, network, 'address 192.0.2.1', `address ${'x'.repeat(45)}`])
  })

  it('refuses the call after the last one with 429 until the window ends', async () => {
    const { deps, asked } = stubs({
      rateLimits: createRateLimits(settingsWith({ rateLimit: { perHour: 2, burst: false } }).http.rateLimit, clock),
    })
    await serving(createApp(deps), async ({ send }) => {
      const statuses = []
      for (let call = 0; call < 3; call += 1) statuses.push((await send('/v1/requests', { headers: TOKEN })).status)
      expect(statuses).to.deep.equal([200, 200, 429])
      const { json, headers } = await send('/v1/requests', { headers: TOKEN })
      expect(json).to.deep.equal({ message: 'Too Many Requests' })
      expect(Number(headers['retry-after'])).to.be.within(3500, 3600)
      expect(headers['x-ratelimit-remaining']).to.equal('0')
      expect(asked).to.have.length(2)
    })
  })

  it('counts a 304', async () => {
    const { deps } = stubs({
      rateLimits: createRateLimits(settingsWith({ rateLimit: { perHour: 9, burst: false } }).http.rateLimit, clock),
    })
    await serving(createApp(deps), async ({ send }) => {
      const { status, headers } = await send('/v1/requests', { headers: { ...TOKEN, 'If-None-Match': '*' } })
      expect([status, headers['x-ratelimit-remaining']]).to.deep.equal([304, '8'])
    })
  })

  it('ends guessing from one address with 429', async () => {
    const { deps } = stubs({
      rateLimits: createRateLimits(settingsWith({ rateLimit: { perHour: 2, burst: false } }).http.rateLimit, clock),
    })
    await serving(createApp(deps), async ({ send }) => {
      const statuses = []
      for (let call = 0; call < 3; call += 1) {
        statuses.push((await send('/v1', { headers: { Authorization: `Bearer guess${call}` } })).status)
      }
      expect(statuses).to.deep.equal([401, 401, 429])
    })
  })

  it('leaves the wait of refused sign-ins as it is, also when the burst is used up', async () => {
    const identify = () => Promise.reject(new TooManyRequests(700, 'Too many failed sign-ins'))
    const rateLimits = createRateLimits(settingsWith({ rateLimit: { burst: 1 } }).http.rateLimit, clock)
    const { deps } = stubs({ rateLimits, authenticator: { identify } })
    await serving(createApp(deps), async ({ send }) => {
      for (let call = 0; call < 3; call += 1) {
        const { json, headers } = await send('/v1/requests', { headers: TOKEN })
        expect([json, headers['retry-after']]).to.deep.equal([{ message: 'Too many failed sign-ins' }, '700'])
      }
    })
  })

  it('answers 503 when the counts are out of reach', async () => {
    const { deps } = stubs({ rateLimits: { count: () => Promise.reject(new Unavailable()) } })
    await serving(createApp(deps), async ({ send }) => {
      expect((await send('/v1/requests', { headers: TOKEN })).status).to.equal(503)
    })
  })
})
