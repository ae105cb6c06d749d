/** Finds the sub-records that cells name, such as the phase of a project: names are unique within a record alone. */
import type { Call } from '../../core/call.js'
import type { Catalog } from '../../schema/catalog.js'
import type { Queries } from '../../storage/records/query.js'
import type { Reference } from '../columns/cells.js'
import type { Columns } from '../columns/match-columns.js'
import { type FoundIds, keyOfPart, ownerKey, tokenOf } from './lookups.js'
import { ownerIn } from './prepare.js'
import type { PreparedRow } from './prepared-row.js'

interface PartsDeps {
  readonly catalog: Catalog
  readonly queries: Pick<Queries, 'cells'>
}

/**
 * Finds them with two queries for each column. The result also has the owners that are not in the rows, but stored.
 *
 * @param found records and other references of the rows
 */
export async function findParts(
  { catalog, queries }: PartsDeps,
  call: Call,
  columns: Columns,
  rows: readonly PreparedRow[],
  found: FoundIds,
): Promise<FoundIds> {
  const all = new Map(found)
  const named = rows.flatMap((row) =>
    row.cellReferences.flatMap(({ references }) =>
      references.flatMap((reference) => (reference.within === undefined ? [] : [{ row, reference, within: reference.within }])),
    ),
  )
  const idOf = (row: PreparedRow) => found.get(tokenOf(row.identity) ?? '') ?? null
  for (const within of new Set(named.map((one) => one.within))) {
    const ids = named.flatMap(({ row }) => idOf(row) ?? [])
    const where = { path: ['id'], op: 'in', values: [...new Set(ids)] } as const
    const owners = ids.length > 0 ? await queries.cells(call, { type: columns.type, where }, [['id'], [within]]) : []
    for (const [id, owner] of owners) if (owner !== null) all.set(ownerKey(within, Number(id)), Number(owner))
  }
  const wanted = new Map<string, { readonly reference: Reference; readonly owners: Set<number>; readonly names: Set<string> }>()
  for (const { reference, row } of named) {
    const owner = ownerIn(row, columns, idOf(row), all, reference)
    if (owner === null) continue
    const one = wanted.get(reference.type) ?? { reference, owners: new Set(), names: new Set() }
    wanted.set(reference.type, one)
    one.owners.add(owner)
    one.names.add(reference.value)
  }
  for (const { names, owners, reference } of wanted.values()) {
    const type = catalog.type(reference.type)
    const where = {
      all: [
        { path: ['owner_id'], op: 'in', values: [...owners] } as const,
        { path: [reference.field], op: 'in', values: [...names], text: 'ignoreCase' } as const,
      ],
    }
    for (const [id, owner, name] of await queries.cells(call, { type, where }, [['id'], ['owner_id'], [reference.field]]))
      all.set(keyOfPart({ ...reference, value: String(name) }, Number(owner)), Number(id))
  }
  return all
}
