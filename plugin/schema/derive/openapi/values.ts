/** JSON schemas of single values: as answers show them, and as callers may spell them (gaps 1.12, 1.13). */
import type { Catalog, RecordField, RecordType } from '../../compile.js'
import { MOST_FILES } from '../attachment-inputs.js'

export type JsonSchema = { readonly [keyword: string]: unknown }

/** A schema among the components of the document. */
export function schemaNamed(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

/** The schema of references to records of a type. */
export function referenceTo(record: string): JsonSchema {
  return schemaNamed(`${record}_reference`)
}

/** The schema, for values that may also be null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema
  if (Array.isArray(values)) return { ...schema, type: ['string', 'null'], enum: [...values, null] }
  return typeof type === 'string' ? { ...schema, type: [type, 'null'] } : { anyOf: [schema, { type: 'null' }] }
}

const MOMENT: JsonSchema = { type: 'string', format: 'date-time' }
const ID: JsonSchema = { type: 'integer', minimum: 1 }

/** A value in an answer. What may be empty, and what not everybody may read, may be null. */
export function shownSchema(field: RecordField, type: RecordType, catalog: Catalog): JsonSchema {
  const schema = describedAs(field, valueShown(field, type, catalog))
  return isAlwaysThere(field) ? schema : orNull(schema)
}

function isAlwaysThere(field: RecordField): boolean {
  if (field.read || field.via) return false
  if (['parts', 'refs', 'pairs'].includes(field.kind) || field.name === 'id') return true
  return field.default !== undefined || field.required === true
}

function describedAs(field: RecordField, schema: JsonSchema): JsonSchema {
  const unit = field.unit === undefined ? null : `In ${field.unit}.`
  const description = [field.description, unit].filter((text) => typeof text === 'string').join(' ')
  return description === '' || '$ref' in schema ? schema : { ...schema, description }
}

function valueShown(field: RecordField, type: RecordType, catalog: Catalog): JsonSchema {
  const source = type.fields.get(field.sameAs ?? field.localizes ?? '')
  // The id of a reference, under a name of its own.
  if (source?.kind === 'ref' && field.kind === 'integer') return ID
  if (source) return valueShown(source, type, catalog)
  const record = field.record ?? ''
  if (!catalog.types.has(record) && field.record !== undefined) return field.kind === 'parts' ? EMPTY_LIST : { type: 'null' }
  switch (field.kind) {
    case 'ref':
      return field.shownAs ? { type: 'string' } : referenceTo(record)
    case 'refs':
      return { type: 'array', items: referenceTo(record) }
    case 'parts':
      return { type: 'array', items: partShown(field, record) }
    case 'part':
      return schemaNamed(`${record}_below`)
    case 'strings':
      return { type: 'array', items: { type: 'string', ...(field.max ? { maxLength: field.max } : {}) } }
    case 'integer':
      return field.name === 'id' ? ID : { type: 'integer' }
    case 'float':
      return { type: 'number' }
    case 'boolean':
      return { type: 'boolean' }
    case 'hash':
      return { type: 'object' }
    case 'pairs':
      return { type: 'array', items: PAIR }
    default:
      return textShown(field)
  }
}

const PAIR: JsonSchema = {
  type: 'object',
  properties: { id: { type: 'string' }, value: {} },
  required: ['id', 'value'],
  additionalProperties: false,
}
const PAIR_ACCEPTED: JsonSchema = {
  type: 'object',
  properties: { id: { type: ['string', 'number'] }, value: {} },
  required: ['id', 'value'],
}
const PAIRS_MERGED = 'Sets these ids and keeps the others; null clears all.'
const EMPTY_LIST: JsonSchema = { type: 'array', maxItems: 0 }

function textShown(field: RecordField): JsonSchema {
  switch (field.kind) {
    case 'enum':
      return { type: 'string', enum: field.values ?? [] }
    case 'decimal':
      return { type: 'string', pattern: '^-?\\d+\\.\\d{1,2}$' }
    case 'date':
      return { type: 'string', format: 'date' }
    case 'datetime':
      return field.keywords ? { anyOf: [MOMENT, { type: 'string', enum: field.keywords }] } : MOMENT
    case 'localDatetime':
      return { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d$' }
    case 'timeOfDay':
      return { type: 'string', pattern: '^\\d\\d:\\d\\d$' }
    default:
      return { type: 'string', ...(field.kind === 'string' && field.max && !field.format ? { maxLength: field.max } : {}) }
  }
}

/** Parts inside their owner show some of their fields; the whole list form when nothing is said. */
function partShown(field: RecordField, record: string): JsonSchema {
  return schemaNamed(field.shows ? `${record}_shown_${field.shows.join('_')}` : `${record}_listed_below`)
}

/** A value of a caller. Every accepted spelling is allowed: numbers and booleans also as text, null to clear. */
export function acceptedSchema(field: RecordField): JsonSchema {
  return describedAs(field, valueAccepted(field))
}

function valueAccepted(field: RecordField): JsonSchema {
  switch (field.kind) {
    case 'ref':
      return ACCEPTED_ID
    case 'refs':
      return ACCEPTED_IDS
    case 'parts':
      return { type: ['array', 'null'], items: { type: 'object' } }
    case 'part':
      return { type: ['object', 'null'] }
    case 'strings':
      return { type: ['array', 'null'], items: { type: 'string', ...(field.max ? { maxLength: field.max } : {}) } }
    case 'integer':
    case 'float':
    case 'decimal':
      return { type: ['number', 'string', 'null'], ...boundsOf(field) }
    case 'boolean':
      return {
        type: ['boolean', 'string', 'integer', 'null'],
        ...(field.default === undefined ? {} : { default: field.default }),
      }
    case 'hash':
      return { type: ['object', 'string', 'null'] }
    case 'pairs':
      return { type: ['array', 'string', 'null'], items: PAIR_ACCEPTED, description: PAIRS_MERGED }
    case 'enum':
      return field.enumeration === 'time_zone'
        ? { type: ['string', 'null'], description: 'A value of the enumeration time_zone, or an IANA name.' }
        : { type: ['string', 'null'], enum: [...(field.values ?? []), '', null], ...defaultOf(field) }
    case 'string':
      return { type: ['string', 'number', 'boolean', 'null'], ...(field.max && !field.format ? { maxLength: field.max } : {}) }
    case 'text':
      return { type: ['string', 'number', 'boolean', 'null'], maxLength: field.max ?? TEXT_LENGTH }
    default:
      return { type: ['string', 'null'] }
  }
}

/** Spec, Data types: a text has at most 64 KB. */
const TEXT_LENGTH = 65_536
/** A reference as callers send it; digits are as good as a number. */
export const ACCEPTED_ID: JsonSchema = { type: ['integer', 'string', 'null'] }
/** Files that were uploaded before, and attachments to take away; the old clients send it as JSON text. */
export const ACCEPTED_FILES: JsonSchema = {
  type: ['array', 'string', 'null'],
  maxItems: MOST_FILES,
  items: {
    type: 'object',
    properties: {
      key: { type: 'string' },
      filesize: { type: ['integer', 'string', 'null'] },
      inline: { type: ['boolean', 'string', 'integer', 'null'] },
      id: { type: ['integer', 'string'] },
      _destroy: { type: ['boolean', 'string', 'integer'] },
    },
  },
}
/** Parts to be added, changed and removed: an array, or an object with any keys (gaps 1.14). */
export function acceptedChangesOf(record: string): JsonSchema {
  const own = { id: ACCEPTED_ID, _destroy: { type: ['boolean', 'string', 'integer'] } }
  const change = { allOf: [schemaNamed(`${record}_input`), { type: 'object', properties: own }] }
  return { type: ['array', 'object', 'null'], items: change, additionalProperties: change }
}
/** Links to be made exactly so; one id alone is a list of one. */
export const ACCEPTED_IDS: JsonSchema = { type: ['array', 'integer', 'string', 'null'], items: { type: ['integer', 'string'] } }

function boundsOf({ minimum, maximum }: RecordField): JsonSchema {
  return { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) }
}

function defaultOf(field: RecordField): JsonSchema {
  return field.default === undefined ? {} : { default: field.default }
}
