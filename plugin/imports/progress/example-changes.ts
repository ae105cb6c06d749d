/** Examples of what an import would change, which dry runs show. */
import type { Knex } from 'knex'
import { chunksOf } from '../../core/chunks.js'
import type { Json } from '../../schema/kinds/fields.js'
import type { Storage } from '../../storage/database/connections.js'

/** One field of a record that the import would create or change. */
export interface ExampleChange {
  /** Record type. */
  readonly type: string
  /** Null for a record that the import would create. */
  readonly id: number | null
  readonly name: string | null
  readonly field: string
  /** Values as audit lines show them; null for a record that the import would create. */
  readonly before: Json
  readonly after: Json
}

/** Examples of one import. */
export const MAX_EXAMPLES = 1000
/** Rows per insert. */
const BATCH = 100

/** How many examples there are. */
export async function countExamples(storage: Storage, db: Knex, importId: number): Promise<number> {
  const [row] = await db(storage.table('import_changes')).where({ import_id: importId }).count({ number: '*' })
  return Number(row?.['number'])
}

/** @param position of the first of them */
export async function insertExamples(
  storage: Storage,
  db: Knex,
  importId: number,
  position: number,
  examples: readonly ExampleChange[],
): Promise<void> {
  const rows = examples.map(({ after, before, field, id, name, type }, index) => ({
    import_id: importId,
    position: position + index,
    record_type: type,
    record_id: id,
    record_name: name,
    field,
    value_before: JSON.stringify(before),
    value_after: JSON.stringify(after),
  }))
  for (const some of chunksOf(rows, BATCH)) await db(storage.table('import_changes')).insert([...some])
}

/** A page of the examples, in the order of the file. */
export async function readExamples(
  storage: Storage,
  importId: number,
  { page, perPage }: { readonly page: number; readonly perPage: number },
): Promise<readonly ExampleChange[]> {
  const rows = await storage
    .knex(storage.table('import_changes'))
    .where({ import_id: importId })
    .orderBy('position')
    .limit(perPage)
    .offset((page - 1) * perPage)
  return rows.map((row) => ({
    type: row.record_type,
    id: row.record_id === null ? null : Number(row.record_id),
    name: row.record_name,
    field: row.field,
    before: JSON.parse(row.value_before),
    after: JSON.parse(row.value_after),
  }))
}
