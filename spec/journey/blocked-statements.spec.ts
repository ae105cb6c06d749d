/** Calls whose time ends while a statement of theirs waits: neither answer nor log shows the statement's values. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { Knex } from 'knex'
import Koa from 'koa'
import { pino } from 'pino'
import type { CallEnd } from '../../plugin/core/call-signal.js'
import { TimedOut } from '../../plugin/core/errors.js'
import { createPlugin, type Plugin } from '../../plugin/index.js'
import { openStorage } from '../../plugin/storage/database/connections.js'
import { type BlockedStatements, blockStatements } from '../support/block-statements.js'
import { testStore, withDatabase } from '../support/database.js'
import { TEST_SECRET } from '../support/settings.js'

describe('a call whose time ends while a statement waits', () => {
  const database = withDatabase()
  let blocked: BlockedStatements
  let itsm: Plugin
  let server: Server
  let url = ''
  let token = ''
  let logged = ''
  /** Ends the time of the call that runs. */
  let timeIsOver = () => {}
  let requestId = 0

  before(async () => {
    blocked = blockStatements(database.knex)
    const log = pino(
      { level: 'debug' },
      {
        write: (line: string) => {
          logged += line
        },
      },
    )
    const common = { baseUrl: 'http://127.0.0.1:9/v1', allowInsecure: true, secret: TEST_SECRET, log }
    itsm = createPlugin({
      ...common,
      database: { knex: database.lent },
      rateLimit: { burst: false },
      sendMail: async () => {},
      timeouts: { callMs: 20_000 },
    })
    const host = new Koa()
    host.use((ctx, next) => {
      timeIsOver = () => (ctx.state['itsm'].signal as CallEnd).abort(new TimedOut())
      return next()
    })
    host.use(itsm.middleware)
    server = createServer(host.callback())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`

    await itsm.accounts.put({ id: 'acme', name: 'Acme' })
    const system = itsm.asSystem('the spec', 'acme')
    const ada = await system.create('person', { name: 'Ada', primary_email: 'ada@acme.example' })
    await itsm.grant(Number(ada['id']), 'acme', ['account_administrator', 'service_desk_analyst'])
    token = await itsm.credentials.apiToken(Number(ada['id']))
    const team = await system.create('team', { name: 'Desk', member_ids: [ada['id']] })
    await system.create('webhook', { event: 'request.update', uri: 'https://receiver.example/hook' })
    const request = {
      subject: 'Mail is sloowly',
      category: 'incident',
      impact: 'low',
      team_id: team['id'],
      member_id: ada['id'],
    }
    requestId = Number((await system.create('request', { ...request, requested_by_id: ada['id'] }))['id'])
  })
  after(async () => {
    await itsm?.stop()
    server?.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  beforeEach(() => {
    logged = ''
  })

  async function ask(method: string, path: string, body?: object) {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const response = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    return [response.status, await response.text()]
  }

  /** Each call has new values: one may have been stored after all, if its commit was blocked. */
  const calls: readonly (readonly [what: string, ask: (time: number) => Promise<unknown>, parts: readonly string[]])[] = [
    [
      'a change',
      (time) => {
        const waiting = { status: 'waiting_for', waiting_until: `2036-01-01T00:00:${10 + (time % 50)}Z` }
        const body = { subject: `Mail is ${time}`, note: `Mail was ${time}`, impact: time % 2 ? 'high' : 'low', ...waiting }
        return ask('PATCH', `/requests/${requestId}`, body)
      },
      ['BEGIN', 'requests` t ', 'update `itsm_requests', 'audit_lines', 'notes', 'outbox', 'COMMIT'],
    ],
    [
      'a new record',
      (time) => ask('POST', '/people', { name: 'Mailer', primary_email: `mailer${time}@acme.example`, manager_id: 1 }),
      ['BEGIN', 'insert into `itsm_people', 'audit_lines', 'COMMIT'],
    ],
    ['a removal', () => ask('DELETE', '/webhooks/1'), ['BEGIN', 'delete from `itsm_webhooks', 'COMMIT']],
    [
      'a caller who is not known yet',
      () => {
        itsm.forget()
        return ask('GET', '/me')
      },
      ['credentials', 'permissions'],
    ],
    ['a record', (time) => ask('GET', `/requests/${requestId}?x=${time}`), ['requests']],
    [
      'a list with its count',
      () => ask('GET', '/people?primary_email=!mail.is@acme.example&per_page=1'),
      ['people', 'count(*)'],
    ],
  ]
  for (const [what, call, parts] of calls) {
    it(`says no more than that, whichever statement of ${what} it is`, async () => {
      const texts: string[] = []
      const isComplete = () => parts.every((part) => texts.join('\n').toLowerCase().includes(part.toLowerCase()))
      let again = 5
      // From now on the caller is known, so that calls have the same statements.
      await ask('GET', '/me')
      for (let number = 1; ; number++) {
        let isBlocked = false
        blocked.blockAt(number, () => {
          isBlocked = true
          timeIsOver()
        })
        logged = ''
        const answer = await call(number)
        const text = blocked.sent[number - 1] ?? ''
        blocked.blockAt(null)
        blocked.release()
        if (!isBlocked) {
          // Statements that a call sends at once have no order, and what the previous one has still read is not read again.
          if (isComplete() || again-- === 0) break
          number = 0
          continue
        }
        texts.push(text)
        expect(answer, text).to.deep.equal([504, '{"message":"Gateway timeout"}'])
        expect(logged, text).to.include('Answered with 504')
        expect(logged, text).to.not.match(/Mail|mail\.is/)
      }
      for (const part of parts) expect(texts.join('\n').toLowerCase()).to.include(part.toLowerCase())
    }).timeout(30_000)
  }

  it('says no more than that while somebody else has locked a table that it needs', async function () {
    if (testStore() === 'embedded') this.skip()
    const other = openStorage({ url: database.url, pool: { max: 1 } }, '')
    try {
      for (const table of ['itsm_requests', 'itsm_audit_lines', 'itsm_notes', 'itsm_outbox']) {
        await other.knex.raw('lock tables ?? write', [table])
        logged = ''
        const body = { subject: `Mail locks ${table}`, note: `Mail locked ${table}` }
        const answer = ask('PATCH', `/requests/${requestId}`, body)
        for (let tries = 0; tries < 100 && !(await waitsForLock(other.knex, table)); tries++) await sleep(20)
        timeIsOver()
        expect(await answer, table).to.deep.equal([504, '{"message":"Gateway timeout"}'])
        expect(logged, table).to.not.include('Mail')
        await other.knex.raw('unlock tables')
      }
    } finally {
      await other.close()
    }
  }).timeout(20_000)
})

async function waitsForLock(knex: Knex, table: string): Promise<boolean> {
  const statements = knex('information_schema.processlist').where('state', 'like', '%metadata lock%')
  return (await statements.where('info', 'like', `%${table}%`).pluck('id')).length > 0
}
