import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { Call, Role } from '../../plugin/core/call.js'
import { Invalid, type Violation } from '../../plugin/core/errors.js'
import { createDeliveries } from '../../plugin/deliveries/deliveries.js'
import { createImports, type Imports } from '../../plugin/imports/imports.js'
import { createMailChannel } from '../../plugin/mails/mails.js'
import { createLeases, type Leases } from '../../plugin/storage/queues/leases.js'
import { createQueries } from '../../plugin/storage/records/query.js'
import type { Mail } from '../../plugin/words/mails/mail.js'
import { withDatabase } from '../support/database.js'
import { settingsWith, silent } from '../support/settings.js'
import { catalog, importCall } from './catalog.js'
import { createSpecOperations, createSpecTables, type SpecOperations } from './operations.js'

export const HEADER = 'Primary Email,Name\n'

/** Imports, and what specs change of them; as new before each. */
interface Importing {
  operations: SpecOperations
  imports: Imports
  now: number
  woken: number[]
  announced: string[]
  /** Sends the mails that wait, and returns them. */
  sentMails(): Promise<readonly Mail[]>
  callFor: (options: { readonly accountId?: string; readonly language?: string }) => Promise<Call>
  rolesIn: (accountId: string, personId: number) => Promise<readonly Role[]>
}

/** Provides imports of small types for the calling block (in `describe`), on a database of their own, at a time that specs set. */
export function withImporting() {
  const database = withDatabase()
  const place = {} as Importing

  before(async () => {
    await createSpecTables(database.storage)
    for (const id of ['acme', 'other']) {
      await database
        .knex('itsm_accounts')
        .insert({ id, name: id, locale: 'en-US', time_zone: 'UTC', created_at: '2026-01-01 00:00:00' })
    }
  })

  beforeEach(async () => {
    for (const table of [
      'leases',
      'imports',
      'import_chunks',
      'import_log_lines',
      'import_later_rows',
      'import_earlier_rows',
      'import_ties',
      'import_changes',
      'import_unaudited',
      'import_absences',
      'import_failures',
      'outbox',
      'channel_deliveries',
      'places',
      'crew',
      'squads',
      'squad_members',
    ]) {
      await database.knex(`itsm_${table}`).delete()
    }
    place.operations = createSpecOperations(database.storage)
    place.now = Date.parse('2026-11-21T09:30:00Z')
    place.woken = []
    place.announced = []
    place.sentMails = sentMails
    place.callFor = async () => importCall()
    place.rolesIn = async () => []
    place.imports = create()
  })

  function leases(): Leases {
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    return createLeases({ storage: database.storage, clock: { now: () => new Date(place.now) }, log, randomId: randomUUID })
  }

  function create(): Imports {
    const { baseUrl, secret, takeOverAfterMs, words } = settingsWith()
    return createImports({
      storage: database.storage,
      leases: leases(),
      catalog,
      operations: place.operations,
      permissions: { changeEach: async () => [] },
      queries: createQueries(database.storage, catalog),
      access: {
        people: {
          find: async () => importCall().actor,
          rolesOf: async (personId, accountId) => new Set(await place.rolesIn(accountId, personId)),
        },
        callers: { callFor: (_, options) => place.callFor(options) },
        scope: { seesAll: async () => true },
      },
      clock: { now: () => new Date(place.now) },
      log: silent,
      keepDays: 90,
      ...{ words, secret, baseUrl, takeOverAfterMs },
      wakeDispatch: (events) => place.announced.push(...events),
      wakeMails: () => {},
      wake: (id) => place.woken.push(id),
    })
  }

  async function sentMails(): Promise<readonly Mail[]> {
    const sent: Mail[] = []
    const { takeOverAfterMs, words } = settingsWith()
    const { actor, account } = importCall()
    const mails = createMailChannel({
      ...{ log: silent, words, sendMail: async (mail) => void sent.push(mail) },
      people: { find: async () => actor },
      accounts: { find: async () => account },
      readersOf: async () => [],
    })
    const parts = { storage: database.storage, leases: leases(), clock: { now: () => new Date(place.now) }, log: silent }
    await createDeliveries({ ...parts, ...{ catalog, takeOverAfterMs, keepDays: 30 }, channels: [mails] }).deliverDue('mail')
    return sent
  }

  function submit(type: string, content: string | Buffer, call: Call = importCall()): Promise<{ token: string }> {
    return place.imports.submit(call, { type, fileName: 'crew.csv', content: bytesOf(content) })
  }

  async function imported(type: string, content: string | Buffer, language = 'en-US') {
    const { token } = await submit(type, content, importCall({ language }))
    expect(await place.imports.run(await idOf(token))).to.equal(true)
    const progress = (await place.imports.progress(importCall(), token)) as {
      state: string
      message?: string
      results: object
      logfile: string
    }
    const { logName, expires, signature } = partsOf(new URL(progress.logfile))
    let log = ''
    for await (const text of await place.imports.log(logName, { expires, signature })) log += text
    return { token, progress, log: log.trimEnd().split('\n') }
  }

  async function idOf(token: string): Promise<number> {
    return Number((await database.knex('itsm_imports').where({ token }).first('id')).id)
  }

  async function count(table: string): Promise<number> {
    return Number((await database.knex(`itsm_${table}`).count({ number: '*' }))[0]?.['number'])
  }

  async function rows(table: string) {
    return database.knex(`itsm_${table}`).orderBy('id')
  }

  return Object.assign(place, { database, leases, create, submit, imported, idOf, count, rows })
}

export async function* bytesOf(content: string | Buffer): AsyncGenerator<Buffer> {
  yield Buffer.from(content)
}

export function partsOf(url: URL): { logName: string; expires: string; signature: string } {
  return {
    logName: url.pathname.replace('/v1/imports/', ''),
    expires: url.searchParams.get('expires') ?? '',
    signature: url.searchParams.get('signature') ?? '',
  }
}

export async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  )
}

export async function violationsOf(work: Promise<unknown>): Promise<readonly Violation[]> {
  const error = await errorOf(work)
  return error instanceof Invalid ? error.violations : []
}
