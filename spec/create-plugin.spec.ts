import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { expect } from 'chai'
import Koa from 'koa'
import { koaBody } from 'koa-body'
import mount from 'koa-mount'
import { recordTable } from '../migrations/tools.js'
import {
  ADMINISTRATORS,
  common,
  defineRecord,
  extendRecord,
  Forbidden,
  type HostEvent,
  InvalidSetup,
  listener,
  type Mail,
  type Migration,
  type Plugin,
  type PluginOptions,
  string,
  text,
} from '../plugin/index.js'
import { createMemoryBackend } from '../plugin/jobs/memory-backend.js'
import { embeddedDatabase } from '../plugin/storage/embedded/index.js'
import { testStore, withDatabase } from './support/database.js'
import { withFurnished } from './support/furnished.js'
import { errorOf, refusalOf } from './support/house.js'
import { moduleUrl, NODE_FLAGS } from './support/modules.js'
import { silent } from './support/settings.js'
import { settableClock } from './support/webhooks.js'

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
  const { database, plugins, build, on, furnished, serve, get } = withFurnished()

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
      const stopsAfter = async (wait: number | null) => {
        const looks: string[] = []
        const { repository, ...backend } = createMemoryBackend()
        const watched = new Proxy(repository, {
          get(target, key, receiver) {
            if (key === 'getNextJobToRun') looks.push(String(key))
            return Reflect.get(target, key, receiver)
          },
        })
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
      await Promise.all([null, 1, 20].map(stopsAfter))
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
        expect(one.itsm.models.of('site')).to.equal(one.itsm.models.of(site.one))
        expect(() => (one.itsm as Plugin).models.of('sites')).to.throw("There is no model of 'sites'")
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
            listener('hears', async (event) => {
              if (failures++ === 0) throw new Error('not yet')
              heard.push(event)
            }),
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
})
