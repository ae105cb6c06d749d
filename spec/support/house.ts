/** A plugin without HTTP and jobs on the database of a block: for specs of access and operations. */
import { randomBytes, randomUUID } from 'node:crypto'
import { before } from 'mocha'
import type { Migration } from '../../migrations/tools.js'
import { type Access, type AccessDeps, createAccess } from '../../plugin/access/access.js'
import type { Accounts } from '../../plugin/access/people/accounts.js'
import type { Callers, CallOptions } from '../../plugin/access/people/callers.js'
import type { People } from '../../plugin/access/people/people.js'
import type { Scope } from '../../plugin/access/sight/scope.js'
import type { CreatePerson } from '../../plugin/access/sign-in/recognize-person.js'
import type { Call, Role } from '../../plugin/core/call.js'
import { Invalid } from '../../plugin/core/errors.js'
import { createAskHost } from '../../plugin/core/waiting/ask-host.js'
import { createFiles, type FilesDeps } from '../../plugin/files/files.js'
import type { Operations, Owner } from '../../plugin/operations/contract.js'
import { createOperations } from '../../plugin/operations/operations.js'
import type { Allowances } from '../../plugin/operations/people/allowances.js'
import type { OAuthClients } from '../../plugin/operations/people/oauth-clients.js'
import type { Permissions } from '../../plugin/operations/people/permissions.js'
import type { PersonalTokens } from '../../plugin/operations/people/personal-tokens.js'
import type { FileReading } from '../../plugin/operations/read/read-for-files.js'
import type { PluginOptions, Settings } from '../../plugin/options/options.js'
import { records } from '../../plugin/records/records.js'
import type { Catalog } from '../../plugin/schema/catalog.js'
import { compile, compileChecked } from '../../plugin/schema/compile/compile.js'
import type { Validator } from '../../plugin/schema/derive/validator.js'
import type { Row } from '../../plugin/schema/language/define-rule.js'
import type { Storage } from '../../plugin/storage/database/connections.js'
import type { Queries } from '../../plugin/storage/records/query.js'
import { migrate } from '../../plugin/storage/tables/migrate.js'
import { createTables } from '../../plugin/storage/tables/tables.js'
import { SHARED_LISTS } from '../../plugin/words/shared-lists.js'
import { type TestDatabaseOptions, withDatabase } from './database.js'
import { settingsWith } from './settings.js'
import { mustNameMoves } from './status-moves.js'
import { type SettableClock, settableClock } from './webhooks.js'

export type HouseOptions = Pick<
  PluginOptions,
  'records' | 'extend' | 'before' | 'inTransaction' | 'authorize' | 'scope' | 'words'
> &
  TestDatabaseOptions & {
    readonly migrations?: readonly Migration[]
    readonly allowedExtensions?: readonly string[]
    readonly hookMs?: number
  }

/** Only set while specs run, as with `withDatabase`. */
export interface House {
  readonly storage: Storage
  readonly url: string
  readonly catalog: Catalog
  readonly clock: SettableClock
  readonly queries: Queries
  readonly access: Access
  /** Dependencies of `createAccess`, for another process on the same database. */
  readonly accessDeps: AccessDeps
  readonly accounts: Accounts
  readonly people: People
  readonly callers: Callers
  readonly scope: Scope
  readonly operations: Operations
  readonly fileReading: FileReading
  readonly permissions: Permissions
  readonly allowances: Allowances
  readonly personalTokens: PersonalTokens
  readonly oauthClients: OAuthClients
  readonly createPerson: CreatePerson
  /** Of bodies, by record type. */
  readonly validators: ReadonlyMap<string, Validator>
  /** Dependencies of `createFiles`, for files of other settings on the same database. */
  readonly filesDeps: FilesDeps
  /** Number of wakes of the relay. */
  dispatchWakes(): number
  /** A call of the system, in the account acme unless another one is named. */
  system(account?: string): Promise<Call>
  /** A call of a person. */
  by(personId: number, options?: Partial<CallOptions>): Promise<Call>
  /** Saves as the system and returns the id. */
  add(type: string, body: object, options?: { readonly account?: string; readonly owner?: Owner }): Promise<number>
  /** A person with these roles in acme. */
  addPerson(name: string, roles?: readonly Role[], more?: object): Promise<number>
  /** The stored row, without placeholders and permissions. */
  row(type: string, id: number): Promise<Row | null>
  /** Rows of one of our tables, in the form of the database, ordered by id. */
  table(name: string): Promise<readonly Record<string, unknown>[]>
}

/** A house on an existing database. */
export type Built = Omit<House, 'url'>

/** Creates a house for the calling block, with the accounts acme and globex, which trust each other, and umbrella, without trust. */
export function withHouse(options: HouseOptions = {}): House {
  const database = withDatabase(options)
  let built: Built | null = null
  mustNameMoves()
  before('builds the house', async () => {
    const catalog = catalogWith({ records: options.records ?? [], extend: options.extend ?? [] })
    await migrate(database.storage, options.migrations ?? [], catalog)
    built = buildHouse(database.storage, options)
    for (const id of ['acme', 'globex', 'umbrella'])
      await built.accounts.put({ id, name: id.toUpperCase(), timeZone: 'Amsterdam' })
    await built.accounts.trust('acme', 'globex')
  })
  return new Proxy({} as House, {
    get(_, name) {
      if (name === 'url') return database.url
      if (!built) throw new Error('The house exists only while the specs of the block run')
      return built[name as keyof Built]
    },
  })
}

/** That of our types alone, for all houses of the process: catalogs never change. A spec checks our definitions. */
let ours: Catalog | null = null

function catalogWith({ records: more, extend }: Settings['catalog']): Catalog {
  if (more.length > 0 || extend.length > 0) return compile([...records, ...more], extend, SHARED_LISTS)
  ours ??= compileChecked(records, [], SHARED_LISTS)
  return ours
}

/** Builds a house on a database with tables. */
export function buildHouse(storage: Storage, options: HouseOptions): Built {
  const { hookMs, allowedExtensions = [], file: _, migrated: __, ...host } = options
  const clock = settableClock('2026-11-21T09:30:00Z')
  const timeouts = hookMs === undefined ? {} : { timeouts: { hookMs } }
  const settings = settingsWith({ ...host, ...timeouts, files: { allowedExtensions }, clock })
  const { baseUrl, log, secret, words } = settings
  const catalog = catalogWith(settings.catalog)
  const ask = createAskHost(settings.hookMs)
  const { queries, writer } = createTables({ storage, catalog, migrations: settings.storage.migrations })
  const shared = { storage, catalog, clock, log, words, ask }
  const accessDeps: AccessDeps = {
    ...shared,
    queries,
    secret,
    randomBytes,
    randomId: randomUUID,
    expectTimer: () => {},
    ...settings.access,
  }
  const access = createAccess(accessDeps)
  const { accounts, callers, people, scope } = access
  const filesDeps: FilesDeps = { ...shared, access, baseUrl, secret, ...settings.files }
  let dispatchWakes = 0
  const eventDispatch = {
    wakeDispatch: () => {
      dispatchWakes += 1
    },
    wakeMails: () => {},
    dispatchPending: async () => {},
  }
  const made = createOperations({
    ...{
      ...shared,
      queries,
      writer,
      observer: {},
      randomBytes,
      access,
      files: createFiles(filesDeps),
      eventDispatch,
      afterWrite: access.afterWrite,
    },
    timerWakes: { expect: () => {} },
    submitEvent: () => Promise.reject(new Error('A house has no event submission')),
    exportRows: () => {
      throw new Error('A house has no exports')
    },
    ...settings.operations,
  })
  const { operations, fileReading, permissions, allowances, personalTokens, oauthClients, createPerson, validators } = made
  const system = (account = 'acme') => callers.hostCall('spec', account)
  const add: House['add'] = async (type, body, { account, owner } = {}) =>
    Number((await operations.save(await system(account), type, null, body, owner))['id'])

  return {
    storage,
    ...{ catalog, clock, queries, access, accessDeps, accounts, people, callers, scope },
    ...{ operations, fileReading, permissions, allowances, personalTokens, oauthClients, createPerson, validators, filesDeps },
    dispatchWakes: () => dispatchWakes,
    system,
    async by(personId, callOptions = {}) {
      const actor = await people.find({ id: personId })
      if (!actor) throw new Error(`There is no person ${personId}`)
      return callers.callFor({ actor }, { source: 'spec', ...callOptions })
    },
    add,
    async addPerson(name, roles = [], more = {}) {
      const primary_email = `${name.toLowerCase().replace(/[^a-z]+/g, '.')}@acme.example`
      const id = await add('person', { name, primary_email, ...more })
      if (roles.length > 0) await permissions.add(await system(), id, 'acme', roles)
      return id
    },
    async row(type, id) {
      const where = { path: ['id'], op: 'in', values: [id] } as const
      const [row] = await queries.rows({}, { type: catalog.type(type), where })
      return row ?? null
    },
    table: (name) => storage.knex(storage.table(name)).orderBy('id'),
  }
}

/** The violations of refused work; fails if it was not refused. */
export async function refusalOf(work: Promise<unknown>): Promise<readonly (readonly unknown[])[]> {
  try {
    await work
  } catch (error) {
    if (error instanceof Invalid) return error.violations
    throw error
  }
  throw new Error('It was not refused')
}

/** The error of the work; fails if it threw none. */
export async function errorOf(work: Promise<unknown>): Promise<Error> {
  let result: unknown
  try {
    result = await work
  } catch (error) {
    if (error instanceof Error) return error
    throw new Error('The thrown value is not an error', { cause: error })
  }
  throw new Error(`There was no error but ${JSON.stringify(result)}`)
}
