/**
 * Makes the stored database of an older state again, from its commit: `spec/upgrades/worlds/<version>.json.br`.
 *
 *     node --import=tsx/esm spec/support/make-old-world.ts <version> <commit>
 *
 * The state is checked out elsewhere, with the packages of this one. Its own code migrates an embedded database, loads its own
 * world and creates what the bodies of its fixtures describe, of its vehicles too: a type of a host, with a migration. Some of its
 * request cases leave imports, files and tokens. Accounts and e-mail addresses get other names, so that the world of today fits
 * beside them. Events go to webhooks that nobody answers; the last ones are not dispatched, as when a process is stopped. Time begins
 * with that of the commit.
 *
 * The state of a version is its last commit: `git log -p -- package.json` shows which one raised the next version. That of the
 * present version is its newest commit, and is made once more when the next one is raised. The file says which commit it was.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Knex } from 'knex'
import Koa from 'koa'
import type { Definition, Migration, Owner, Plugin } from '../../plugin/index.js'
import { openStorage } from '../../plugin/storage/database/connections.js'
import type { CaseRunner, Fixtures, RecordFixture, World, WorldFile } from '../../plugin/testing/index.js'
import { readRows } from '../../plugin/testing/snapshot.js'
import { fileOf, LISTENING, type OldRecord, writeOldWorld } from './old-worlds.js'
import { silent, TEST_SECRET } from './settings.js'

/** What this uses of an older state. */
interface State {
  createPlugin(options: object): Plugin
  embeddedDatabase(file: string): Knex
  loadWorld(itsm: Plugin, file: WorldFile): Promise<World>
  caseRunner(deps: object): CaseRunner
  readonly fixtures: Fixtures
  readonly vehicle: Definition
  readonly createVehicles: Migration
  readonly vehicleFixture: RecordFixture
}

/** Where a record is. */
type Place = Omit<OldRecord, 'shown'>

/** Topics of request cases that leave rows which no record shows: imports, files, tokens, answers that are kept. */
const TOPICS = ['imports', 'attachments', 'tokens', 'repeated requests', 'events']
const BASE_URL = 'https://desk.example/v1'
/** The versions whose option for the database was called `mysql`. */
const WITH_MYSQL = ['0.1', '0.2', '0.3']

const [version, commit] = process.argv.slice(2)
if (!version || !commit) throw new Error('Arguments: version and commit')
const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
const folder = join(mkdtempSync(join(tmpdir(), 'itsm-old-')), 'state')
git('worktree', 'add', '--quiet', '--detach', folder, commit)
try {
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  await make(version, git('rev-parse', '--short=8', commit), new Date(git('log', '-1', '--format=%cI', commit)))
} finally {
  git('worktree', 'remove', '--force', folder)
  rmSync(join(folder, '..'), { recursive: true, force: true })
}
process.exit()

async function make(version: string, commit: string, since: Date): Promise<void> {
  const state = await load()
  const knex = state.embeddedDatabase(':memory:')
  const started = performance.now()
  const itsm = state.createPlugin({
    ...(WITH_MYSQL.includes(version) ? { mysql: { knex } } : { database: { knex } }),
    baseUrl: BASE_URL,
    secret: TEST_SECRET,
    clock: { now: () => new Date(since.getTime() + performance.now() - started) },
    log: silent,
    allowInsecure: true,
    rateLimit: { burst: false },
    records: [state.vehicle],
    migrations: [state.createVehicles],
  })
  await itsm.migrate()
  const file = renamed(state.fixtures.world)
  const world = await state.loadWorld(itsm, file)
  const places = placesOf(file, world)
  const { account } = places.find(({ id, type }) => type === 'person' && id === world.id('owen')) ?? { account: '' }
  await itsm.asSystem('listens', account).create('webhook', { event: 'request.update', uri: LISTENING })
  const failures: string[] = []
  const created = await createBodies(state, itsm, { world, places, account, failures })
  await itsm.start()
  await useByHttp(state, itsm, world)
  const waiting = async () => Number((await knex('itsm_outbox').count({ n: '*' }))[0]?.['n'])
  while ((await waiting()) > 0) await sleep(500)
  await itsm.stop()
  for (const { type, id } of created.filter((one) => one.type === 'request')) {
    await itsm.asSystem('leaves events', account).update(type, id, { subject: `The end of ${version}` })
  }
  const signIns = file.records.filter(({ password, roles }) => password !== undefined || roles !== undefined)
  const tokens: Record<string, string> = {}
  for (const { name } of signIns) tokens[world.id(name)] = await itsm.credentials.apiToken(world.id(name))
  const records: OldRecord[] = []
  for (const one of [...places, ...created]) {
    const shown = await itsm
      .asSystem('reads all', one.account)
      .read(one.type, one.id, one.owner)
      .catch(() => null)
    // A case may have removed it.
    if (shown) records.push({ ...one, shown })
  }
  // The time at which a migration ran is of another type in each database, and nobody reads it.
  await knex('itsm_migrations').update({ migration_time: null })
  const statements = knex('sqlite_master').whereNotNull('sql').whereNot('name', 'like', 'sqlite_%').orderBy('rowid')
  writeOldWorld({
    version,
    commit,
    migrations: await knex('itsm_migrations').orderBy('id').pluck('name'),
    statements: await statements.pluck('sql'),
    tables: Object.fromEntries(await readRows(openStorage({ knex }, 'itsm_'), () => true)),
    records,
    tokens,
  })
  console.log(`${fileOf(version)}: ${records.length} records of ${new Set(records.map(({ type }) => type)).size} types`)
  for (const failure of failures) console.log(`  not as described: ${failure}`)
}

async function load(): Promise<State> {
  const from = (path: string) => import(pathToFileURL(join(folder, path)).href)
  const { createPlugin } = await from('plugin/index.ts')
  const { embeddedDatabase } = await from('plugin/storage/embedded/index.ts')
  const { caseRunner, loadWorld, readFixtures } = await from('plugin/testing/index.ts')
  const { createVehicles, vehicle, vehicleFixture } = await from('spec/support/vehicle.ts')
  const fixtures = readFixtures(join(folder, 'fixtures'))
  return { createPlugin, embeddedDatabase, loadWorld, caseRunner, fixtures, vehicle, createVehicles, vehicleFixture }
}

/** Runs cases for the rows that they leave. What they expect does not matter here: others may have changed the world. */
async function useByHttp({ caseRunner, fixtures: { records, topics } }: State, itsm: Plugin, world: World): Promise<void> {
  const server = createServer(new Koa().use(itsm.middleware).callback()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const runner = caseRunner({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, world, records })
  for (const { cases } of topics.filter(({ name }) => TOPICS.includes(name))) {
    for (const one of cases) await runner.run(one).catch(() => {})
  }
  runner.close()
  server.close()
}

/** The world with other names of accounts, and of domains. */
function renamed(world: WorldFile): WorldFile {
  const ids = world.accounts.map(({ id }) => id).join('|')
  return JSON.parse(JSON.stringify(world).replace(new RegExp(`(?<=")(${ids})(?=")|(?<=@)(${ids})(?=\\.)`, 'g'), 'old-$&'))
}

function placesOf({ records }: WorldFile, world: World): readonly Place[] {
  const named = new Map(records.map((record) => [record.name, record]))
  const accountOf = (name: string): string => {
    const { account, owner = '' } = named.get(name.replace('@', '')) ?? {}
    return account ?? accountOf(owner)
  }
  return records.map(({ name, type, owner }) => {
    const place = { type, id: world.id(name), account: accountOf(name) }
    return owner === undefined ? place : { ...place, owner: { type: world.record(owner).type, id: world.id(owner) } }
  })
}

interface Filling {
  readonly world: World
  readonly places: readonly Place[]
  readonly account: string
  /** Sentences about bodies that could not be created; the world may already have what they describe. */
  readonly failures: string[]
}

/** Creates what the bodies of the fixtures describe, and changes it as they say. */
async function createBodies(state: State, itsm: Plugin, filling: Filling): Promise<readonly Place[]> {
  const { world, places, account, failures } = filling
  const fixtures = new Map([...state.fixtures.records, ['vehicle', state.vehicleFixture] as const])
  const runner = state.caseRunner({ baseUrl: BASE_URL, world, records: fixtures })
  const created: Place[] = []
  const owners = (type: string): readonly Owner[] =>
    [...places, ...created].filter((one) => one.type === type && one.account === account)
  const create = async (type: string, name: string): Promise<void> => {
    const { below, as: person, bodies, changes = {} } = fixtures.get(type) ?? { bodies: {} }
    if (!bodies[name] || created.some((one) => one.type === type && name === 'minimal')) return
    if (below !== undefined && owners(below).length === 0) await create(below, 'minimal')
    const api = person === undefined ? itsm.asSystem('fills', account) : itsm.as(world.id(person), { account })
    const reasons = new Set<string>()
    const body = (given: unknown) => runner.body(given) as object
    // Some owners refuse a sub-record, or have one of the kind.
    for (const owner of below === undefined ? [undefined] : owners(below)) {
      try {
        const { id } = await api.create(type, body({ $like: `${type}.${name}` }), owner)
        created.push({ type, id: Number(id), account, ...(owner && { owner: { type: owner.type, id: owner.id } }) })
        for (const change of name === 'full' ? [] : Object.values(changes))
          await api.update(type, Number(id), body(change), owner)
        return
      } catch (error) {
        reasons.add((error as Error).message.replaceAll('\n', ' '))
      }
    }
    failures.push(`${type}.${name}: ${[...reasons].join('; ')}`)
  }
  for (const type of fixtures.keys()) for (const name of ['minimal', 'full']) await create(type, name)
  runner.close()
  return created
}
