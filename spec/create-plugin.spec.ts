import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import Koa from 'koa'
import { koaBody } from 'koa-body'
import mount from 'koa-mount'
import { recordTable } from '../migrations/tools.js'
import {
  ADMINISTRATORS,
  BadRequest,
  common,
  createPlugin,
  defineRecord,
  extendRecord,
  Forbidden,
  type HostEvent,
  Invalid,
  InvalidSetup,
  type Mail,
  type Migration,
  NotFound,
  type Plugin,
  type PluginOptions,
  string,
  text,
} from '../plugin/index.js'
import { createMemoryBackend } from '../plugin/jobs/memory-backend.js'
import { embeddedDatabase } from '../plugin/storage/embedded/index.js'
import { type TestDatabase, testStore, withDatabase } from './support/database.js'
import { errorOf, refusalOf } from './support/house.js'
import { moduleUrl, NODE_FLAGS } from './support/modules.js'
import { silent } from './support/settings.js'
import { settableClock } from './support/webhooks.js'

const SECRET = 'a secret for specs that is long enough to be taken'

const vehicle = defineRecord('vehicle', {
  path: 'vehicles',
  fields: { ...common, plate: string(20, { required: true }), remarks: text() },
  title: 'plate',
  collection: { fields: 'id plate', sort: 'plate', filterable: 'id plate' },
  access: { create: ADMINISTRATORS, update: ADMINISTRATORS },
  events: ['create'],
  unique: [['plate']],
})
const vehicles: Migration = {
  name: 'host_0001_vehicles',
  up: (schema) =>
    recordTable(schema, 'vehicles', (table) => {
      table.string('source', 30)
      table.string('sourceID', 128)
      table.string('plate', 20)
      table.text('remarks')
      table.datetime('created_at')
      table.datetime('updated_at')
      table.unique('account_id', 'plate')
      table.unique('account_id', 'source', 'sourceID')
    }),
  down: async () => {},
}

/** Waits until it is so, for things that happen in the background. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('It did not become so')
}

describe('a plugin', () => {
  const database = withDatabase()
  const servers: Server[] = []
  const plugins: Plugin[] = []

  afterEach(async () => {
    for (const plugin of plugins.splice(0)) await plugin.stop()
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })

  const build = (more: Partial<PluginOptions> = {}): Plugin => {
    const itsm = createPlugin({
      baseUrl: 'http://127.0.0.1:9/api/v1',
      allowInsecure: true,
      secret: SECRET,
      database: { knex: database.knex },
      rateLimit: { burst: false },
      log: silent,
      ...more,
    })
    plugins.push(itsm)
    return itsm
  }
  const on = ({ knex }: TestDatabase) => ({ database: { knex } })
  /** With its tables, the account acme and an administrator. */
  const furnished = async (more: Partial<PluginOptions> = {}) => {
    const itsm = build(more)
    await itsm.migrate()
    await itsm.accounts.put({ id: 'acme', name: 'Acme', timeZone: 'Amsterdam' })
    const system = itsm.asSystem('the specs need an administrator', 'acme')
    const found = await system.list('person', { primary_email: 'ada@acme.example' })
    const ada = Number(
      (found.items[0] ?? (await system.create('person', { name: 'Ada', primary_email: 'ada@acme.example' })))['id'],
    )
    await itsm.grant(ada, 'acme', ['account_administrator', 'specialist'])
    return { itsm, system, ada, token: await itsm.credentials.apiToken(ada) }
  }
  const serve = async (host: Koa): Promise<string> => {
    const server = createServer(host.callback())
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const get = async (address: string, token?: string, init: RequestInit = {}) => {
    const headers = { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...(init.headers as Record<string, string>) }
    const response = await fetch(address, { ...init, headers })
    return { status: response.status, body: (await response.json().catch(() => null)) as Record<string, unknown> }
  }

  describe('that starts', () => {
    const empty = withDatabase({ migrated: false })

    it('refuses without its tables, and names the migrations that are missing', async () => {
      const itsm = build({ ...on(empty), tablePrefix: 'new_' })
      const error = await errorOf(itsm.start())
      expect(error).to.be.instanceOf(InvalidSetup)
      expect((error as InvalidSetup).mistakes).to.include('0001_create_system_tables')
      expect(await empty.knex.schema.hasTable('new_accounts')).to.equal(false)
    })

    it('runs migrations when it is told to, once, those of the host after ours, and starts although it was refused', async () => {
      const own = { ...on(empty), tablePrefix: 'mig_' }
      const itsm = build({ ...own, migrations: [vehicles], records: [vehicle] })
      expect(await errorOf(itsm.start())).to.be.instanceOf(InvalidSetup)
      const ran = await itsm.migrate()
      expect(ran[0]).to.equal('0001_create_system_tables')
      expect(ran.at(-1)).to.equal('host_0001_vehicles')
      expect(await itsm.migrate()).to.deep.equal([])
      await itsm.start()
    })

    it('refuses tables that do not fit, with every difference and a migration that would help', async () => {
      const itsm = build({
        records: [vehicle],
        extend: [extendRecord('site', { fields: { floor_plan: text() } })],
      })
      const error = (await errorOf(itsm.start())) as InvalidSetup
      expect(error).to.be.instanceOf(InvalidSetup)
      const told = error.mistakes.join('\n')
      expect(told).to.include('itsm_vehicles').and.include('floor_plan').and.include('this migration adds what is missing')
    })
  })

  describe('that stops', () => {
    it('leaves what was lent alone', async () => {
      const { itsm } = await furnished()
      await itsm.start()
      await itsm.stop()
      expect(await database.knex('itsm_accounts').where({ id: 'acme' })).to.have.length(1)
    })

    it('closes what is its own, and may be asked to do so twice', async () => {
      const itsm = build({
        database: { url: testStore() === 'server' ? database.url : 'sqlite::memory:' },
      })
      await itsm.migrate()
      await itsm.start()
      await itsm.stop()
      await itsm.stop()
      expect((await errorOf(itsm.accounts.put({ id: 'late', name: 'Late' }))).message).to.match(
        /acquire a connection|destroyed/i,
      )
    })

    it('may be stopped before it was started', async () => {
      await build().stop()
    })

    it('stays stopped when it is stopped while it starts', async () => {
      const looks: string[] = []
      const { repository, ...backend } = createMemoryBackend()
      const watched = new Proxy(repository, {
        get(target, key, receiver) {
          if (key === 'getNextJobToRun') looks.push(String(key))
          return Reflect.get(target, key, receiver)
        },
      })
      for (const wait of [null, 1, 20]) {
        const itsm = build({ jobs: { backend: { ...backend, repository: watched } } })
        await itsm.migrate()
        const starting = itsm.start().catch((error: Error) => error)
        if (wait !== null) await new Promise((resolve) => setTimeout(resolve, wait))
        await Promise.all([itsm.stop(), itsm.stop()])
        const outcome = await starting
        if (outcome !== undefined) expect(outcome.message).to.match(/has been stopped/)
        looks.length = 0
        await new Promise((resolve) => setTimeout(resolve, 1200))
        expect(looks, `after ${wait} ms`).to.deep.equal([])
      }
    })

    it('cannot be started again, which it says', async () => {
      const { itsm } = await furnished()
      await itsm.start()
      await itsm.stop()
      expect((await errorOf(itsm.start())).message).to.equal(
        'The plugin has been stopped and cannot be started again: call createPlugin() for another one',
      )
    })

    const own = withDatabase()
    const ends = async (...args: readonly string[]) => {
      const child = fork(moduleUrl('spec/support/exiting-plugin'), args, {
        execArgv: NODE_FLAGS,
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      })
      let output = ''
      child.stdout?.on('data', (chunk) => {
        output += chunk
      })
      child.stderr?.on('data', (chunk) => {
        output += chunk
      })
      const [code] = (await once(child, 'exit')) as [number | null]
      return { code, output }
    }

    it('lets the process end by itself: embedded, with jobs in memory', async () => {
      const { code, output } = await ends('sqlite::memory:')
      expect(output).to.include('stopped')
      expect(code, output).to.equal(0)
    }).timeout(40_000)

    it('lets the process end by itself: on MySQL and MongoDB', async function () {
      const mongo = process.env['MONGODB_URL']
      if (testStore() !== 'server' || !mongo) this.skip()
      const store = new URL(mongo)
      store.pathname = `/itsm_test_${randomBytes(6).toString('hex')}`
      const { code, output } = await ends(own.url, store.href)
      expect(output).to.include('stopped')
      expect(code, output).to.equal(0)
    }).timeout(60_000)
  })

  describe('in a host', () => {
    it('answers below its prefix when it is mounted, and leaves everything else to the host', async () => {
      const { itsm, token } = await furnished()
      const host = new Koa()
      host.use(mount('/api', itsm.app))
      host.use((ctx) => {
        ctx.body = { host: ctx.path }
      })
      const address = await serve(host)
      expect(await get(`${address}/api/v1/me`, token)).to.deep.include({ status: 200 })
      expect(await get(`${address}/api/v1/nothing`, token)).to.deep.equal({ status: 404, body: { message: 'Not Found' } })
      for (const path of ['/', '/v1/me', '/api', '/api/v2/me', '/api/v1x']) {
        const { status, body } = await get(address + path)
        expect(status, path).to.equal(200)
        expect(body, path).to.have.property('host')
      }
    })

    it('is a middleware just as well', async () => {
      const { itsm, token } = await furnished()
      const host = new Koa()
      host.use(itsm.middleware)
      host.use((ctx) => {
        ctx.body = { host: ctx.path }
      })
      const address = await serve(host)
      expect((await get(`${address}/v1/me`, token)).body).to.include({ name: 'Ada' })
      expect((await get(`${address}/elsewhere`)).body).to.deep.equal({ host: '/elsewhere' })
    })

    it('works behind a body parser of the host', async () => {
      const { itsm, token } = await furnished()
      const host = new Koa()
      host.use(koaBody({ multipart: true }))
      host.use(mount('/api', itsm.app))
      const address = await serve(host)
      const body = JSON.stringify({ name: 'Parsed' })
      const headers = { 'Content-Type': 'application/json' }
      const created = await get(`${address}/api/v1/sites`, token, { method: 'POST', body, headers })
      expect(created.status).to.equal(201)
      expect(created.body).to.include({ name: 'Parsed' })
    })

    it('reads its headers by the prefixes that the host chose', async () => {
      const { itsm, token } = await furnished({ headerPrefixes: ['X-Desk-', 'X-Old-'] })
      const host = new Koa()
      host.use(itsm.middleware)
      const address = await serve(host)
      const status = async (name: string) =>
        (await get(`${address}/v1/sites`, token, { headers: { [name]: 'nowhere' } })).status
      expect([await status('X-Desk-Account'), await status('X-Old-Account'), await status('X-SVC-Account')]).to.deep.equal([
        403, 403, 200,
      ])
    })

    const own = withDatabase()
    it('tells two of them apart, with their own tables and databases', async () => {
      const second = embeddedDatabase(':memory:')
      try {
        const one = await furnished({ ...on(own), baseUrl: 'http://127.0.0.1:9/one/v1' })
        const two = await furnished({ database: { knex: second }, tablePrefix: 'two_', baseUrl: 'http://127.0.0.1:9/two/v1' })
        await Promise.all([one.itsm.start(), two.itsm.start()])
        await one.itsm.as(one.ada).create('site', { name: 'Only in one' })
        await two.itsm.as(two.ada).create('site', { name: 'Only in two' })
        const host = new Koa()
        host.use(mount('/one', one.itsm.app))
        host.use(mount('/two', two.itsm.app))
        const address = await serve(host)
        const names = async (path: string, token: string) => {
          const { body } = await get(`${address}${path}/v1/sites`, token)
          return (body as unknown as { name: string }[]).map(({ name }) => name)
        }
        expect(await names('/one', one.token)).to.deep.equal(['Only in one'])
        expect(await names('/two', two.token)).to.deep.equal(['Only in two'])
        expect((await get(`${address}/two/v1/sites`, one.token)).status).to.equal(401)
        const site = { one: one.itsm.catalog.type('site'), two: two.itsm.catalog.type('site') }
        expect([one.itsm.models.of(site.one).tableName, two.itsm.models.of(site.two).tableName]).to.deep.equal([
          'itsm_sites',
          'two_sites',
        ])
        expect(await one.itsm.models.of(site.one).query()).to.have.length(1)
      } finally {
        for (const plugin of plugins.splice(0)) await plugin.stop()
        await second.destroy()
      }
    })
  })

  describe('that a host extends', () => {
    const [garage, ears, post] = [withDatabase(), withDatabase(), withDatabase()]

    it('serves record types of the host like its own', async () => {
      const { itsm, token } = await furnished({ ...on(garage), records: [vehicle], migrations: [vehicles] })
      const host = new Koa()
      host.use(itsm.middleware)
      const address = await serve(host)
      const post = (plate: string) =>
        get(`${address}/v1/vehicles`, token, {
          method: 'POST',
          body: JSON.stringify({ plate }),
          headers: { 'Content-Type': 'application/json' },
        })
      expect((await post('AB-12')).status).to.equal(201)
      expect((await post('ab-12')).body).to.deep.include({
        message: 'Validation Failed',
        errors: [['plate', 'Plate has already been taken']],
      })
      expect((await get(`${address}/v1/vehicles?plate=AB-12`, token)).body).to.have.length(1)
      const audited = (await get(`${address}/v1/vehicles/1/audit`, token)).body as unknown as { action: string }[]
      expect(audited.map(({ action }) => action)).to.deep.equal(['create'])
    })

    it('asks hooks before a save, which may refuse', async () => {
      const { itsm, ada } = await furnished({
        before: {
          'site.save': [
            ({ next, fail }) => {
              if (next['city'] === null) fail('city', 'blank')
            },
          ],
        },
      })
      expect(await refusalOf(itsm.as(ada).create('site', { name: 'Nowhere' }))).to.deep.equal([['city', 'blank']])
      expect(await itsm.as(ada).create('site', { name: 'Somewhere', city: 'Delft' })).to.include({ city: 'Delft' })
    })

    it('tells listeners after the commit, until they have understood', async () => {
      const heard: HostEvent[] = []
      const clock = settableClock('2026-11-21T09:30:00Z')
      let failures = 0
      const { itsm, ada } = await furnished({
        ...on(ears),
        clock,
        on: {
          'organization.create': [
            async (event) => {
              if (failures++ === 0) throw new Error('not yet')
              heard.push(event)
            },
          ],
        },
      })
      await itsm.start()
      const { id } = await itsm.as(ada).create('organization', { name: 'Heard' })
      await refusalOf(itsm.as(ada).create('organization', { name: 'Heard' }))
      await until(() => failures > 0)
      // Told again after a minute, before what happened later.
      clock.pass(61_000)
      const later = await itsm.as(ada).create('organization', { name: 'Heard later' })
      await until(() => heard.length > 1)
      expect(heard.map(({ recordId }) => recordId)).to.deep.equal([id, later['id']])
      expect(heard[0]).to.deep.include({ name: 'organization.create', person: { id: ada, name: 'Ada' } })
    }).timeout(60_000)

    it('sends mails by the way of the host', async () => {
      const mails: Mail[] = []
      const { itsm, token } = await furnished({ ...on(post), sendMail: async (mail) => void mails.push(mail) })
      await itsm.start()
      const host = new Koa()
      host.use(itsm.middleware)
      const address = await serve(host)
      const form = new FormData()
      form.set('type', 'sites')
      form.set('file', new Blob(['Name\nImported\n']), 'sites.csv')
      expect((await get(`${address}/v1/import`, token, { method: 'POST', body: form })).status).to.equal(200)
      await until(() => mails.length > 0)
      expect(mails[0]?.to).to.deep.equal(['ada@acme.example'])
      expect((await itsm.asSystem('look', 'acme').list('site', { name: 'Imported' })).totalEntries).to.equal(1)
    }).timeout(60_000)

    it('mails people about their records right after the commit', async () => {
      const mails: Mail[] = []
      const { itsm, ada } = await furnished({ ...on(post), sendMail: async (mail) => void mails.push(mail) })
      await itsm.start()
      const desk = itsm.asSystem('spec', 'acme')
      const team = await desk.create('team', { name: 'Desk' })
      const body = { subject: 'Slow', category: 'other', team_id: team['id'], requested_by_id: ada }
      await desk.create('request', { ...body, desired_completion_at: '2026-12-01T12:00:00Z' })
      await until(() => mails.length > 0)
      expect(mails[0]?.to).to.deep.equal(['ada@acme.example'])
      expect(mails[0]?.subject).to.match(/^Desired completion of request \d+: Slow$/)
    }).timeout(60_000)

    it('speaks with the words of the host', async () => {
      const { itsm, token } = await furnished({ words: { en: { fields: { 'site.name': 'Name of the place' } } } as never })
      const host = new Koa()
      host.use(itsm.middleware)
      const address = await serve(host)
      const { body } = await get(`${address}/v1/sites`, token, {
        method: 'POST',
        body: '{}',
        headers: { 'Content-Type': 'application/json' },
      })
      expect(body).to.deep.include({ errors: [['name', "Name of the place can't be blank"]] })
    })

    it('lets the host say who has credentials, who has an id, and who is signed in', async () => {
      const { itsm } = await furnished({
        people: {
          byCredentials: async (given) => ('token' in given && given.token === 'badge' ? { email: 'ada@acme.example' } : null),
          byId: async (id) => (id === 'u-1' ? { email: 'ada@acme.example', account: 'acme' } : null),
          signedIn: async (ctx) => (ctx.get('Cookie') === 'session=ada' ? { email: 'ada@acme.example' } : null),
        },
      })
      const host = new Koa()
      host.use(itsm.middleware)
      const address = await serve(host)
      const me = async (token?: string, headers: Record<string, string> = {}) => {
        const { status, body } = await get(`${address}/v1/me`, token, { headers })
        return status === 200 ? body['name'] : status
      }
      expect(await me('badge')).to.equal('Ada')
      expect(await me('other')).to.equal(401)
      expect(await me(undefined, { Cookie: 'session=ada' })).to.equal('Ada')
      expect(await me(undefined, { Cookie: 'session=bob' })).to.equal(401)
      // Credentials that are sent must be right, whoever is signed in.
      expect(await me('other', { Cookie: 'session=ada' })).to.equal(401)
      expect((await itsm.as('u-1').list('person', { primary_email: 'ada@acme.example' })).totalEntries).to.equal(1)
      expect((await itsm.as('ada@acme.example').list('person', { primary_email: 'ada@acme.example' })).totalEntries).to.equal(1)
      expect((await errorOf(itsm.as('u-2').list('person'))).message).to.equal("as('u-2'): people.byId returned null")
    })

    it('makes a record of a person who is signed in at the host, at the first call', async () => {
      const warnings: string[] = []
      const warn = (details: object, message: string) => void warnings.push(`${JSON.stringify(details)} ${message}`)
      const { itsm } = await furnished({
        log: { ...silent, warn },
        people: {
          signedIn: async (ctx) => {
            const name = ctx.get('X-User')
            return name === '' ? null : { email: `${name}@acme.example`, account: 'acme', known: { name } }
          },
          provision: async ({ known }) => {
            const { name } = known as { name: string }
            return name === 'mallory' ? null : { body: { name }, roles: ['specialist'] }
          },
        },
      })
      const host = new Koa()
      host.use(itsm.middleware)
      const address = await serve(host)
      const me = (name: string) => get(`${address}/v1/me`, undefined, { headers: { 'X-User': name } })
      const first = await Promise.all(Array.from({ length: 5 }, () => me('nina')))
      expect(first.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200])
      expect(new Set(first.map(({ body }) => body['id'])).size).to.equal(1)
      expect((await get(`${address}/v1/people/me`, undefined, { headers: { 'X-User': 'nina' } })).status).to.equal(200)
      expect((await me('mallory')).status).to.equal(401)
      await itsm.asSystem('leaves', 'acme').update('person', Number(first[0]?.body['id']), { disabled: true })
      expect((await me('nina')).status).to.equal(401)
      expect(warnings.join()).to.include('"email":"mallory@acme.example"').and.include('people.provision returned no record')
    })

    it('names the hook that fails, answers nonsense or does not answer', async () => {
      const logged: { readonly message: string; readonly err: string }[] = []
      const error = (details: object, message: string) => {
        const { err } = details as { err: Error }
        logged.push({ message, err: `${err.message}: ${String(err.cause)}` })
      }
      let act: () => unknown = () => true
      const asked = () => act() as never
      const address = async (more: Partial<PluginOptions>) => {
        const { itsm, token } = await furnished({ log: { ...silent, error }, timeouts: { hookMs: 30 }, ...more })
        const host = new Koa()
        host.use(itsm.middleware)
        return { url: `${await serve(host)}/v1/sites`, token }
      }
      const hooks: readonly (readonly [name: string, more: Partial<PluginOptions>, nonsense: unknown, reason: string])[] = [
        ['people.byCredentials', { people: { byCredentials: asked } }, { name: 'Ada' }, 'A person must be { id }'],
        ['people.signedIn', { people: { signedIn: asked } }, 'ada', 'A person must be { id }'],
        ['authorize for site.read', { authorize: asked }, 'yes', "it must return true or false, not 'yes'"],
      ]
      for (const [name, more, nonsense, reason] of hooks) {
        const { url, token } = await address(more)
        const answer = async () => {
          logged.length = 0
          const { status, body } = await get(url, name === 'people.signedIn' ? undefined : token)
          return [status, body['message'], logged.map(({ message, err }) => `${message}: ${err}`).join()] as const
        }
        act = () => nonsense
        const [status, message, log] = await answer()
        expect([status, message], name).to.deep.equal([500, 'Internal Server Error'])
        expect(log).to.include(`Answered with 500: The host's ${name} failed: ${reason}`)
        act = () => {
          throw new Error('directory is away')
        }
        expect((await answer())[2]).to.include(`Answered with 500: The host's ${name} failed: directory is away`)
        act = () => new Promise(() => {})
        const [late, timeout, said] = await answer()
        expect([late, timeout], name).to.deep.equal([504, 'Gateway timeout'])
        expect(said).to.include(`The host's ${name} failed: no answer within 30 ms`)
      }
    })

    it('lets the host have the last word on what may be done', async () => {
      const { itsm, ada } = await furnished({
        authorize: ({ action, type, call }, decide) =>
          type === 'site' && action === 'update' && call.actor !== null ? false : decide(),
      })
      const { id } = await itsm.as(ada).create('site', { name: 'Fixed' })
      expect(await errorOf(itsm.as(ada).update('site', Number(id), { city: 'X' }))).to.be.instanceOf(Forbidden)
      expect(await itsm.asSystem('correct it', 'acme').update('site', Number(id), { city: 'X' })).to.include({ city: 'X' })
    })
  })

  describe('that the host itself calls', () => {
    it('refuses misspelt fields, and says what was meant', async () => {
      const { itsm, system, ada } = await furnished()
      for (const records of [itsm.as(ada), itsm.as(ada).strict, system]) {
        const error = (await errorOf(records.create('site', { nmae: 'x', colour: 'red', time_zone: 'Mars' }))) as Invalid
        expect(error).to.be.instanceOf(Invalid)
        expect(error.violations).to.deep.include.members([
          ['nmae', 'unknown_field', { near: 'name' }],
          ['colour', 'unknown_field'],
          ['name', 'blank'],
          ['time_zone', 'inclusion'],
        ])
        expect(error.message).to.match(/^Validation Failed: /)
        for (const part of [
          "'nmae' is not a known field; did you mean 'name'?",
          "'colour' is not a known field",
          "'name' can't be blank",
        ]) {
          expect(error.message).to.include(part)
        }
      }
      const contact = { label: 'work', protocol: 'email', url: 'ada@acme.example' }
      const nested = (await errorOf(itsm.as(ada).update('person', ada, { contacts_attributes: [contact] }))) as Invalid
      expect(nested.violations).to.deep.include(['contacts_attributes.url', 'unknown_field', { near: 'uri' }])
      const person = itsm.as(ada).update('person', ada, { manager_di: ada })
      expect(((await errorOf(person)) as Invalid).violations).to.deep.equal([
        ['manager_di', 'unknown_field', { near: 'manager_id' }],
      ])
      const whole = { name: 'Hours', calendar_hours: [{ weekday: 'mon', time_from: '09:00', time_till: '17:00' }] }
      expect(((await errorOf(itsm.as(ada).create('calendar', whole))) as Invalid).violations).to.deep.include([
        'calendar_hours.time_till',
        'unknown_field',
      ])
    })

    it('passes over what cannot be set, or refuses it where the host wants that', async () => {
      const { itsm, system, ada } = await furnished()
      const { id } = await itsm.as(ada).create('site', { name: 'Lenient', created_at: '2020-01-01T00:00:00Z' })
      expect(await refusalOf(system.strict.update('site', Number(id), { id: 4 }))).to.deep.equal([['id', 'cannot_be_set']])
      const readOnly = itsm.as(ada).update('site', Number(id), { created_at: '2020-01-01T00:00:00Z' })
      expect(await errorOf(readOnly)).to.be.instanceOf(Forbidden)
      expect(await system.update('site', Number(id), { id: 4 })).to.include({ name: 'Lenient' })
      expect(await refusalOf(itsm.as(ada).strict.list('site', { fields: 'colour' }))).to.deep.equal([
        ['colour', 'unknown_field'],
      ])
    })

    it('counts the active minutes of a calendar', async () => {
      const { itsm, ada } = await furnished()
      const calendar_hours = [{ weekday: 'mon', time_from: '09:00', time_until: '17:00' }]
      const { id } = await itsm.as(ada).create('calendar', { name: 'Mondays', calendar_hours })
      const start = new Date('2026-11-23T00:00:00Z')
      expect(await itsm.as(ada).duration(Number(id), { start, end: '2026-11-24T00:00:00Z' })).to.equal(480)
      const span = { start, end: '2026-11-23T08:30:59Z', time_zone: 'Amsterdam' }
      expect(await itsm.asSystem('count', 'acme').duration(Number(id), span)).to.equal(30)
      expect(await errorOf(itsm.as(ada).duration(999_999, span))).to.be.instanceOf(NotFound)
      const missing = await errorOf(itsm.as(ada).duration(Number(id), { start } as never))
      expect(missing).to.be.instanceOf(BadRequest).with.property('message', "Parameter 'end' is required")
    })

    it('refuses arguments of the wrong kind, by name', async () => {
      const { itsm, ada } = await furnished()
      const records = itsm.as(ada) as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
      const said = async (name: string, ...args: unknown[]) => {
        const error = await errorOf(records[name]?.(...args) ?? Promise.resolve())
        return `${error.name}: ${error.message}`
      }
      expect(await said('create', 'requst', {})).to.equal(
        "RangeError: There is no record type 'requst'; did you mean 'request'?",
      )
      expect(await said('duration', '12ab', {})).to.equal("TypeError: The id of a calendar must be a number, not '12ab'")
      expect(await said('duration', 12, null)).to.equal('TypeError: A span must be { start, end }, not null')
      expect(await said('duration', 12, { start: new Date(Number.NaN) })).to.equal('RangeError: Invalid time value')
      for (const [given, shown] of [
        ['subject=x', "'subject=x'"],
        [[], 'an empty list'],
        [null, 'null'],
      ]) {
        const message = `TypeError: The parameters of an event must be an object, not ${shown}`
        expect(await said('submitEvent', given)).to.equal(message)
      }
      expect(await said('list', 'peopel')).to.equal("RangeError: There is no record type 'peopel'")
      expect(await said('create', 'site', null)).to.equal('TypeError: The body of a site must be an object, not null')
      expect(await said('create', 'site', [{ name: 'x' }])).to.equal(
        'TypeError: The body of a site must be an object, not a list',
      )
      for (const name of ['read', 'update', 'remove']) {
        expect(await said(name, 'site', '12ab', {})).to.equal("TypeError: The id of a site must be a number, not '12ab'")
      }
      expect(await said('read', 'site', Number.NaN)).to.equal('TypeError: The id of a site must be a number, not NaN')
      expect(await said('read', 'note', 5, 17)).to.equal('TypeError: An owner must be { type, id }, not 17')
      expect(await said('read', 'site', 5, undefined, ['custom_field'])).to.equal(
        "RangeError: site has no field 'custom_field'; did you mean 'custom_fields'?",
      )
      expect(await said('list', 'request', {}, 'opne')).to.equal("RangeError: request has no list 'opne'; did you mean 'open'?")
      expect(await said('list', 'request', { status: undefined })).to.equal(
        "TypeError: The parameter 'status' must be a text, a number or a boolean, not undefined",
      )
      expect(await said('list', 'request', { statsu: 'open' })).to.match(/^BadRequest: .*statsu/)
      expect(await said('link', { type: 'team', id: 1 }, 'membrs', ada)).to.equal(
        "RangeError: team has no links 'membrs'; did you mean 'members'?",
      )
      expect(await said('link', undefined, 'members', ada)).to.equal('TypeError: An owner must be { type, id }, not null')
      expect(await said('unlink', { type: 'team', id: 1 }, 'members', '17')).to.equal(
        "TypeError: The id of a linked record must be a number, not '17'",
      )
      expect(await said('list', 'request', null)).to.equal('TypeError: The parameters of a list must be an object, not null')
      expect(await said('list', Object.create(null))).to.match(/^RangeError: There is no record type 'an object'/)
      expect(await said('link', { type: 'team', id: 1 }, Object.create(null), ada)).to.equal(
        'RangeError: team has no links an object',
      )
      const stream = (...pieces: unknown[]) => ({ [Symbol.asyncIterator]: () => pieces[Symbol.iterator]() })
      for (const [file, reason] of [
        [undefined, 'A file must be { name, content }, not undefined'],
        [{ content: stream() }, 'The name of a file must be a text, not undefined'],
        [{ name: 'a.txt', type: 7, content: stream() }, 'The type of a file must be a text, not 7'],
        [{ name: 'a.txt' }, 'The content of a file must be a stream or a list of byte arrays, not undefined'],
        [{ name: 'a.txt', content: 'x' }, "The content of a file must be a stream or a list of byte arrays, not 'x'"],
        [
          { name: 'a.txt', content: Buffer.from('x') },
          'The content of a file must be a stream or a list of byte arrays, not a single one: pass [bytes]',
        ],
        [{ name: 'a.txt', content: stream('x') }, "The content of a file must come as bytes, not 'x'"],
        [{ name: 'a.txt', content: [null] }, 'The content of a file must come as bytes, not null'],
      ] as const) {
        expect(await said('upload', file)).to.equal(`TypeError: ${reason}`)
      }
      expect(await itsm.as(ada).upload({ name: 'a.txt', content: Readable.from([Buffer.from('x')]) })).to.include({ size: 1 })
      const as = itsm.as as unknown as (...args: unknown[]) => unknown
      for (const [wish, shown] of [
        [null, 'null'],
        ['acme', "'acme'"],
        [{ acount: 'globex' }, "'acount'"],
      ]) {
        expect(() => as(ada, wish)).to.throw(TypeError, `as: the second argument must be { account } or absent, not ${shown}`)
      }
      expect(() => as(ada, { account: Object.create(null) })).to.throw(TypeError, 'as: the account must be the id of one')
    })

    it('makes, lists and revokes personal tokens, and names what is wrong', async () => {
      const { itsm, ada } = await furnished()
      const said = async (work: Promise<unknown>) => {
        const error = await errorOf(work)
        return `${error.name}: ${error.message}`
      }
      const expiresAt = new Date(Date.now() + 3600_000)
      const made = await itsm.tokens.create(ada, { name: 'agent', readOnly: true, recordTypes: ['request'], expiresAt })
      expect(made).to.include({ name: 'agent', read_only: true })
      expect(made.token).to.match(/^itsm_pat_[0-9A-Za-z]{36}$/)
      const { token: _, ...shown } = made
      expect(await itsm.tokens.list(ada)).to.deep.equal([shown])
      expect(await said(itsm.tokens.create(99_999, { name: 'x' }))).to.equal(
        'RangeError: tokens.create: there is no enabled person with the id 99999',
      )
      expect(await said(itsm.tokens.create(ada, { name: '', recordTypes: ['requests'] }))).to.equal(
        "RangeError: tokens.create: 'name' can't be blank, 'recordTypes' is not included in the list",
      )
      for (const [wrong, message] of [
        [{ name: 'x', readonly: true }, "TypeError: tokens.create: there is no option 'readonly'; did you mean 'readOnly'?"],
        [{ name: 'x', expiresAt: '2030' }, "TypeError: tokens.create: expiresAt must be a Date, not '2030'"],
        [null, 'TypeError: tokens.create: the token must be { name, … }, not null'],
      ] as const)
        expect(await said(itsm.tokens.create(ada, wrong as never))).to.equal(message)
      expect(await said(itsm.tokens.revoke(ada, made.id + 1))).to.match(
        /^RangeError: tokens.revoke: the person \d+ has no token/,
      )
      expect(await said(itsm.tokens.revoke(ada, 'x' as never))).to.match(/^TypeError: tokens.revoke: the token must be its id/)
      await itsm.tokens.revoke(ada, made.id)
      expect(await itsm.tokens.list(ada)).to.deep.equal([])
    })

    it('makes, lists and revokes OAuth clients', async () => {
      const { itsm, ada } = await furnished()
      const made = await itsm.oauthClients.create(ada, { name: 'agent', readOnly: true, recordTypes: ['request'] })
      expect(made).to.deep.include({ name: 'agent', read_only: true, record_types: ['request'], last_used_at: null })
      expect(made.client_secret).to.match(/^itsm_ocs_[0-9A-Za-z]{36}$/)
      const { client_secret: _, ...shown } = made
      expect(await itsm.oauthClients.list(ada)).to.deep.equal([shown])
      const wrong = await errorOf(itsm.oauthClients.create(ada, { name: 'x', expiresAt: new Date() } as never))
      expect(wrong.message).to.equal("oauthClients.create: there is no option 'expiresAt'")
      expect((await errorOf(itsm.oauthClients.revoke(ada, made.id + 1))).message).to.match(/ has no client with the id \d+$/)
      await itsm.oauthClients.revoke(ada, made.id)
      expect(await itsm.oauthClients.list(ada)).to.deep.equal([])
    })

    it('gives passwords, tokens, roles and trust only to people and accounts that there are', async () => {
      const { itsm, ada } = await furnished()
      const said = async (work: Promise<unknown>) => {
        const error = await errorOf(work)
        return `${error.name}: ${error.message}`
      }
      const { apiToken, setPassword } = itsm.credentials
      for (const [id, shown] of [
        [`${ada}ab`, `'${ada}ab'`],
        [null, 'null'],
        [undefined, 'undefined'],
        [1.5, '1.5'],
      ] as const) {
        const wrong = id as never
        expect(await said(apiToken(wrong))).to.equal(`TypeError: apiToken: the person must be the id of a record, not ${shown}`)
        expect(await said(setPassword(wrong, 'long enough'))).to.match(
          /^TypeError: setPassword: the person must be the id of a record/,
        )
      }
      expect(await said(apiToken(99_999))).to.equal('RangeError: apiToken: there is no person with the id 99999')
      expect(await said(setPassword(99_999, null))).to.equal('RangeError: setPassword: there is no person with the id 99999')
      for (const password of [undefined, 7, ['long enough']]) {
        expect(await said(setPassword(ada, password as never))).to.equal(
          'TypeError: setPassword: the password must be a text or null',
        )
      }
      const account = {} as never
      const reason = 'TypeError: The account must be an id, a text, not an object'
      for (const work of [itsm.accounts.find(account), itsm.accounts.trust('acme', account), itsm.grant(ada, account, [])]) {
        expect(await said(work)).to.equal(reason)
      }
    })

    it('acts as a person, with its permissions as they are at that moment', async () => {
      const { itsm, system } = await furnished()
      const bea = Number((await system.create('person', { name: 'Bea', primary_email: 'bea@acme.example' }))['id'])
      const desk = itsm.as({ email: 'bea@acme.example' })
      expect(await errorOf(desk.create('team', { name: 'Team of Bea' }))).to.be.instanceOf(Forbidden)
      await itsm.grant(bea, 'acme', ['account_administrator'])
      const team = await desk.create('team', { name: 'Team of Bea', member_ids: [bea] })
      expect((await desk.list('request', { status: '!completed', per_page: 5 }, 'open')).items).to.deep.equal([])
      await desk.unlink({ type: 'team', id: Number(team['id']) }, 'members', bea)
      await desk.link({ type: 'team', id: Number(team['id']) }, 'members', bea)
      expect((await desk.read('team', Number(team['id'])))['name']).to.equal('Team of Bea')
      expect((await itsm.as('bea@acme.example').read('team', Number(team['id'])))['name']).to.equal('Team of Bea')
      expect((await errorOf(itsm.as(99_999).list('team'))).message).to.equal(
        'as(99999): there is no enabled person with the id 99999',
      )
      expect(() => itsm.as('')).to.throw(TypeError, "as('')")
    })

    it('refuses an account or a reason that is empty', async () => {
      const { itsm, ada } = await furnished()
      for (const account of ['', ' ', null, undefined] as string[]) {
        expect(() => itsm.asSystem('spec', account), String(account)).to.throw(
          TypeError,
          /^asSystem: the account must be the id/,
        )
      }
      expect(() => itsm.as(ada, { account: '' })).to.throw(TypeError, "as: the account must be the id of one, not ''")
      expect(() => itsm.asSystem('', 'acme')).to.throw(TypeError, 'asSystem: the reason must be a text')
      expect((await errorOf(itsm.asSystem('spec', 'acm').list('site'))).message).to.equal("There is no account 'acm'")
    })

    it('gives roles that there are, to people and in accounts that there are', async () => {
      const { itsm, ada } = await furnished()
      const said = async (...args: unknown[]) => (await errorOf(itsm.grant(...(args as Parameters<typeof itsm.grant>)))).message
      expect(await said(ada, 'acme', ['auditr'])).to.equal("grant: there is no role 'auditr'; did you mean 'auditor'?")
      expect(await said(ada, 'acme', 'auditor')).to.equal("grant: the roles must be an array, not 'auditor'")
      expect(await said(ada, '', ['auditor'])).to.equal("grant: there is no account ''")
      expect(await said('ada@acme.example', 'acme', ['auditor'])).to.equal(
        "grant: the person must be the id of a record, not 'ada@acme.example'",
      )
      expect(await said(99_999, 'acme', ['auditor'])).to.equal('grant: there is no person with the id 99999')
    })

    it('acts in another account where the person has a role', async () => {
      const { itsm, ada } = await furnished()
      await itsm.accounts.put({ id: 'globex', name: 'Globex' })
      expect(await errorOf(itsm.as(ada, { account: 'globex' }).list('site'))).to.be.instanceOf(Forbidden)
      await itsm.grant(ada, 'globex', ['account_administrator'])
      await itsm.as(ada, { account: 'globex' }).create('site', { name: 'In Globex' })
      expect((await itsm.asSystem('look', 'globex').list('site')).totalEntries).to.equal(1)
    })

    it('answers with the id alone where the person may save what it cannot see', async () => {
      const { itsm, system, ada } = await furnished()
      const cas = Number((await system.create('person', { name: 'Cas', primary_email: 'cas@acme.example' }))['id'])
      const team = await system.create('team', { name: 'Team for others' })
      const body = { subject: 'for Ada', category: 'other', requested_by_id: ada, requested_for_id: ada, team_id: team['id'] }
      const saved = await itsm.as(cas).create('request', body)
      expect(Object.keys(saved)).to.deep.equal(['id'])
      expect(await system.read('request', Number(saved['id']))).to.include({ subject: 'for Ada' })
    })

    it('removes records where the type offers it', async () => {
      const { itsm, ada } = await furnished()
      const hook = await itsm.as(ada).create('webhook', { event: 'request.create', uri: 'https://hooks.example/' })
      expect(hook['name']).to.equal('request.create')
      await itsm.as(ada).remove('webhook', Number(hook['id']))
      expect((await errorOf(itsm.as(ada).read('webhook', Number(hook['id'])))).name).to.equal('NotFound')
    })

    it('submits events, and explains their mistakes', async () => {
      const { itsm, system, ada } = await furnished()
      await itsm.grant(ada, 'acme', ['specialist'])
      await system.create('team', { name: 'Servers', member_ids: [ada] })
      const downtime_start_at = new Date('2026-11-23T08:00:00Z')
      const event = { subject: 'Disk full', note: '97 %', source: 'Watchdog', downtime_start_at, team: 'Servers' }
      const first = await itsm.as(ada).submitEvent(event)
      expect(first.isNew).to.equal(true)
      expect(first.record).to.include({ subject: 'Disk full', source: 'Watchdog', category: 'other' })
      expect(new Date(String(first.record['downtime_start_at'])).getTime()).to.equal(downtime_start_at.getTime())
      const again = await itsm.as(ada).submitEvent(event)
      expect([again.isNew, again.record['id']]).to.deep.equal([false, first.record['id']])
      // The system is nobody, so that it must name the person.
      expect(await refusalOf(system.submitEvent({ subject: 'Disk full' }))).to.deep.include(['requested_by', 'blank'])
      const named = await system.submitEvent({ ...event, requested_by_id: ada })
      expect(named).to.have.property('isNew', false)
      const misspelled = await errorOf(itsm.as(ada).submitEvent({ ...event, sourceId: 1, colour: 'red' }))
      expect(misspelled)
        .to.be.instanceOf(Invalid)
        .with.property(
          'message',
          "Validation Failed: 'sourceId' is not a known parameter; did you mean 'sourceID'?, 'colour' is not a known parameter",
        )
      const { id } = await system.create('person', { name: 'Uma', primary_email: 'uma@acme.example' })
      const asUma = itsm.as(Number(id))
      expect(await refusalOf(asUma.strict.submitEvent({ ...event, Team: 'x' }))).to.deep.equal([
        ...[
          ['source', 'cannot_be_set'],
          ['downtime_start_at', 'cannot_be_set'],
        ],
        ...[
          ['team', 'cannot_be_set'],
          ['Team', 'unknown_parameter', { near: 'team' }],
        ],
      ])
    })
  })
})
