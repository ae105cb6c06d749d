/** Saves cells that list records of another type, such as the requests of a problem: each of these refers to the row's record. */
import type { Call } from '../../core/call.js'
import type { Operations } from '../../operations/contract.js'
import type { Catalog } from '../../schema/catalog.js'
import type { Queries } from '../../storage/records/query.js'
import type { Column } from '../columns/column.js'
import type { Columns } from '../columns/match-columns.js'
import { aboutColumn } from './blame-column.js'
import { type FoundIds, keyOf } from './lookups.js'
import { referencesIn } from './prepare.js'
import type { PreparedRow } from './prepared-row.js'
import type { RefusalWords } from './refusals.js'
import { saveListed } from './save-listed.js'

interface ChildrenDeps {
  readonly catalog: Catalog
  readonly operations: Pick<Operations, 'saveAll'>
  readonly queries: Pick<Queries, 'cells'>
  readonly words: RefusalWords
}

/** A row with the id of its record. */
export interface SavedRow {
  readonly row: PreparedRow
  readonly id: number
}

type ChildrenColumn = Extract<Column, { kind: 'children' }>

/**
 * Lets the listed records refer to those of their rows, and no others. Columns that are left out change nothing.
 *
 * @returns the ids of the records whose lists have changed
 * @throws Invalid if one of the listed records cannot be saved; Forbidden or NotFound if the caller may not change it
 */
export async function saveChildren(
  deps: ChildrenDeps,
  call: Call,
  columns: Columns,
  rows: readonly SavedRow[],
  found: FoundIds,
): Promise<ReadonlySet<number>> {
  const changed = new Set<number>()
  for (const [index, column] of columns.columns.entries()) {
    if (column?.kind !== 'children') continue
    const given = rows.filter(({ row }) => row.cells[index] !== undefined)
    if (given.length === 0) continue
    const parents = await saveColumn(deps, call, column, given, found).catch((error: unknown) => {
      throw aboutColumn(column, error)
    })
    for (const parent of parents) changed.add(parent)
  }
  return changed
}

async function saveColumn(
  { catalog, operations, queries, words }: ChildrenDeps,
  call: Call,
  column: ChildrenColumn,
  rows: readonly SavedRow[],
  found: FoundIds,
): Promise<readonly number[]> {
  const type = catalog.type(column.refersTo ?? '')
  const where = { path: [column.by], op: 'in', values: rows.map(({ id }) => id) } as const
  const stored = await queries.cells(call, { type, where }, [['id'], [column.by]])
  const before = new Map(stored.map(([id, parent]) => [Number(id), Number(parent)]))
  const after = wantedOf(column, rows, found)

  const changes = [...new Set([...before.keys(), ...after.keys()])]
    .map((id) => ({ id, from: before.get(id) ?? null, to: after.get(id) ?? null }))
    .filter(({ from, to }) => from !== to)
  const itemOf = ({ id, to }: (typeof changes)[number]) => ({ id, body: { [`${column.by}_id`]: to } })
  const done = await saveListed({ operations, words }, call, type, changes, itemOf)
  return done.flatMap(({ saved, work: { from, to } }) =>
    saved.outcome === 'updated' ? [from, to].filter((parent) => parent !== null) : [],
  )
}

/** The record to which each listed one has to refer. If several rows list it, the last one counts. */
function wantedOf(column: ChildrenColumn, rows: readonly SavedRow[], found: FoundIds): ReadonlyMap<number, number> {
  const wanted = new Map<number, number>()
  for (const { id, row } of rows) {
    for (const reference of referencesIn(row, column)) {
      const child = found.get(keyOf(reference))
      if (child !== undefined) wanted.set(child, id)
    }
  }
  return wanted
}
