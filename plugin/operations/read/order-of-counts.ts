/** The order of counted groups: that of lists which are sorted by the same fields, and empty values last. */
import type { Catalog, RecordField } from '../../schema/catalog.js'
import { kindOf } from '../../schema/kinds/kinds.js'
import type { Json } from '../../schema/language/field.js'

/** Records with the same values. */
export interface RecordCount {
  /** By the name of a field: its value as lists show it; a day, `2026-11-21`, for a timestamp. */
  readonly values: { readonly [field: string]: Json }
  readonly count: number
}

/** The place of a value among those of its field: what is empty or not shown, its place in a list, its text, its number. */
type Rank = readonly [absent: number, place: number, text: string, id: number]

/** Sorts the groups by their first value, then by their second one. */
export function inOrderOf(
  catalog: Catalog,
  by: readonly RecordField[],
  groups: readonly RecordCount[],
): readonly RecordCount[] {
  const ranked = groups.map((group) => ({
    group,
    ranks: by.map((field) => rankOf(catalog, field, group.values[field.name] ?? null)),
  }))
  return ranked.sort((one, other) => compare(one.ranks.flat(), other.ranks.flat())).map(({ group }) => group)
}

function rankOf(catalog: Catalog, field: RecordField, value: Json): Rank {
  const { record, values = [] } = field
  if (value === null) return [2, 0, '', 0]
  if (kindOf(field).isEnumeration) {
    const place = values.indexOf(String(value))
    // A value that the enumeration had once.
    return [0, place < 0 ? values.length : place, String(value), 0]
  }
  if (record === undefined) return [0, 0, String(value), 0]
  const shown = value as { readonly [field: string]: Json }
  const title = shown[catalog.types.get(record)?.title ?? '']
  // References that the caller does not see have only their ids.
  return typeof title === 'string' ? [0, 0, title.toLowerCase(), Number(shown['id'])] : [1, 0, '', Number(shown['id'])]
}

function compare(ranks: readonly (string | number)[], others: readonly (string | number)[]): number {
  const at = ranks.findIndex((rank, index) => rank !== others[index])
  return at < 0 ? 0 : (ranks[at] ?? 0) < (others[at] ?? 0) ? -1 : 1
}
