/** The records that whole lists have disabled, because they lacked them. */
import type { Knex } from 'knex'
import type { Call } from '../../core/call.js'
import { chunksOf } from '../../core/chunks.js'
import type { Catalog } from '../../schema/catalog.js'
import { AUDIT_LINE } from '../../schema/language/built-in-types.js'
import type { Storage } from '../../storage/database/connections.js'
import { dbOf } from '../../storage/database/transaction.js'
import type { Queries } from '../../storage/records/query.js'

/** Rows per statement. */
const BATCH = 500
const TABLE = 'import_absences'

/** Notes that records were disabled, in the transaction that does it. @param lineId the newest audit line then */
export async function noteAbsences(
  storage: Storage,
  db: Knex,
  type: string,
  ids: readonly number[],
  lineId: number,
): Promise<void> {
  await forgetAbsences(storage, db, type, ids)
  const rows = ids.map((id) => ({ record_type: type, record_id: id, line_id: lineId }))
  for (const some of chunksOf(rows, BATCH)) await db(storage.table(TABLE)).insert([...some])
}

/** Forgets them, in the transaction that enables the records again. */
export async function forgetAbsences(storage: Storage, db: Knex, type: string, ids: readonly number[]): Promise<void> {
  for (const some of chunksOf(ids, BATCH))
    await db(storage.table(TABLE))
      .where({ record_type: type })
      .whereIn('record_id', [...some])
      .delete()
}

/** Dependencies of finding them. */
export interface AbsencesDeps {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly queries: Pick<Queries, 'rows'>
}

/**
 * Which of these records were disabled by a whole list, and by nobody else since: who has enabled or disabled one in between has
 * decided about it.
 *
 * @param field of the flag, as audit lines name it
 */
export async function absentOnly(
  { catalog, queries, storage }: AbsencesDeps,
  call: Call,
  type: string,
  field: string,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const since = new Map<number, number>()
  for (const some of chunksOf(ids, BATCH)) {
    const rows = await dbOf(
      storage,
      call,
    )(storage.table(TABLE))
      .where({ record_type: type })
      .whereIn('record_id', [...some])
      .select('record_id', 'line_id')
    for (const row of rows) since.set(Number(row.record_id), Number(row.line_id))
  }
  if (since.size === 0 || !catalog.types.has(AUDIT_LINE)) return new Set(since.keys())
  const where = {
    all: [
      { path: ['owner_type'], op: 'in', values: [type] } as const,
      { path: ['owner_id'], op: 'in', values: [...since.keys()] } as const,
      { path: ['id'], op: '>', values: [Math.min(...since.values())] } as const,
    ],
  }
  for (const line of await queries.rows(call, { type: catalog.type(AUDIT_LINE), where })) {
    const id = Number(line['owner_id'])
    const isLater = Number(line['id']) > (since.get(id) ?? Number.POSITIVE_INFINITY)
    if (isLater && Object.hasOwn((line['changes'] ?? {}) as object, field)) since.delete(id)
  }
  return new Set(since.keys())
}
