/** Reads pages of imports, and removes those that are kept no longer. */
import type { Storage } from '../../storage/database/connections.js'
import { timestampOf } from '../../storage/database/timestamps.js'
import { type ImportRow, importOf, selectImports } from './import-rows.js'

/** Imports that are removed at once. */
const PURGED_AT_ONCE = 50
/** The tables with what belongs to an import. */
const OF_IMPORTS = [
  'import_log_lines',
  'import_failures',
  'import_changes',
  'import_unaudited',
  'import_later_rows',
  'import_earlier_rows',
  'import_ties',
  'import_chunks',
]

/** Reads a page of the imports of an account, the newest first. @param types only of these; null for all */
export async function readImports(
  storage: Storage,
  accountId: string,
  types: readonly string[] | null,
  { page, perPage }: { readonly page: number; readonly perPage: number },
): Promise<{ readonly rows: readonly ImportRow[]; readonly total: number }> {
  const inAccount = storage.knex(storage.table('imports')).where({ account_id: accountId })
  if (types) inAccount.whereIn('type', types)
  const total = Number((await inAccount.clone().count({ number: '*' }))[0]?.['number'])
  const ids = (await inAccount
    .clone()
    .orderBy('id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .pluck('id')) as readonly number[]
  const rows = ids.length === 0 ? [] : await selectImports(storage, storage.knex).whereIn('id', ids).orderBy('id', 'desc')
  return { rows: rows.map(importOf), total }
}

/** The undos of imports that have not ended with state error, by the id of the import. */
export async function undosOf(storage: Storage, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await storage
    .knex(storage.table('imports'))
    .whereIn('undo_of', [...ids])
    .whereNot({ state: 'error' })
    .orderBy('id')
    .select('id', 'undo_of')
  return new Map(rows.map((row) => [Number(row.undo_of), Number(row.id)]))
}

/** Removes the imports that ended before a time, with their logs and failed rows; not while one is undone, which needs them. */
export async function purgeImports(storage: Storage, before: Date): Promise<void> {
  const imports = storage.table('imports')
  for (;;) {
    const beingUndone = storage
      .knex(imports)
      .whereIn('state', ['queued', 'processing'])
      .whereNotNull('undo_of')
      .select('undo_of')
    const old = storage.knex(imports).where('finished_at', '<', timestampOf(before)).whereNotIn('id', beingUndone)
    const ids = (await old.orderBy('finished_at').limit(PURGED_AT_ONCE).pluck('id')) as readonly number[]
    for (const table of OF_IMPORTS) await storage.knex(storage.table(table)).whereIn('import_id', ids).delete()
    await storage.knex(storage.table('imports')).whereIn('id', ids).delete()
    if (ids.length < PURGED_AT_ONCE) return
  }
}
