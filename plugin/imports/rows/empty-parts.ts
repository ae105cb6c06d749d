/** Leaves out sub-records that are not stored and have no values in their row: there is nothing to clear or to remove. */
import type { Call } from '../../core/call.js'
import { partsOfOwners } from '../../operations/read/visible.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import type { Queries } from '../../storage/records/query.js'
import type { Input } from '../columns/column.js'
import { partTypeOf } from '../columns/layouts.js'
import type { PreparedRow } from './prepared-row.js'

interface PartsDeps {
  readonly catalog: Catalog
  readonly queries: Pick<Queries, 'cells'>
}

interface Item {
  readonly row: PreparedRow
  readonly id: number | null
  readonly body: Input
}

/** Returns the items without them, with one query for each field that has only one sub-record. */
export async function withoutEmptyParts<Work extends Item>(
  deps: PartsDeps,
  call: Call,
  type: RecordType,
  items: readonly Work[],
): Promise<readonly Work[]> {
  let left = items
  for (const name of new Set(items.flatMap(({ row }) => row.emptied)))
    left = await withoutEmptyPart(deps, call, type, name, left)
  return left
}

async function withoutEmptyPart<Work extends Item>(
  { catalog, queries }: PartsDeps,
  call: Call,
  type: RecordType,
  name: string,
  items: readonly Work[],
): Promise<readonly Work[]> {
  const part = partTypeOf(catalog, type, name)
  const isEmptied = ({ row }: Work) => row.emptied.includes(name)
  const owners = items.flatMap((item) => (item.id !== null && isEmptied(item) ? [item.id] : []))
  const where = partsOfOwners(type.name, owners)
  const cells = part && owners.length > 0 ? await queries.cells(call, { type: part, where }, [['owner_id']]) : []
  const withPart = new Set(cells.map(([owner]) => Number(owner)))
  return items.map((item) => {
    if (!isEmptied(item) || withPart.has(Number(item.id))) return item
    const { [name]: _, ...body } = item.body
    return { ...item, body }
  })
}
