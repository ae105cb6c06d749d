/** Exports: files with the records that a person may read, in the form that imports read (behaviour: Exports). */
import type { Readable } from 'node:stream'
import type { Access } from '../access/access.js'
import { opensType } from '../access/tokens/token-limits.js'
import type { Call } from '../core/call.js'
import { type Instant, instantOf } from '../core/clock.js'
import { Forbidden, Invalid, NotFound, TooManyRequests, type Violation } from '../core/errors.js'
import { newProgressToken } from '../core/progress-token.js'
import { parseInstant, withPlusRestored } from '../core/time/zoned-time.js'
import type { ExportRows } from '../operations/host/lent-functions.js'
import { type ImportKind, importKinds } from '../schema/derive/import-kinds.js'
import { nextFrom, purgeLateCommits, timesSince } from '../storage/database/late-commits.js'
import { afterCommit, dbOf, inTransaction } from '../storage/database/transaction.js'
import { changedSince } from './changed-since.js'
import { FILE_LASTS, fileNameOf, isSignedFile, openFile, signedFileAddress } from './download.js'
import { countWaiting, exportsInTurn, findExport, insertExport, purgeExports } from './export-rows.js'
import { type ExportPlan, exportPlan } from './plan.js'
import { readRows } from './read-rows.js'
import { type RunExportDeps, runExport } from './run.js'

/** What is exported, as a client has sent it. */
export interface ExportRequest {
  /** Import types: a list, or a text with commas. */
  readonly type?: unknown
  /** A timestamp: only records whose changes were committed since. */
  readonly from?: unknown
  readonly locale?: unknown
}

export type ExportProgress =
  | { readonly state: 'queued' }
  | { readonly state: 'processing'; readonly line: number }
  | { readonly state: 'done'; readonly url: string; readonly next_from?: Instant }
  | { readonly state: 'error'; readonly message: string }

export interface Exports {
  /** Values of `type`, which are those of imports. */
  readonly types: readonly string[]
  /**
   * Adds an export to the end of the account's queue.
   *
   * @returns the token for reading the progress; null if no record has changed since `from`
   * @throws Invalid; Forbidden if a type is closed to the caller; TooManyRequests if many exports of the account wait
   */
  submit(call: Call, request: ExportRequest): Promise<{ readonly token: string } | null>
  /** @throws NotFound for a token that the person of the call does not have, and five minutes after the end */
  progress(call: Call, token: string): Promise<ExportProgress>
  /**
   * Returns the file of an export. Needs no call: the signature is the permission.
   *
   * @param name the path after `/exports/`
   * @throws Forbidden if the signature is invalid or has expired; NotFound
   */
  file(name: string, query: { readonly expires: string; readonly signature: string }): Promise<Readable>
  /** Returns the rows of one type, which are read while they are asked for. @throws Invalid, Forbidden */
  readonly rows: ExportRows
  /** Writes the files of an export until its end; see `runExport`. */
  run(exportId: number, signal?: AbortSignal): Promise<boolean>
  /** Wakes the exports whose turn it is. */
  resumeAll(): Promise<void>
  /** Removes exports whose files cannot be downloaded any more. */
  purge(): Promise<void>
}

/** Dependencies of exports. */
export interface ExportsDeps extends Omit<RunExportDeps, 'callFor'> {
  readonly access: {
    readonly people: Pick<Access['people'], 'find'>
    readonly callers: Pick<Access['callers'], 'callFor'>
  }
  /** Key for the signatures of URLs. */
  readonly secret: string
  /** Base URL of the API, with the version segment and without a final slash. */
  readonly baseUrl: string
}

/** The limits of the token that asked for an export hold for its work as well. */
const READING = { id: 0, kind: 'personal', clientId: null, name: 'export', readOnly: true } as const
/** Milliseconds after the end for which the progress can be read. */
const SHOWN_FOR = 5 * 60_000
/** Exports of an account that may wait: their files are stored in the database. */
const MAX_WAITING = 20
/** Seconds after which a client may ask again. */
const TRY_AGAIN_AFTER = 60
const MAX_LOCALE_LENGTH = 20

export function createExports(given: ExportsDeps): Exports {
  const { baseUrl, catalog, clock, fileReading, secret, storage } = given
  const { callers, people } = given.access
  const kinds = importKinds(catalog)
  const plans = new Map<ImportKind, ExportPlan>()
  const deps: RunExportDeps = {
    ...given,
    async callFor({ accountId, id, language, personId, recordTypes }) {
      const actor = await people.find({ id: personId })
      if (!actor) throw new Forbidden()
      const call = await callers.callFor(
        { actor },
        { accountId, language, source: 'export', origin: 'job', cause: `export ${id}` },
      )
      return recordTypes ? { ...call, token: { ...READING, recordTypes: new Set(recordTypes) } } : call
    },
  }

  /** Made when it is first asked for: all of them take as long as the rest of the exports. */
  function planOf(kind: ImportKind): ExportPlan {
    const plan = plans.get(kind) ?? exportPlan(catalog, kind)
    plans.set(kind, plan)
    return plan
  }

  /** True if the type has a record that the caller sees, and that has changed since. @throws Forbidden */
  async function hasRecords(call: Call, { record }: ImportKind, since: Date | null): Promise<boolean> {
    if (!opensType(call, record)) throw new Forbidden()
    const request = { after: 0, limit: 1, fields: ONLY_ID, also: changedSince(catalog, record, since) }
    return (await fileReading.readAfter(call, record.name, request)).length > 0
  }

  return {
    types: kinds.map(({ type }) => type),

    async submit(call, request) {
      const { actor } = call
      if (!actor) throw new Forbidden()
      const { from, types } = readRequest(call, kinds, request)
      // Before anything is read: what is committed from now on is for the next export.
      const next = nextFrom(storage)
      const since = from && (await timesSince(storage, dbOf(storage, call), from))
      let isEmpty = true
      for (const kind of types) if (await hasRecords(call, kind, since)) isEmpty = false
      if (isEmpty && since) return null
      const token = newProgressToken()
      await inTransaction(storage, call, async (inside) => {
        const db = dbOf(storage, inside)
        const { account, language } = call
        if ((await countWaiting(storage, db, account.id)) >= MAX_WAITING)
          throw new TooManyRequests(TRY_AGAIN_AFTER, 'Too many exports of this account are waiting')
        const recordTypes = call.token?.recordTypes ? [...call.token.recordTypes] : null
        const stored = { token, accountId: account.id, personId: actor.id, language, recordTypes, since, nextFrom: next }
        const id = await insertExport(storage, db, { ...stored, types: types.map(({ type }) => type), createdAt: clock.now() })
        afterCommit(inside, () => deps.wake(id))
      })
      return { token }
    },

    async progress(call, token) {
      const row = await findExport(storage, { token })
      const isShown = row && (!row.finishedAt || clock.now().getTime() - row.finishedAt.getTime() <= SHOWN_FOR)
      if (!isShown || row.accountId !== call.account.id || row.personId !== call.actor?.id) throw new NotFound()
      switch (row.state) {
        case 'queued':
          return { state: 'queued' }
        case 'processing':
          return { state: 'processing', line: row.line }
        case 'error':
          return { state: 'error', message: row.message ?? '' }
        case 'done': {
          const until = new Date((row.finishedAt ?? clock.now()).getTime() + FILE_LASTS * 1000)
          const next = row.nextFrom && { next_from: instantOf(row.nextFrom) }
          return { state: 'done', url: signedFileAddress(baseUrl, secret, row, until), ...next }
        }
      }
    },

    async file(name, query) {
      if (!isSignedFile(secret, name, query, clock.now())) throw new Forbidden()
      const row = await findExport(storage, { id: Number(/\/(\d{1,15})\.[^/]*$/.exec(name)?.[1] ?? 0) })
      if (row?.state !== 'done' || fileNameOf(row) !== name) throw new NotFound()
      return openFile(storage, row)
    },

    async *rows(call, typeName, { from }) {
      const asked = { type: typeName, from: from instanceof Date ? from.toISOString() : from }
      const { from: asksSince, types } = readRequest(call, kinds, asked)
      const [kind] = types
      if (!kind || types.length > 1) throw new Invalid([['type', 'inclusion']])
      const since = asksSince && (await timesSince(storage, dbOf(storage, call), asksSince))
      const plan = planOf(kind)
      for (let after: number | null = 0; after !== null; ) {
        const page = await readRows(deps, call, plan, after, changedSince(catalog, plan.type, since))
        for (const cells of page.rows)
          yield Object.fromEntries(plan.columns.map(({ header }, index) => [header, cells[index] ?? '']))
        after = page.lastId
      }
    },

    run: (exportId, signal) => runExport(deps, exportId, signal),

    async resumeAll() {
      for (const exportId of await exportsInTurn(storage)) deps.wake(exportId)
    },

    async purge() {
      await purgeExports(storage, new Date(clock.now().getTime() - FILE_LASTS * 1000))
      await purgeLateCommits(storage)
    },
  }
}

const ONLY_ID = ['id']

/** Reads a request, each type once and in the order of imports. @throws Invalid */
function readRequest(call: Call, kinds: readonly ImportKind[], { from, locale, type }: ExportRequest) {
  const violations: Violation[] = []
  const texts = Array.isArray(type) ? type : typeof type === 'string' ? type.split(',') : [type]
  const names = new Set(texts.map((text) => (typeof text === 'string' ? text.trim() : text)).filter((name) => name !== ''))
  const types = kinds.filter((kind) => names.has(kind.type))
  const isGiven = type !== undefined && type !== null
  if (!isGiven || names.size === 0) violations.push(['type', 'blank'])
  else if (types.length < names.size) violations.push(['type', 'inclusion'])
  const instant = typeof from === 'string' && from.trim() !== '' ? parseInstant(withPlusRestored(from.trim()), call.zone) : null
  const hasFrom = from !== undefined && from !== null && from !== ''
  if (hasFrom && instant === null) violations.push(['from', 'invalid'])
  const isLocale = locale === undefined || locale === null || (typeof locale === 'string' && locale.length <= MAX_LOCALE_LENGTH)
  if (!isLocale) violations.push(['locale', 'invalid'])
  if (violations.length > 0) throw new Invalid(violations)
  return { types, from: instant === null ? null : new Date(instant) }
}
