/** JSON schemas of single values, as answers show them and as callers send them: the one form of each that clients should use. */
import type { Catalog, RecordField, RecordType } from '../../compile/compile.js'
import { enumerationName, formOf, insideName, isEnumeration, type JsonSchema, referenceTo, schemaNamed } from './names.js'

/** Spec, Data types: a text has at most 64 KB. */
const MAX_TEXT = 65_536
/** Characters of a string without a maximum of its own. */
const MAX_STRING = 255

/** The schema, for values that may also be null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, description, ...rest } = schema
  if (typeof type === 'string' && !('enum' in schema)) return { ...schema, type: [type, 'null'] }
  const anyOf = [type === undefined ? rest : { type, ...rest }, { type: 'null' }]
  return description === undefined ? { anyOf } : { anyOf, description }
}

const MOMENT: JsonSchema = { type: 'string', format: 'date-time' }
/** The id of a record. */
export const ID: JsonSchema = { type: 'integer', minimum: 1 }
const EMPTY_LIST: JsonSchema = { type: 'array', maxItems: 0 }
const PAIRS: JsonSchema = {
  type: 'array',
  items: { type: 'object', properties: { id: { type: 'string' }, value: {} }, required: ['id', 'value'] },
}

/** A value in an answer. What may be empty, and what some callers may not read, may be null. */
export function shownSchema(field: RecordField, type: RecordType, catalog: Catalog): JsonSchema {
  const schema = valueShown(field, type, catalog)
  return isAlwaysThere(field) ? schema : orNull(schema)
}

function isAlwaysThere(field: RecordField): boolean {
  if (field.read || field.via) return false
  if (['parts', 'refs', 'pairs'].includes(field.kind) || field.name === 'id') return true
  return field.default !== undefined || field.required === true
}

function valueShown(field: RecordField, type: RecordType, catalog: Catalog): JsonSchema {
  const source = type.fields.get(field.sameAs ?? field.localizes ?? '')
  // The id of a reference, under a name of its own.
  if (source?.kind === 'ref' && field.kind === 'integer') return ID
  if (source) return valueShown(source, type, catalog)
  const record = field.record ?? ''
  const part = catalog.types.get(record)
  if (!part && field.record !== undefined) return field.kind === 'parts' ? EMPTY_LIST : { type: 'null' }
  switch (field.kind) {
    case 'ref':
      return field.shownAs && part ? textOf(part.fields.get(field.shownAs) ?? field) : referenceTo(record)
    case 'refs':
      return { type: 'array', items: referenceTo(record) }
    case 'parts': {
      const name = field.shows && part ? insideName(part, field.shows, catalog) : formOf(record, 'listed_below')
      return { type: 'array', items: schemaNamed(name) }
    }
    case 'part':
      return schemaNamed(formOf(record, 'below'))
    case 'integer':
      return field.name === 'id' ? ID : { type: 'integer' }
    case 'datetime':
      return field.keywords ? { anyOf: [MOMENT, { type: 'string', enum: field.keywords }] } : MOMENT
    default:
      return plainValue(field, catalog)
  }
}

/** A value of a caller: null clears what may be empty. Without the keyword `default`, with which generators make fields required. */
export function sentSchema(field: RecordField, catalog: Catalog, creating: boolean): JsonSchema {
  const schema = valueSent(field, catalog, creating)
  return field.required || field.default !== undefined || field.kind === 'boolean' ? schema : orNull(schema)
}

function valueSent(field: RecordField, catalog: Catalog, creating: boolean): JsonSchema {
  const record = field.record ?? ''
  switch (field.kind) {
    case 'ref':
      return ID
    case 'parts':
      return { type: 'array', items: schemaNamed(formOf(record, 'create')) }
    case 'part':
      return schemaNamed(formOf(record, creating ? 'create' : 'update'))
    case 'integer':
    case 'float':
      return { type: field.kind === 'integer' ? 'integer' : 'number', ...boundsOf(field) }
    case 'datetime':
      return MOMENT
    // Time zones may also be named as IANA does.
    case 'enum':
      return field.enumeration === 'time_zone' ? { type: 'string', maxLength: 50 } : plainValue(field, catalog)
    default:
      return plainValue(field, catalog)
  }
}

/** A value that looks the same in both directions. */
function plainValue(field: RecordField, catalog: Catalog): JsonSchema {
  switch (field.kind) {
    case 'float':
      return { type: 'number' }
    case 'boolean':
      return { type: 'boolean' }
    case 'hash':
      return { type: 'object', additionalProperties: true }
    case 'pairs':
      return PAIRS
    case 'strings':
      return { type: 'array', maxItems: 100, items: { type: 'string', maxLength: field.max ?? MAX_STRING } }
    case 'enum':
      return isEnumeration(field) ? schemaNamed(enumerationName(field.enumeration, catalog)) : { type: 'string' }
    case 'decimal':
      return { type: 'string', pattern: '^-?\\d+(\\.\\d{1,2})?$', maxLength: 16 }
    case 'date':
      return { type: 'string', format: 'date' }
    case 'localDatetime':
      return { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d$' }
    case 'timeOfDay':
      return { type: 'string', pattern: '^\\d\\d:\\d\\d$' }
    default:
      return textOf(field)
  }
}

/** A picture may be sent as a whole image, and links are as long as they are. */
function textOf({ kind, format, max, addressOf }: RecordField): JsonSchema {
  if (format === 'picture' || addressOf !== undefined) return { type: 'string' }
  return { type: 'string', maxLength: max ?? (kind === 'text' ? MAX_TEXT : MAX_STRING) }
}

function boundsOf({ minimum, maximum }: RecordField): JsonSchema {
  return { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) }
}
