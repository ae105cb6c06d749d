import type { Access } from '../access/access.js'
import type { Call } from '../core/call.js'
import { Forbidden, NotFound } from '../core/errors.js'
import { importKinds } from '../schema/derive/import-kinds.js'
import { findImport, importsInTurn } from './progress/import-rows.js'
import { formatLogLine, logLinesOf } from './progress/log-lines.js'
import { isSigned, type Progress, progressOf, signedAddress } from './progress/report.js'
import { type RunDeps, runImport } from './run.js'
import { ADMINISTRATORS, checkImporter, checkKind, submit, type Upload } from './upload.js'

export interface Imports {
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
  /** Processes an import until its end; see `runImport`. */
  run(importId: number, signal?: AbortSignal): Promise<boolean>
  /** Wakes every import whose turn it is: at start, and regularly for those whose worker died. */
  resumeAll(): Promise<void>
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

/** Dependencies of imports. */
export interface ImportsDeps extends Omit<RunDeps, 'callFor' | 'cutOff' | 'scope'> {
  readonly access: {
    readonly people: Pick<Access['people'], 'find' | 'rolesOf'>
    readonly callers: Pick<Access['callers'], 'callFor'>
    readonly scope: Pick<Access['scope'], 'seesAll'>
  }
}

/** Batch import (spec, Batch import; behaviour: Import jobs). */
export function createImports(given: ImportsDeps): Imports {
  const { baseUrl, clock, secret, storage } = given
  const { people, callers, scope } = given.access
  const deps: RunDeps = {
    ...given,
    scope,
    cutOff: new Set(),
    async callFor({ accountId, id, language, personId }) {
      const actor = await people.find({ id: personId })
      const options = { accountId, language, source: 'import', origin: 'import', cause: `import ${id}` } as const
      return callers.callFor(actor ? { actor } : null, options)
    },
  }
  return {
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

    async resumeAll() {
      for (const importId of await importsInTurn(storage)) deps.wake(importId)
    },
  }
}
