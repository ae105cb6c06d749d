/** Accepts an undo: it waits in the queue of the account like an import. */
import type { Call } from '../../core/call.js'
import type { Clock } from '../../core/clock.js'
import { Conflict, Forbidden, Invalid, NotFound } from '../../core/errors.js'
import { newProgressToken } from '../../core/progress-token.js'
import type { Storage } from '../../storage/database/connections.js'
import { afterCommit, dbOf, inTransaction } from '../../storage/database/transaction.js'
import { type ImportRow, insertImport } from '../progress/import-rows.js'
import { hasUnfinished } from '../progress/import-work.js'

/** An undo that was accepted. */
export interface SubmittedUndo {
  /** The undo, which is an import of its own. */
  readonly id: number
  /** Reads its progress. */
  readonly token: string
}

/** Dependencies of accepting undos. */
export interface SubmitUndoDeps {
  readonly storage: Storage
  readonly clock: Clock
  /** Requests `run(importId)` soon. */
  wake(importId: number): void
}

/**
 * Adds an undo of the import to the queue of its account; the one that there is already unless it ended with state error.
 *
 * @throws Invalid for a dry run, an undo, and an import that wrote nothing or is from an older version; Conflict while an import of
 *   the account waits or is worked on
 */
export async function submitUndo(
  { clock, storage, wake }: SubmitUndoDeps,
  call: Call,
  { accountId, fileName, id, type }: ImportRow,
): Promise<SubmittedUndo> {
  const { actor } = call
  if (!actor) throw new Forbidden()
  return inTransaction(storage, call, async (inside) => {
    const db = dbOf(storage, inside)
    // Locked: of two undos at once, the second finds the first.
    const row = await db(storage.table('imports'))
      .where({ id })
      .forUpdate()
      .first('dry_run', 'lines_after', 'lines_until', 'undo_of')
    const known = await db(storage.table('imports'))
      .where({ undo_of: id })
      .whereNot({ state: 'error' })
      .orderBy('id', 'desc')
      .first('id', 'token')
    if (known) return { id: Number(known.id), token: String(known.token) }
    if (!row) throw new NotFound()
    if (Number(row.dry_run) === 1) throw new Invalid([['id', 'undo_of_dry_run']])
    if (row.undo_of !== null) throw new Invalid([['id', 'undo_of_undo']])
    if (await hasUnfinished(storage, db, accountId)) throw new Conflict('An import of this account has not come to its end')
    if (row.lines_after === null || row.lines_until === null) throw new Invalid([['id', 'undo_impossible']])
    const token = newProgressToken()
    const undoId = await insertImport(storage, db, {
      token,
      accountId,
      personId: actor.id,
      language: call.language,
      type,
      fileName,
      mapping: {},
      dryRun: false,
      history: false,
      absentLimit: null,
      undoOf: id,
      createdAt: clock.now(),
    })
    afterCommit(inside, () => wake(undoId))
    return { id: undoId, token }
  })
}
