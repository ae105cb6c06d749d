/** The API in a host, over real HTTP, with the world of the fixtures in its database. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { koaBody } from 'koa-body'
import mount from 'koa-mount'
import { after, before } from 'mocha'
import { createPlugin, type Plugin, type PluginOptions } from '../../plugin/index.js'
import type { Storage } from '../../plugin/storage/database/connections.js'
import { type Fixtures, loadWorld, readFixtures, type World } from '../../plugin/testing/index.js'
import { createSender } from '../../plugin/testing/send.js'
import { isOfRecords, type Rows, readRows, writeRows } from '../../plugin/testing/snapshot.js'
import { type TestDatabase, withDatabase } from './database.js'
import { silent, TEST_SECRET } from './settings.js'
import { readTemplate, type StoredWorld } from './template.js'

export type Mounting = 'bare' | 'mounted under a prefix' | 'behind a body parser of the host'

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: unknown
}

export interface Mounted {
  readonly database: TestDatabase
  /** Only set while specs run; so are the others. */
  readonly itsm: Plugin
  readonly baseUrl: string
  readonly world: World
  /** Sends a request as a person by name, or anonymously; the path starts after `/v1`. Objects are sent as JSON, bytes as is. */
  ask(as: string | null, method: string, path: string, body?: object | Buffer, headers?: Record<string, string>): Promise<Reply>
}

/** Read once: fixtures do not change while specs run. */
export const fixtures: Fixtures = readFixtures('fixtures')

/** Provides the API with the world loaded for the calling block (in `describe`); nothing runs in the background. */
export function withMounted(mounting: Mounting = 'mounted under a prefix', more: Partial<PluginOptions> = {}): Mounted {
  let made: { server: Server; itsm: Plugin; baseUrl: string; world: World } | null = null
  const sender = createSender()

  // Before the hook that empties the database: jobs would write meanwhile.
  after('stops', async () => {
    sender.close()
    await made?.itsm.stop()
    made?.server.closeAllConnections()
    await new Promise((resolve) => (made ? made.server.close(resolve) : resolve(null)))
    made = null
  })
  const database = withDatabase()
  before('mounts the interface and loads the world', async function () {
    this.timeout(60_000)
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const prefix = mounting === 'bare' ? '' : '/desk/api'
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}/v1`
    const itsm = createPlugin({
      baseUrl,
      allowInsecure: true,
      secret: TEST_SECRET,
      database: { knex: database.lent },
      rateLimit: { burst: false },
      log: silent,
      ...more,
    })
    await itsm.migrate()
    const host = new Koa()
    if (mounting === 'behind a body parser of the host')
      host.use(koaBody({ multipart: true, formidable: { allowEmptyFiles: true, minFileSize: 0 } }))
    host.use(mounting === 'bare' ? itsm.middleware : mount(prefix, itsm.app))
    server.on('request', host.callback())
    made = {
      server,
      itsm,
      baseUrl,
      world: await worldIn(database, itsm, more.extend !== undefined || more.records !== undefined),
    }
  })
  const current = () => {
    if (!made) throw new Error('The API exists only while the specs of the block run')
    return made
  }
  return {
    database,
    get itsm() {
      return current().itsm
    },
    get baseUrl() {
      return current().baseUrl
    },
    get world() {
      return current().world
    },
    async ask(as, method, path, body, headers = {}) {
      const { baseUrl, world } = current()
      const sent: Record<string, string> = { 'User-Agent': 'specs', ...headers }
      if (as !== null) sent['Authorization'] = `Basic ${Buffer.from(`${world.token(as)}:x`).toString('base64')}`
      const bytes = body === undefined || Buffer.isBuffer(body) ? (body ?? null) : Buffer.from(JSON.stringify(body))
      if (bytes !== null) {
        sent['Content-Type'] ??= 'application/json'
        sent['Content-Length'] = String(bytes.length)
      }
      const answer = await sender.send(`${baseUrl}${path}`, method, sent, bytes)
      return { ...answer, json: jsonOf(answer.text) }
    },
  }
}

/** The world and its rows, once per process; loading it takes seconds. */
let loaded: { readonly world: World; readonly rows: Rows } | null = null

/** @param isExtended true if the rows have columns that other plugins lack, so that they are not kept for these */
async function worldIn({ storage }: TestDatabase, itsm: Plugin, isExtended: boolean): Promise<World> {
  const stored = readTemplate()?.world
  loaded ??= stored ? { world: worldOf(stored), rows: stored.rows } : null
  if (loaded) {
    await replaceRows(storage, loaded.rows)
    return loaded.world
  }
  const world = await loadWorld(itsm, fixtures.world)
  if (!isExtended) loaded = { world, rows: await readRows(storage, isOfRecords) }
  return world
}

/** Replaces the rows of this database by those of another one with the same tables. */
async function replaceRows(storage: Storage, rows: Rows): Promise<void> {
  await storage.knex.transaction(async (transaction) => {
    for (const table of rows.keys()) await transaction(table).delete()
    await writeRows(transaction, rows)
  })
}

/** The world that another process has loaded. */
function worldOf({ ids, tokens }: StoredWorld): World {
  const records = new Map(fixtures.world.records.map((record) => [record.name, record]))
  const find = <T>(map: ReadonlyMap<string, T>, name: string): T => {
    const found = map.get(name.replace(/^@/, ''))
    if (found === undefined) throw new RangeError(`The world has no '${name}' of that kind`)
    return found
  }
  return {
    id: (name) => find(ids, name),
    token: (name) => find(tokens, name),
    signIn(name) {
      const { body, password } = find(records, name)
      if (password === undefined) throw new RangeError(`${name} has no password`)
      return { email: String(body['primary_email']), password }
    },
    record: (name) => find(records, name),
    names: [...ids.keys()],
  }
}

/** Loads the world of the fixtures into a database, for the template of a run. */
export async function loadFixtureWorld(storage: Storage): Promise<World> {
  const itsm = createPlugin({
    baseUrl: 'https://desk.example/v1',
    secret: TEST_SECRET,
    database: { knex: storage.knex },
    log: silent,
  })
  try {
    return await loadWorld(itsm, fixtures.world)
  } finally {
    await itsm.stop()
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
