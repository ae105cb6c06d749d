import type { Access } from '../access/access.js'
import type { Call } from '../core/call.js'
import { Forbidden, Invalid, NotFound } from '../core/errors.js'
import { BYTE_ORDER_MARK, csvLine } from '../core/text/csv.js'
import { importKinds } from '../schema/derive/import-kinds.js'
import { headersOf, layoutOf } from './columns/layouts.js'
import { createEntries, type ImportEntries } from './entries.js'
import { purgeImports } from './progress/import-list.js'
import { findImport } from './progress/import-rows.js'
import { countRunning, importsInTurn } from './progress/import-work.js'
import { formatLogLine, logLinesOf } from './progress/log-lines.js'
import { isSigned, type Progress, progressOf, signedAddress } from './progress/report.js'
import { type RunDeps, runImport } from './run.js'
import { causeOf } from './undo/undo-progress.js'
import { ADMINISTRATORS, checkImporter, checkKind, kindNamed, type SubmitDeps, submit, type Upload } from './upload.js'

export interface Imports extends ImportEntries {
  /** Values of `type`, in the order in which dependent files have to be imported. */
  readonly types: readonly string[]
  /** Checks that the caller may import in the account of the call, before a file is read. @throws Forbidden */
  admit(call: Call): void
  /** Stores a file and returns the token of its import. @throws Forbidden, Invalid */
  submit(call: Call, upload: Upload): Promise<{ readonly token: string }>
  /**
   * @throws NotFound for a token that the account of the call does not have, and five minutes after the end; Forbidden without
   *   the account administrator role; ImportElsewhere if the caller only selected the wrong account
   */
  progress(call: Call, token: string): Promise<Progress>
  /**
   * Returns the log as text, in pages of lines. Needs no call: the signature is the permission.
   *
   * @param logName the path after `/imports/`: `20261121/acme/17.people.log`
   * @throws Forbidden if the signature is invalid or has expired; NotFound
   */
  log(logName: string, query: { readonly expires: string; readonly signature: string }): Promise<AsyncIterable<string>>
  /**
   * Returns a file with the headers of an import type, and no rows.
   *
   * @throws Forbidden; Invalid for an unknown type
   */
  template(call: Call, typeName: string): string
  /** Removes imports that ended too long ago, with all that belongs to them. */
  purge(): Promise<void>
  /** Processes an import until its end; see `runImport`. */
  run(importId: number, signal?: AbortSignal): Promise<boolean>
  /** Wakes every import whose turn it is: at start, and regularly for those whose worker died. */
  resumeAll(): Promise<void>
  /** Number of imports that are being worked on, in all accounts. */
  countRunning(): Promise<number>
}

/** Thrown if the caller may see the import, but selected another account. */
export class ImportElsewhere extends Forbidden {
  readonly accountId: string

  constructor(accountId: string) {
    super(`This import belongs to the account ${accountId}`)
    this.accountId = accountId
  }
}

/** Milliseconds for which the progress can be read after the end (spec, Batch import 10). */
const SHOWN_FOR = 5 * 60_000
/** Milliseconds. */
const DAY = 24 * 3600_000

/** Dependencies of imports. */
export interface ImportsDeps extends Omit<RunDeps, 'callFor' | 'cutOff' | 'nameOf' | 'scope'>, Pick<SubmitDeps, 'history'> {
  /** Days for which imports that have ended are kept. */
  readonly keepDays: number
  readonly access: {
    readonly people: Pick<Access['people'], 'find' | 'rolesOf'>
    readonly callers: Pick<Access['callers'], 'callFor'>
    readonly scope: Pick<Access['scope'], 'seesAll'>
  }
}

/** Batch import (spec, Batch import; behaviour: Import jobs). */
export function createImports(given: ImportsDeps): Imports {
  const { baseUrl, clock, keepDays, secret, storage } = given
  const { people, callers, scope } = given.access
  const deps: RunDeps = {
    ...given,
    scope,
    cutOff: new Set(),
    nameOf: async (personId) => (await people.find({ id: personId }))?.name ?? String(personId),
    async callFor({ accountId, dryRun, id, language, personId, undoOf }) {
      const actor = await people.find({ id: personId })
      const cause = causeOf({ id, undoOf })
      const options = { accountId, language, source: 'import', origin: 'import', cause } as const
      const call = await callers.callFor(actor ? { actor } : null, options)
      return dryRun || undoOf !== null ? call : { ...call, importId: id }
    },
  }
  return {
    ...createEntries(deps),
    types: importKinds(deps.catalog).map(({ type }) => type),
    admit: checkImporter,
    submit: (call, upload) => submit(deps, call, upload),

    async progress(call, token) {
      const row = await findImport(storage, { token })
      const isShown = row && (!row.finishedAt || clock.now().getTime() - row.finishedAt.getTime() <= SHOWN_FOR)
      if (isShown && row.accountId !== call.account.id && call.actor) {
        // A token cannot be guessed; even so, only administrators of its account learn which account it is.
        const roles = await people.rolesOf(call.actor.id, row.accountId)
        if (ADMINISTRATORS.some((role) => roles.has(role))) throw new ImportElsewhere(row.accountId)
      }
      checkImporter(call)
      if (!isShown || row.accountId !== call.account.id) throw new NotFound()
      checkKind(deps.catalog, call, row.type)
      return progressOf(row, signedAddress(baseUrl, secret, row.logName, row.finishedAt ?? clock.now()))
    },

    async log(logName, query) {
      if (!isSigned(secret, logName, query, clock.now())) throw new Forbidden()
      const row = await findImport(storage, { id: Number(/\/(\d{1,15})\.[^/]*$/.exec(logName)?.[1] ?? 0) })
      if (row?.logName !== logName) throw new NotFound()
      return (async function* () {
        for await (const line of logLinesOf(storage, row.id)) yield formatLogLine(line)
      })()
    },

    run: (importId, signal) => runImport(deps, importId, signal),

    template(call, typeName) {
      checkImporter(call)
      const kind = kindNamed(deps.catalog, typeName)
      if (!kind) throw new Invalid([['type', typeName === '' ? 'blank' : 'inclusion']])
      checkKind(deps.catalog, call, typeName)
      return `${BYTE_ORDER_MARK}${csvLine(headersOf(layoutOf(deps.catalog, kind)))}`
    },

    purge: () => purgeImports(storage, new Date(clock.now().getTime() - keepDays * DAY)),

    async resumeAll() {
      for (const importId of await importsInTurn(storage)) deps.wake(importId)
    },

    countRunning: () => countRunning(storage),
  }
}
