/** What is stored about undos, in the rows of imports. */
import type { Knex } from 'knex'
import type { Storage } from '../../storage/database/connections.js'
import type { Lease } from '../../storage/queues/leases.js'
import type { ImportRow } from '../progress/import-rows.js'
import { type LineRange, STILL_WRITING } from './contract.js'

/** How far an undo has come. */
export interface UndoProgress extends Pick<ImportRow, 'line' | 'results' | 'undoBelow' | 'undoStep'> {}

/** Notes which audit lines were there before the first change, unless it was noted before. */
export async function saveFirstLine(storage: Storage, db: Knex, importId: number, linesAfter: number): Promise<void> {
  await db(storage.table('imports')).where({ id: importId, lines_after: null }).update({ lines_after: linesAfter })
}

/**
 * Notes which audit lines were there after the last change. An import that ends before its first row has no lines between; of one
 * that a process of an older version has begun, the first line stays unknown.
 */
export async function saveLastLine(
  storage: Storage,
  db: Knex,
  { id, line }: Pick<ImportRow, 'id' | 'line'>,
  linesUntil: number,
): Promise<void> {
  if (line === 0) await saveFirstLine(storage, db, id, linesUntil)
  await db(storage.table('imports')).where({ id }).update({ lines_until: linesUntil })
}

/** Saves the progress in the transaction of the changes. @throws LeaseLost if another worker has the undo */
export async function saveUndoProgress(
  storage: Storage,
  db: Knex,
  importId: number,
  lease: Lease,
  { line, results, undoBelow, undoStep }: UndoProgress,
): Promise<void> {
  await db(storage.table('imports'))
    .where({ id: importId })
    .update({ line, results: JSON.stringify(results), undo_step: undoStep, undo_below: undoBelow, stalled_runs: 0 })
  await lease.fence(db)
}

/** The lines of undos of an account, and of the imports that were undone. */
export async function readUndoneRanges(storage: Storage, accountId: string): Promise<readonly LineRange[]> {
  const imports = storage.table('imports')
  const undoneIds = storage
    .knex(imports)
    .where({ account_id: accountId, state: 'done' })
    .whereNotNull('undo_of')
    .select('undo_of')
  const rows = await storage
    .knex(imports)
    .where({ account_id: accountId })
    .whereNotNull('lines_after')
    .where((any) => any.whereNotNull('undo_of').orWhereIn('id', undoneIds))
    .select('id', 'lines_after', 'lines_until', 'person_id', 'undo_of')
  return rows.map((row) => ({
    after: Number(row.lines_after),
    until: row.lines_until === null ? STILL_WRITING : Number(row.lines_until),
    personId: Number(row.person_id),
    cause: causeOf({ id: Number(row.id), undoOf: row.undo_of === null ? null : Number(row.undo_of) }),
  }))
}

/** The cause in audit lines of an import or of an undo. */
export function causeOf({ id, undoOf }: Pick<ImportRow, 'id' | 'undoOf'>): string {
  return undoOf === null ? `import ${id}` : `undo of import ${undoOf}`
}
