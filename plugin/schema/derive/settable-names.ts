/** Names of the fields and links of a type by what callers can do with them at all, whoever they are. */
import type { Catalog, RecordField, RecordType } from '../catalog.js'
import { partChangesOf } from './input-names.js'
import { sentFields } from './required-inputs.js'

/** Fields that some callers may send, and lists whose sub-records they may send one by one. */
export function settableFields(type: RecordType, catalog: Catalog): readonly RecordField[] {
  return [...new Set([...sentFields(type, catalog), ...partChangesOf(type, catalog).values()])]
}

/** Names of the links that some callers may set. */
export function settableLinks(type: RecordType): readonly string[] {
  return [...type.links].flatMap(([name, { write }]) => (write === 'none' ? [] : [name]))
}

/** Fields that responses have. */
export function shownFields(type: RecordType): readonly RecordField[] {
  return [...type.fields.values()].filter(({ hidden, writeOnly }) => !hidden && !writeOnly)
}
