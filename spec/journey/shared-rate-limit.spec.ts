/** Two processes in front of one database must count calls together. */
import { createServer, type Server } from 'node:http'
import { expect } from 'chai'
import Koa from 'koa'
import { systemClock } from '../../plugin/core/clock.js'
import { createRateLimits } from '../../plugin/http/rate-limits.js'
import { createPlugin, type Plugin } from '../../plugin/index.js'
import { createLimitStore, purgeLimits } from '../../plugin/storage/queues/limit-store.js'
import { testStore, withDatabase } from '../support/database.js'

describe('A rate limit in the database', () => {
  const database = withDatabase()

  describe('of two plugins', () => {
    const plugins: Plugin[] = []
    const servers: Server[] = []
    const addresses: string[] = []
    let token = ''

    before(async function () {
      // The embedded database has one process; its counter is in memory.
      if (testStore() === 'embedded') this.skip()
      for (let index = 0; index < 2; index++) {
        const itsm = createPlugin({
          baseUrl: 'http://127.0.0.1/v1',
          allowInsecure: true,
          secret: 'a secret of the specs, 32 characters or more',
          database: { url: database.url },
          rateLimit: { perHour: 3, burst: false, store: 'database' },
        })
        plugins.push(itsm)
        const host = new Koa()
        host.use(itsm.middleware)
        const server = createServer(host.callback())
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        servers.push(server)
        addresses.push(`http://127.0.0.1:${(server.address() as { port: number }).port}/v1`)
      }
      const [itsm] = plugins
      await itsm?.accounts.put({ id: 'acme', name: 'Acme' })
      const owen = await itsm
        ?.asSystem('the spec', 'acme')
        .create('person', { name: 'Owen', primary_email: 'owen@acme.example' })
      token = (await itsm?.credentials.apiToken(Number(owen?.['id']))) ?? ''
    })
    after(async () => {
      for (const server of servers) server.closeAllConnections()
      for (const server of servers) server.close()
      for (const itsm of plugins) await itsm.stop()
    })

    const call = async (index: number) => {
      const response = await fetch(`${addresses[index]}/me`, { headers: { authorization: `Bearer ${token}` } })
      return [response.status, response.headers.get('x-ratelimit-remaining')]
    }

    it('counts the calls of both', async () => {
      expect(await call(0)).to.deep.equal([200, '2'])
      expect(await call(1)).to.deep.equal([200, '1'])
      expect(await call(0)).to.deep.equal([200, '0'])
      expect(await call(1)).to.deep.equal([429, '0'])
      expect(await call(0)).to.deep.equal([429, '0'])
    })

    it('is forgotten when its hour is over', async () => {
      const counted = () => database.knex('itsm_rate_limits').where('key', 'like', 'hour:person%')
      await purgeLimits(database.storage, new Date())
      expect(await counted()).to.have.length(1)
      await purgeLimits(database.storage, new Date(Date.now() + 3_601_000))
      expect(await counted()).to.have.length(0)
    })
  })

  it('does not count what the burst refuses', async function () {
    if (testStore() === 'embedded') this.skip()
    const options = { perHour: 10, burst: 2, burstMs: 1000 }
    // As in two processes.
    const [one, other] = [0, 1].map(() => createRateLimits(options, systemClock, createLimitStore(database.storage)))
    const seen = []
    for (let call = 0; call < 20; call++) seen.push(await (call % 2 ? one : other)?.count('a'))
    expect(seen.slice(0, 3).map((figures) => [figures?.remaining, figures?.retryAfter])).to.deep.equal([
      [9, null],
      [8, null],
      [8, 1],
    ])
    // Later ones may fall into the next second.
    const taken = seen.filter((figures) => figures?.retryAfter === null).length
    expect(seen.at(-1)?.remaining).to.equal(10 - taken)
    const hour = (seen.at(-1)?.resetAt ?? 0) - Date.now() / 1_000
    expect(hour).to.be.within(3_590, 3_602)
  })

  it('gives several calls back that are refused together', async function () {
    if (testStore() === 'embedded') this.skip()
    const limits = createRateLimits({ perHour: 10, burst: 6, burstMs: 60_000 }, systemClock, createLimitStore(database.storage))
    const seen = []
    for (const further of [0, 3, 4, 0, 100]) seen.push(await limits.count('several', further))
    expect(seen.map(({ remaining, retryAfter }) => [remaining, retryAfter !== null])).to.deep.equal([
      [9, false],
      [6, false],
      [6, true],
      [5, false],
      [5, true],
    ])
    const hourly = createRateLimits({ perHour: 5, burst: false, burstMs: 1 }, systemClock, createLimitStore(database.storage))
    const left = []
    for (const further of [0, 2, 3, 2, 0]) left.push((await hourly.count('hourly', further)).remaining)
    expect(left).to.deep.equal([4, 2, 2, 0, 0])
  })
})
