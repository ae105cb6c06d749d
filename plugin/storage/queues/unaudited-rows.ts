/** What imports have done to records without audit lines, in the order of the writes. */
import type { Knex } from 'knex'
import type { Row } from '../../schema/language/define-rule.js'
import type { Storage } from '../database/connections.js'
import { insertRows } from './insert-rows.js'

/** A write of one row; `before` is null for a new record, `after` for a removed one. */
export interface UnauditedRow {
  readonly id: number
  readonly type: string
  readonly recordId: number
  /** The record that it is part of; null if it is none. */
  readonly owner: { readonly type: string; readonly id: number } | null
  readonly before: Row | null
  readonly after: Row | null
}

const TABLE = 'import_unaudited'
const COLUMNS = ['id', 'record_type', 'record_id', 'owner_type', 'owner_id', 'row_before', 'row_after'] as const
/** Rows per insert: they have whole texts. */
const BATCH = 100

/** Adds writes of rows of one type, in the transaction that makes them. */
export async function insertUnaudited(
  storage: Storage,
  db: Knex,
  importId: number,
  type: string,
  written: readonly Pick<UnauditedRow, 'after' | 'before'>[],
): Promise<void> {
  const rows = written.map(({ after, before }) => {
    const row = after ?? before ?? {}
    return {
      import_id: importId,
      record_type: type,
      record_id: Number(row['id']),
      owner_type: row['owner_type'] ?? null,
      owner_id: row['owner_id'] ?? null,
      row_before: before && JSON.stringify(before),
      row_after: after && JSON.stringify(after),
    }
  })
  await insertRows(db, storage, TABLE, rows, BATCH)
}

/** Reads writes of an import, the last ones first. @param below only those with lower ids; null for all */
export async function readUnaudited(
  storage: Storage,
  importId: number,
  below: number | null,
  limit: number,
): Promise<readonly UnauditedRow[]> {
  const rows = storage.knex(storage.table(TABLE)).where({ import_id: importId })
  if (below !== null) rows.where('id', '<', below)
  const found = await rows.orderBy('id', 'desc').limit(limit).select(COLUMNS)
  return found.map(writeIn)
}

/** Reads all writes of an import of the sub-records of some records, the last ones first. */
export async function readUnauditedParts(
  storage: Storage,
  db: Knex,
  importId: number,
  owner: { readonly type: string; readonly ids: readonly number[] },
): Promise<readonly UnauditedRow[]> {
  const found = await db(storage.table(TABLE))
    .where({ import_id: importId, owner_type: owner.type })
    .whereIn('owner_id', [...owner.ids])
    .orderBy('id', 'desc')
    .select(COLUMNS)
  return found.map(writeIn)
}

/** The ids of records of a type that an import has written, among the sub-records of some records. */
export async function unauditedPartsOf(
  storage: Storage,
  db: Knex,
  importId: number,
  type: string,
  owner: { readonly type: string; readonly ids: readonly number[] },
): Promise<ReadonlySet<number>> {
  const found: (number | string)[] = await db(storage.table(TABLE))
    .where({ import_id: importId, record_type: type, owner_type: owner.type })
    .whereIn('owner_id', [...owner.ids])
    .pluck('record_id')
  return new Set(found.map(Number))
}

/** The number of writes of an import. */
export async function countUnaudited(storage: Storage, importId: number): Promise<number> {
  const [row] = await storage.knex(storage.table(TABLE)).where({ import_id: importId }).count({ number: '*' })
  return Number(row?.['number'] ?? 0)
}

function writeIn(row: { readonly [column in (typeof COLUMNS)[number]]: string }): UnauditedRow {
  return {
    id: Number(row.id),
    type: row.record_type,
    recordId: Number(row.record_id),
    owner: row.owner_type === null ? null : { type: row.owner_type, id: Number(row.owner_id) },
    before: rowIn(row.row_before),
    after: rowIn(row.row_after),
  }
}

function rowIn(text: string | null): Row | null {
  return text === null ? null : JSON.parse(text)
}
