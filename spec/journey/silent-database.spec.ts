/** A database, or code of the host, that never answers: callers get an answer all the same, and nothing is left behind. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import Koa from 'koa'
import { createPlugin, type Plugin, type PluginOptions } from '../../plugin/index.js'
import { testStore, withDatabase } from '../support/database.js'
import { silent, TEST_SECRET } from '../support/settings.js'
import { type StallingProxy, startStallingProxy } from '../support/stalling-proxy.js'

const CALL = 600

describe('a call that gets no answer from below', () => {
  const database = withDatabase()
  const closing: (() => Promise<unknown>)[] = []
  let token = ''
  let hang = false

  afterEach(async () => {
    hang = false
    for (const close of closing.splice(0).toReversed()) await close()
  })

  async function serve(more: Partial<PluginOptions> = {}): Promise<{ itsm: Plugin; url: string }> {
    const itsm = createPlugin({
      baseUrl: 'http://127.0.0.1:9/v1',
      allowInsecure: true,
      secret: TEST_SECRET,
      database: { knex: database.lent },
      rateLimit: { burst: false },
      timeouts: { callMs: CALL, statementMs: CALL },
      log: silent,
      before: { 'site.save': [() => (hang ? new Promise(() => {}) : undefined)] },
      ...more,
    })
    const host = new Koa()
    host.use(itsm.middleware)
    const server: Server = createServer(host.callback())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await itsm.stop()
    })
    return { itsm, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
  }

  before(async () => {
    const { itsm } = await serve()
    await itsm.accounts.put({ id: 'acme', name: 'Acme' })
    const ada = await itsm.asSystem('the spec', 'acme').create('person', { name: 'Ada', primary_email: 'ada@acme.example' })
    await itsm.grant(Number(ada['id']), 'acme', ['account_administrator'])
    token = await itsm.credentials.apiToken(Number(ada['id']))
    for (const close of closing.splice(0)) await close()
  })

  async function ask(url: string, method = 'GET', body?: object) {
    const start = performance.now()
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const response = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const json = (await response.json()) as { message?: string }
    return { status: response.status, json, took: performance.now() - start, retry: response.headers.get('retry-after') }
  }
  const names = () => database.knex('itsm_sites').pluck('name')

  it('is answered with 504 while a hook of the host hangs; its transaction is undone', async () => {
    const { url } = await serve()
    hang = true
    const { status, json, took } = await ask(`${url}/sites`, 'POST', { name: 'Delft' })
    expect([status, json]).to.deep.equal([504, { message: 'Gateway timeout' }])
    expect(took).to.be.below(CALL + 500)
    expect(await names()).to.deep.equal([])
    hang = false
    expect((await ask(`${url}/sites`, 'POST', { name: 'Delft' })).status).to.equal(201)
    await database.knex('itsm_sites').delete()
  })

  describe('on a server', () => {
    let proxy: StallingProxy

    before(function () {
      // An embedded database has no network that could fail.
      if (testStore() === 'embedded') this.skip()
    })
    beforeEach(async () => {
      proxy = await startStallingProxy(database.url)
      closing.push(proxy.close)
    })

    it('is answered with 504 when the database falls silent, and like before when it is back', async () => {
      const { url } = await serve({ database: { url: proxy.url }, timeouts: { callMs: CALL, statementMs: CALL - 200 } })
      expect((await ask(`${url}/sites`)).status).to.equal(200)
      proxy.stall()
      const stalled = await Promise.all([
        ask(`${url}/sites`),
        ask(`${url}/people/1`),
        ask(`${url}/sites`, 'POST', { name: 'Delft' }),
      ])
      for (const { status, took, retry } of stalled) {
        // Who found no connection is told when to try again.
        expect([504, 503]).to.include(status)
        expect(retry === null).to.equal(status === 504)
        expect(took).to.be.below(CALL + 500)
      }
      expect(stalled.map(({ status }) => status)).to.include(504)
      proxy.resume()
      expect((await ask(`${url}/sites`)).status).to.equal(200)
      expect(await names()).to.deep.equal([])
    })

    it('is answered with 504 when the end of its transaction is not known, and no event is told of at once', async () => {
      const { url } = await serve({ database: { url: proxy.url }, timeouts: { callMs: 5000, statementMs: CALL } })
      expect((await ask(`${url}/sites`)).status).to.equal(200)
      void proxy.stallAt('COMMIT;', 'after')
      const { status } = await ask(`${url}/sites`, 'POST', { name: 'Delft' })
      expect(status).to.equal(504)
      proxy.resume()
      expect(await names()).to.deep.equal(['Delft'])
      await database.knex('itsm_sites').delete()
    })

    it('is answered as always when the server had given up all idle connections', async () => {
      const { url } = await serve({ database: { url: proxy.url } })
      expect((await ask(`${url}/sites`)).status).to.equal(200)
      for (let times = 0; times < 3; times++) {
        proxy.loseIdle()
        expect((await ask(`${url}/sites`)).status).to.equal(200)
      }
    })

    it('is answered with 504 while the counters of calls hang, which are in the database too', async () => {
      const { url } = await serve({
        database: { url: proxy.url },
        rateLimit: { store: 'database', burst: false },
        timeouts: { callMs: 5000, statementMs: CALL },
      })
      expect((await ask(`${url}/sites`)).status).to.equal(200)
      void proxy.stallAt('rate_limits', 'before')
      const { status, took } = await ask(`${url}/sites`)
      expect([503, 504]).to.include(status)
      expect(took).to.be.below(2000)
      proxy.resume()
      expect((await ask(`${url}/sites`)).status).to.equal(200)
    })

    it('is answered with 503 after the plugin has stopped and closed its pool', async () => {
      const { itsm, url } = await serve({ database: { url: proxy.url } })
      expect((await ask(`${url}/sites`)).status).to.equal(200)
      await itsm.stop()
      const { status, json, retry } = await ask(`${url}/sites`)
      expect([status, json]).to.deep.equal([503, { message: 'Service Unavailable' }])
      expect(Number(retry)).to.be.at.least(2)
    })
  })
})
