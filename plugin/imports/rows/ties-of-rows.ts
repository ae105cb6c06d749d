/** How rows of a file depend on earlier ones, for dry runs, in which no row stays. */
import type { Call } from '../../core/call.js'
import { folded } from '../../core/text/identity.js'
import type { Catalog } from '../../schema/catalog.js'
import { type Columns, cellOf, isField } from '../columns/match-columns.js'
import type { Ties } from '../contract.js'
import type { RecordGroup } from './adjacent-rows.js'
import { findRecords, type LookupDeps, tokenOf } from './lookups.js'
import { namesReferredTo, prepareGroup } from './prepare.js'
import type { PreparedRow } from './prepared-row.js'

/**
 * The ties of groups, each of which is a record: to rows of the same record, to those that have the same unique values, and to
 * those that make records to which it refers. One query for each way in which the rows name their records.
 */
export async function tiesOfRows(
  deps: LookupDeps & { readonly catalog: Catalog },
  call: Call,
  columns: Columns,
  groups: readonly RecordGroup[],
): Promise<readonly Ties[]> {
  const prepared = groups.map((group) => prepareGroup(call, deps.catalog, columns, group)[0])
  const identities = prepared.flatMap((row) => row?.identity ?? [])
  const found = await findRecords(deps, call, columns.type, columns.key, identities)
  return prepared.map((row): Ties => {
    if (!row) return { gives: [], needs: [] }
    const id = found.get(tokenOf(row.identity) ?? '')
    const gives = [...row.provides, ...uniqueValuesIn(columns, row), ...(id === undefined ? [] : [`record ${id}`])]
    return { gives, needs: [...gives, ...namesReferredTo(columns.type, row)] }
  })
}

/** The values of fields that are unique in the account. */
function uniqueValuesIn(columns: Columns, { cells }: PreparedRow): readonly string[] {
  return columns.type.unique.flatMap(([field, ...others]) => {
    const value = field === undefined || others.length > 0 ? '' : cellOf(columns, cells, isField(field))
    return value === '' ? [] : [`unique ${field} ${folded(value)}`]
  })
}
