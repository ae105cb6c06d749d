/** Sub-records that put linked records in an order, as `orderedBy` of a link says. */
import type { Catalog, RecordField, RecordType } from '../catalog.js'
import type { Link } from '../language/relations.js'

/** The order of the records of one link. */
export interface OrderOfLink {
  /** The name of the link. */
  readonly link: string
  /** The type of the linked records. */
  readonly linked: RecordType
  /** The type of the sub-records with the order. */
  readonly type: RecordType
  /** The field of the sub-records with the record that comes before the other one. */
  readonly before: RecordField
  readonly after: RecordField
}

/** Ids of two linked records, of which the first comes before the second. */
export type Pair = readonly [before: number, after: number]

/** The order of the records that are linked with one record. */
export interface NamedOrder {
  readonly pairs: readonly Pair[]
  /** The names of all that are linked, by id. */
  readonly linked: ReadonlyMap<number, string>
}

/** Returns the order of the records of a link; null if it has none. */
export function orderOfLink(catalog: Catalog, name: string, { orderedBy, record }: Link): OrderOfLink | null {
  const type = catalog.types.get(orderedBy ?? '')
  const linked = catalog.types.get(record)
  const ends = [...(type?.fields.values() ?? [])].filter((field) => field.record === record && field.column !== null)
  const [before, after] = ends
  return type && linked && before && after ? { link: name, linked, type, before, after } : null
}

/** Returns the order that the sub-records at a path are; null for other ones. */
export function orderAt(catalog: Catalog, { links, parts }: RecordType, path: string): OrderOfLink | null {
  const [name, link] = [...links].find(([, one]) => one.orderedBy !== undefined && one.orderedBy === parts.get(path)) ?? []
  return name !== undefined && link ? orderOfLink(catalog, name, link) : null
}
