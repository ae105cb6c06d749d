/** Tests records against several criteria at once, and reads the values that these are about. */
import type { Call } from '../../core/call.js'
import { chunksOf, MAX_LISTED } from '../../core/chunks.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import { decode } from '../../schema/derive/columns.js'
import type { Slot } from '../../schema/derive/shape.js'
import { columnOf } from '../../schema/kinds/kinds.js'
import type { Criterion } from '../../schema/language/conditions.js'
import type { Json } from '../../schema/language/field.js'
import type { Storage } from '../database/connections.js'
import type { Queries } from './query.js'
import { Statement } from './statement.js'

/** A criterion, and the path to the value that it is about. */
export interface Test {
  readonly criterion: Criterion
  readonly path: Slot
}

/** The result of a test of one record. */
export interface Tested {
  readonly meets: boolean
  /** The value in the form of rows; null if it is empty, or in another table. */
  readonly value: Json
}

/** What tests need. */
export interface TestDeps {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly queries: Pick<Queries, 'run'>
}

/** The results of all tests, in their order, by id; records that do not exist are missing. One statement for up to 10,000 records. */
export async function testRecords(
  { storage, catalog, queries }: TestDeps,
  call: Pick<Call, 'transaction'>,
  type: RecordType,
  ids: readonly number[],
  tests: readonly Test[],
): Promise<ReadonlyMap<number, readonly Tested[]>> {
  const found = new Map<number, readonly Tested[]>()
  for (const some of chunksOf([...new Set(ids)], MAX_LISTED)) {
    // Without languages joins have no values, so that those of the conditions come first, as in the text.
    const statement = new Statement(storage, catalog, type)
    const columns = tests.map(
      ({ criterion, path }, index) =>
        `, CASE WHEN ${statement.condition(criterion)} THEN 1 ELSE 0 END AS m${index}, ${statement.value(path)} AS v${index}`,
    )
    const among = statement.condition({ path: ['id'], op: 'in', values: some })
    const sql = `SELECT ${statement.column(['id'])}${columns.join('')}${statement.from()} WHERE ${among}`
    for (const [id, ...cells] of await queries.run(call, sql, statement.bindings.map(constant))) {
      const results = tests.map(({ path }, index) => ({
        meets: Number(cells[2 * index]) === 1,
        value: valueIn(type, path, cells[2 * index + 1]),
      }))
      found.set(Number(id), results)
    }
  }
  return found
}

function valueIn(type: RecordType, path: Slot, cell: unknown): Json {
  if (cell === null || cell === undefined) return null
  const field = path.length === 1 ? type.fields.get(path[0] ?? '') : undefined
  return field?.column ? decode(columnOf(field), cell) : String(cell)
}

function constant(binding: Statement['bindings'][number]): string | number | null {
  if (typeof binding === 'object' && binding !== null) throw new Error('Tests have no parameters')
  return binding
}
