/** What a host sees of the plugin at work: its functions of `observe`, the log of requests, and health. */
import { request } from 'node:http'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import type { JobFacts, Observe, RequestFacts, SaveFacts, StatementFacts } from '../plugin/core/observe.js'
import { createPlugin, type DeliveryFacts } from '../plugin/index.js'
import { type TestDesk, testDesk } from '../plugin/testing/index.js'
import { blockStatements } from './support/block-statements.js'
import { withDatabase } from './support/database.js'
import { withMounted } from './support/mounted.js'
import { silent, TEST_SECRET } from './support/settings.js'

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

function collected() {
  const seen = {
    request: [] as RequestFacts[],
    save: [] as SaveFacts[],
    statement: [] as StatementFacts[],
    job: [] as JobFacts[],
  }
  const observe: Observe = {
    request: (facts) => seen.request.push(facts),
    save: (facts) => seen.save.push(facts),
    statement: (facts) => seen.statement.push(facts),
    job: (facts) => seen.job.push(facts),
  }
  const clear = () => {
    for (const list of Object.values(seen)) list.length = 0
  }
  return { seen, observe, clear }
}

describe('watching', function () {
  this.timeout(60_000)

  describe('functions of observe', () => {
    const { clear, observe, seen } = collected()
    const lines: object[] = []
    const log = { ...silent, info: (details: object, message: string) => void lines.push({ ...details, message }) }
    const mounted = withMounted('mounted under a prefix', { observe, logRequests: true, log })

    it('tells of a request, its saves and its statements', async () => {
      clear()
      lines.length = 0
      const body = { subject: 'The printer is on fire', category: 'incident', impact: 'low', note: 'Come quickly' }
      const { headers, json } = await mounted.ask('@sam', 'POST', '/requests?fields=id', body, { traceparent: TRACE })
      const [facts] = seen.request
      const id = (json as { id: number }).id
      expect(facts).to.deep.include({
        method: 'POST',
        route: '/v1/requests',
        status: 201,
        personId: mounted.world.id('@sam'),
        accountId: 'widgets',
        requestId: headers['x-request-id'],
        traceparent: TRACE,
      })
      expect(facts?.ms).to.be.greaterThan(0)
      expect(id).to.be.greaterThan(0)
      const [note, made] = seen.save.filter(({ type }) => type === 'note' || type === 'request')
      expect(made).to.deep.include({ action: 'save', type: 'request', created: 1, refused: 0, failed: false, origin: 'api' })
      expect(note).to.deep.include({ type: 'note', created: 1, requestId: headers['x-request-id'], accountId: 'widgets' })
      expect(seen.statement.map(({ sql }) => sql.slice(0, 6).toUpperCase())).to.include.members(['BEGIN;', 'INSERT', 'COMMIT'])
      expect(seen.statement.every(({ failed, ms }) => !failed && ms >= 0)).to.equal(true)
      const { traceparent: _, ...line } = facts ?? ({} as RequestFacts)
      expect(lines).to.deep.equal([{ ...line, message: 'A call has ended' }])
    })

    const ROUTES: readonly [path: string, route: string | null, status: number][] = [
      ['/', '/v1', 200],
      ['/me', '/v1/me', 200],
      ['/requests/999999', '/v1/requests/:id', 404],
      ['/requests/open', '/v1/requests/open', 200],
      ['/requests/@mail-is-slow/notes', '/v1/requests/:id/notes', 200],
      ['/people/@sam/tokens', '/v1/people/:id/tokens', 403],
      ['/import/0123456789abcdef', '/v1/import/:token', 403],
      ['/secret-of-somebody', null, 404],
      ['/requests/@mail-is-slow/secret', null, 404],
    ]
    for (const [path, route, status] of ROUTES) {
      it(`names the route of ${path}`, async () => {
        clear()
        await mounted.ask(
          '@sam',
          'GET',
          path.replace(/@[\w-]+/, (name) => String(mounted.world.id(name))),
        )
        expect([seen.request[0]?.route, seen.request[0]?.status]).to.deep.equal([route, status])
      })
    }

    it('tells of callers without sign-in, and passes on no traceparent that is none', async () => {
      clear()
      await mounted.ask(null, 'GET', '/requests', undefined, { traceparent: `${TRACE} or something else` })
      const [facts] = seen.request
      expect(facts).to.deep.include({ status: 401, personId: null, accountId: null, traceparent: null, route: '/v1/requests' })
    })

    it('tells of a client that goes away before the answer', async () => {
      clear()
      const url = new URL(`${mounted.baseUrl}/requests`)
      const headers = { authorization: `Basic ${Buffer.from(`${mounted.world.token('@sam')}:x`).toString('base64')}` }
      const sent = request(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'content-length': 100 },
      })
      sent.on('error', () => {})
      sent.write('{"subject"')
      await new Promise((resolve) => setTimeout(resolve, 200))
      sent.destroy()
      while (seen.request.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
      expect(seen.request[0]).to.deep.include({ status: null, route: '/v1/requests' })
    })

    it('tells of refusals and removals', async () => {
      clear()
      const { json } = await mounted.ask('@owen', 'POST', '/webhooks', {
        event: 'request.create',
        uri: 'https://receiver.example',
      })
      const { id } = json as { id: number }
      await mounted.ask('@owen', 'PATCH', `/webhooks/${id}`, { uri: 'nowhere' })
      await mounted.ask('@owen', 'DELETE', `/webhooks/${id}`)
      const counts = seen.save.map(({ action, created, refused, removed }) => [action, created, refused, removed])
      expect(counts).to.deep.equal([
        ['save', 1, 0, 0],
        ['save', 0, 1, 0],
        ['remove', 0, 0, 1],
      ])
    })

    it('tells nothing that is secret, sent or stored', async () => {
      clear()
      lines.length = 0
      const password = 'correct horse battery staple'
      const token = mounted.world.token('@sam')
      const basic = Buffer.from(`sam@widgets.example:${password}`).toString('base64')
      await mounted.ask(null, 'GET', `/requests?api_token=${token}&subject=${encodeURIComponent('Very private')}`)
      await mounted.ask(null, 'GET', '/me', undefined, { authorization: `Basic ${basic}` })
      await mounted.ask('@owen', 'POST', '/people', { name: 'Nina Novak', primary_email: 'nina@widgets.example' })
      await mounted.ask('@owen', 'POST', '/people', { name: 'Nina Novak', primary_email: 'nina@widgets.example' })
      await mounted.ask('@sam', 'POST', '/me/tokens', { name: 'for a secret script' })
      await mounted.ask('@sam', 'POST', '/requests', {
        subject: 'Very private',
        category: 'incident',
        note: 'Nobody may read this',
      })
      const text = JSON.stringify([seen, lines])
      expect(seen.request.length).to.equal(6)
      const secrets = [
        password,
        token,
        basic,
        'Very private',
        'Nobody may read',
        'Nina',
        '@widgets.example',
        'secret script',
        'itsm_',
      ]
      const told = secrets.filter((secret) => secret !== 'itsm_' && text.includes(secret))
      expect(told).to.deep.equal([])
    })
  })

  describe('deliveries', () => {
    let desk: TestDesk
    const told: DeliveryFacts[] = []
    before(async () => {
      desk = await testDesk({ observe: { delivery: (facts) => told.push(facts) } })
    })
    after(() => desk.close())

    it('are told of with each attempt, on all channels', async () => {
      await desk.ask('@owen', 'POST', '/webhooks', {
        event: 'person.create',
        uri: `${desk.receiver.url}/hook?key=secret`,
        name: 'People',
      })
      await desk.settle()
      told.length = 0
      desk.receiver.answerWith(503)
      await desk.ask('@owen', 'POST', '/people', { name: 'Nowhere Man', primary_email: 'nowhere@widgets.example' })
      await desk.settle()
      desk.receiver.answerWith(200)
      await desk.advanceTo(new Date(Date.now() + 5 * 60_000))
      const facts = told.filter(({ event }) => event === 'person.create')
      const shown = facts.map(({ id: _id, ms: _ms, ...fact }) => fact)
      const common = { channel: 'webhook', event: 'person.create', accountId: 'widgets' }
      expect(shown).to.deep.equal([
        { ...common, attempt: 1, failed: true, status: 503 },
        { ...common, attempt: 2, failed: false, status: 200 },
      ])
      expect(JSON.stringify(told)).not.to.match(/secret|@widgets|Nowhere/)
    })
  })

  describe('functions that fail', () => {
    const logged: string[] = []
    const fail = () => {
      throw new Error('A mistake of the host')
    }
    const observe: Observe = { request: fail, save: async () => fail(), statement: fail }
    const log = { ...silent, error: (_: object, message: string) => void logged.push(message) }
    const mounted = withMounted('bare', { observe, log })

    it('break no call, and are logged once', async () => {
      for (const subject of ['One', 'Two']) {
        const { status } = await mounted.ask('@sam', 'POST', '/requests', { subject, category: 'incident', impact: 'low' })
        expect(status).to.equal(201)
      }
      const names = ['request', 'save', 'statement']
      expect([...logged].sort()).to.deep.equal(
        names.map((name) => `observe.${name} failed; what it was told of is not affected`),
      )
    })
  })

  describe('health', () => {
    const database = withDatabase()
    const { observe, seen } = collected()

    async function desk(more: object = {}) {
      const itsm = createPlugin({
        baseUrl: 'http://127.0.0.1/v1',
        allowInsecure: true,
        secret: TEST_SECRET,
        database: { knex: database.lent },
        log: silent,
        observe,
        ...more,
      })
      await itsm.migrate()
      return itsm
    }

    it('is not well before the start and after the stop, and well in between', async () => {
      const itsm = await desk()
      const before = await itsm.health()
      expect(before.ok).to.equal(false)
      expect(before.checks).to.deep.include({ database: true, migrations: true, jobs: false, filesStore: true })
      await itsm.start()
      await waited()
      const { ok, checks } = await itsm.health()
      expect(checks).to.deep.include({ database: true, migrations: true, jobs: true, filesStore: true, importsRunning: 0 })
      expect(ok).to.equal(true)
      expect(checks.outboxAgeMs).to.be.a('number')
      expect(checks.timersLateMs).to.equal(0)
      await itsm.stop()
      await waited()
      expect((await itsm.health()).checks).to.deep.include({ jobs: false })
      expect(seen.job.map(({ name }) => name)).to.include('sweep')
    })

    it('tells how long events have waited, and how late timers are', async () => {
      let now = new Date('2026-11-26T10:00:00Z')
      const itsm = await desk({ clock: { now: () => now } })
      await itsm.accounts.put({ id: 'acme', name: 'Acme', timeZone: 'UTC' })
      const system = itsm.asSystem('a spec', 'acme')
      const { id: person } = await system.create('person', { name: 'Ines', primary_email: 'ines@acme.example' })
      const { id: team } = await system.create('team', { name: 'Desk' })
      await system.create('request', {
        ...{ subject: 'Later', category: 'incident', impact: 'low' },
        ...{ status: 'waiting_for', waiting_until: '2026-11-26T10:30:00Z' },
        ...{ requested_by_id: person, requested_for_id: person, team_id: team },
      })
      now = new Date('2026-11-26T10:31:00Z')
      const { outboxAgeMs, timersLateMs } = (await itsm.health()).checks
      expect(outboxAgeMs).to.equal(31 * 60_000)
      expect(timersLateMs).to.equal(60_000)
      await itsm.stop()
    })

    it('asks the store of the host, and says so if it fails', async () => {
      const store = { write: async () => {}, read: async () => [], remove: async () => {} }
      const failing = await desk({
        files: {
          store: {
            ...store,
            check: async () => {
              throw new Error('The bucket is gone')
            },
          },
        },
      })
      const hanging = await desk({ files: { store: { ...store, check: () => new Promise(() => {}) } } })
      const silentStore = await desk({ files: { store } })
      const found = await Promise.all([failing, hanging, silentStore].map((itsm) => itsm.health()))
      expect(found.map(({ checks }) => checks.filesStore)).to.deep.equal([false, false, true])
      await Promise.all([failing, hanging, silentStore].map((itsm) => itsm.stop()))
    })

    it('answers within two seconds if the database hangs, and asks it only once', async () => {
      const blocked = blockStatements(database.knex)
      const itsm = await desk()
      blocked.blockAt(1)
      const since = performance.now()
      const { ok, checks } = await itsm.health()
      expect(performance.now() - since).to.be.below(2000)
      expect([ok, checks.database, checks.migrations, checks.outboxAgeMs]).to.deep.equal([false, false, false, null])
      await waited()
      await itsm.health()
      expect(blocked.sent.filter((sql) => /^select 1$/i.test(sql)).length).to.equal(1)
      blocked.blockAt(null)
      blocked.release()
      await itsm.stop()
    })
  })

  describe('paths of health', () => {
    const mounted = withMounted('mounted under a prefix', {
      healthPaths: true,
      rateLimit: { perHour: 1 },
      allowInsecure: false,
      baseUrl: 'https://desk.example/v1',
    })
    const without = withMounted('bare')

    it('answer without sign-in, HTTPS and limits', async () => {
      for (const _ of [1, 2, 3]) {
        const { headers, json, status } = await mounted.ask(null, 'GET', '/health')
        // Nothing was started here.
        expect([status, (json as { ok: boolean }).ok]).to.deep.equal([503, false])
        expect(headers['cache-control']).to.equal('no-store')
        expect(headers['x-ratelimit-limit']).to.equal(undefined)
      }
      expect((await mounted.ask(null, 'GET', '/ready')).status).to.equal(503)
      expect((await mounted.ask(null, 'GET', '/me')).status).to.equal(403)
      await mounted.itsm.start()
      await waited()
      expect(await mounted.ask(null, 'GET', '/ready')).to.deep.include({ status: 200, json: { ready: true } })
      expect((await mounted.ask(null, 'GET', '/health')).status).to.equal(200)
      expect((await mounted.ask(null, 'HEAD', '/health')).status).to.equal(200)
    })

    it('are unknown without the option', async () => {
      expect((await without.ask('@sam', 'GET', '/health')).status).to.equal(404)
    })
  })
})

/** Until what was found before is looked up again. */
async function waited(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1100))
}
