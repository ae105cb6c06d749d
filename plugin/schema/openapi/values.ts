/** JSON schemas of single values, in responses and in input. The kinds of fields provide all but null. */
import type { Catalog, RecordField, RecordType } from '../catalog.js'
import { ID, type JsonSchema } from '../kinds/json-schema.js'
import { recordOf } from '../kinds/kind.js'
import { kindOf } from '../kinds/kinds.js'
import { sourceOf } from '../language/derived.js'

/** The schema, for values that may also be null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, description, ...rest } = schema
  if (typeof type === 'string' && !('enum' in schema)) return { ...schema, type: [type, 'null'] }
  const anyOf = [type === undefined ? rest : { type, ...rest }, { type: 'null' }]
  return description === undefined ? { anyOf } : { anyOf, description }
}

/** A value in a response. Null is possible if the value may be empty, or if some callers may not read it. */
export function shownSchema(field: RecordField, type: RecordType, catalog: Catalog): JsonSchema {
  const schema = valueShown(field, type, catalog)
  return isAlwaysThere(field) ? schema : orNull(schema)
}

function isAlwaysThere(field: RecordField): boolean {
  if (field.read || field.via || field.systemMayOmit) return false
  if (kindOf(field).document.neverNull === 'shown' || field.name === 'id') return true
  return field.default !== undefined || field.required === true
}

function valueShown(field: RecordField, type: RecordType, catalog: Catalog): JsonSchema {
  const source = type.fields.get(sourceOf(field) ?? '')
  // The id of a reference, with a name of its own.
  if (source?.kind === 'ref' && field.kind === 'integer') return ID
  if (source) return valueShown(source, type, catalog)
  const { absent = { type: 'null' }, shown } = kindOf(field).document
  return field.record !== undefined && !recordOf(field, catalog) ? absent : shown(field, catalog)
}

/**
 * A value of a caller: null clears it, if it may be empty. Without the keyword `default`, because generators make such fields
 * required.
 */
export function sentSchema(field: RecordField, catalog: Catalog, creating: boolean): JsonSchema {
  const { neverNull, shown, sent = shown } = kindOf(field).document
  const schema = sent(field, catalog, creating)
  return field.required || field.default !== undefined || neverNull === 'sent' ? schema : orNull(schema)
}
