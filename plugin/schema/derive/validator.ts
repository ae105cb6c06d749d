/**
 * Turns the body of a create or update into values of columns: accepted spellings become the one form that rows hold
 * (gaps 1.12), then a JSON schema made from the definition is checked with ajv. Reports all violations, in field order.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { Params, Violation } from '../../core/errors.js'
import type { Catalog, RecordField, RecordType } from '../compile.js'
import type { DraftRow } from '../define-rule.js'
import type { Json } from '../fields.js'
import { isFormat } from './formats.js'
import { type Refusal, readerOf, readId } from './values.js'

/** What a body says, sorted by what has to be done with it. */
export interface Input {
  /** Values by column. */
  readonly values: DraftRow
  /** Names of the fields that were given and may be set. */
  readonly given: ReadonlySet<string>
  readonly notes: readonly { readonly field: string; readonly text: string; readonly internal: boolean }[]
  /** Parts that replace those of the record, by field. */
  readonly parts: ReadonlyMap<string, readonly object[]>
  /** Links to be made exactly so, by link name (`member_ids`). */
  readonly links: ReadonlyMap<string, readonly number[]>
  readonly violations: readonly Violation[]
}

export interface InputContext {
  /** IANA zone for datetimes without offset. */
  readonly zone: string
  readonly creating: boolean
  /** Whether the caller may set a field; what it may not set is ignored. */
  may(field: RecordField): boolean
  mayLink(link: string): boolean
}

export type Validator = (body: object, context: InputContext) => Input

/** The largest TEXT that all databases hold (spec, Limits: 64 KB). */
const TEXT_BYTES = 65_535

/** Compiles the validators of all record types. */
export function compileValidators(catalog: Catalog): ReadonlyMap<string, Validator> {
  const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true })
  ajv.addKeyword({
    keyword: 'maxBytes',
    type: 'string',
    schemaType: 'number',
    validate: (most: number, text: string) => text.length <= most && Buffer.byteLength(text) <= most,
  })
  for (const format of ['email', 'emails', 'webhook_uri', 'locale'] as const) {
    ajv.addFormat(format, (text: string) => isFormat(format, text))
  }
  return new Map([...catalog.types.values()].map((type) => [type.name, validatorOf(type, ajv)]))
}

/** The JSON schema of the writable values of a type; the OpenAPI document shows the same. */
export function schemaOf(type: RecordType): object {
  const properties = Object.fromEntries(
    [...type.fields.values()].filter((f) => isWritable(f) && isPlain(f)).map((f) => [f.name, propertyOf(f)]),
  )
  return { type: 'object', properties }
}

function propertyOf(field: RecordField): object {
  const bounds = {
    ...(field.minimum === undefined ? {} : { minimum: field.minimum }),
    ...(field.maximum === undefined ? {} : { maximum: field.maximum }),
  }
  switch (field.kind) {
    case 'integer':
      return { type: ['integer', 'null'], minimum: -2_147_483_648, maximum: 2_147_483_647, ...bounds }
    case 'float':
      return { type: ['number', 'null'], ...bounds }
    case 'boolean':
      return { type: ['boolean', 'null'] }
    case 'enum':
      return { enum: [...(field.values ?? []), null] }
    case 'hash':
      return { type: ['object', 'null'] }
    case 'text':
      return { type: ['string', 'null'], maxBytes: TEXT_BYTES, ...(field.max ? { maxLength: field.max } : {}) }
    case 'string':
      return { type: ['string', 'null'], maxLength: field.max ?? 255, ...(field.format ? { format: field.format } : {}) }
    default:
      return { type: ['string', 'null'] }
  }
}

function isWritable(field: RecordField): boolean {
  return !field.readOnly && field.kind !== 'owner'
}

function isPlain(field: RecordField): boolean {
  return field.kind !== 'ref' && field.kind !== 'parts'
}

function validatorOf(type: RecordType, ajv: Ajv): Validator {
  const check = ajv.compile(schemaOf(type))
  const fields = [...type.fields.values()].filter(isWritable)
  const keys = new Map(fields.map((field) => [field.name, type.fields.get(field.keyedBy ?? '')?.values ?? []]))
  const order = new Map([...type.fields.keys()].map((name, index) => [name, index]))
  const inputNames = [...type.links.keys()].map((link) => [link, `${link.replace(/s$/, '')}_ids`] as const)

  return (raw, context) => {
    const body = new Map(Object.entries(raw))
    const violations: Violation[] = []
    const values: DraftRow = {}
    const given = new Set<string>()
    const notes: { field: string; text: string; internal: boolean }[] = []
    const parts = new Map<string, readonly object[]>()

    for (const field of fields) {
      const found = valueIn(body, field, keys.get(field.name) ?? [])
      if (!found || (field.only === 'create' && !context.creating) || !context.may(field)) continue
      const read = readerOf(field)(found.value, context.zone)
      if (isRefusal(read)) {
        violations.push(read.params ? [field.name, read.refused, read.params] : [field.name, read.refused])
        continue
      }
      given.add(field.name)
      if (field.kind === 'parts') parts.set(field.name, (read.value ?? []) as readonly object[])
      else if (field.note && typeof read.value === 'string')
        notes.push({ field: field.name, text: read.value, internal: field.note === 'internal' })
      if (field.kind !== 'parts') values[field.column ?? field.name] = read.value
      if (found.key) values[field.keyedBy ?? ''] = found.key
    }
    violations.push(...violationsOf(check, values))
    for (const field of fields) if (!field.column) delete values[field.name]
    const links = linksIn(body, inputNames, context, violations)
    violations.sort(([a], [b]) => (order.get(a) ?? order.size) - (order.get(b) ?? order.size))
    return { values, given, notes, parts, links, violations }
  }
}

/** The value given for a field: under its name, as `<field>_id`, or under the name that another field holds. */
function valueIn(
  body: ReadonlyMap<string, unknown>,
  field: RecordField,
  keys: readonly string[],
): { value: unknown; key?: string } | null {
  if (field.kind === 'ref' && body.has(`${field.name}_id`)) return { value: body.get(`${field.name}_id`) }
  if (body.has(field.name)) {
    const value = body.get(field.name)
    // A plain text under the name of a reference is no reference; only `{ id: 12 }` is (gaps 1.14).
    if (field.kind === 'ref' && typeof value !== 'object') return null
    return { value }
  }
  const key = keys.find((name) => body.has(name))
  return key ? { value: body.get(key), key } : null
}

function linksIn(
  body: ReadonlyMap<string, unknown>,
  names: readonly (readonly [link: string, input: string])[],
  context: InputContext,
  violations: Violation[],
): ReadonlyMap<string, readonly number[]> {
  const links = new Map<string, readonly number[]>()
  for (const [link, input] of names) {
    const value = body.get(input)
    if (value === undefined || !context.mayLink(link)) continue
    const ids = value === null || value === '' ? [] : Array.isArray(value) ? value.map(readId) : null
    if (ids === null) violations.push([link, 'invalid'])
    else if (ids.includes(null)) violations.push([link, 'cannot_be_found'])
    else links.set(link, [...new Set(ids.filter((id) => id !== null))])
  }
  return links
}

function isRefusal(read: { value: Json } | Refusal): read is Refusal {
  return 'refused' in read
}

function violationsOf(check: ValidateFunction, values: DraftRow): Violation[] {
  if (check(values)) return []
  const seen = new Set<string>()
  return (check.errors ?? []).flatMap((error) => {
    const field = error.instancePath.slice(1)
    if (seen.has(field)) return []
    seen.add(field)
    const [code, params] = codeOf(error)
    return [params ? [field, code, params] : [field, code]]
  })
}

function codeOf(error: ErrorObject): readonly [code: string, params?: Params] {
  const limit = Number((error.params as { limit?: unknown }).limit)
  switch (error.keyword) {
    case 'maxLength':
      return ['too_long', { max: limit }]
    case 'maxBytes':
      return ['too_big_text']
    case 'enum':
      return ['inclusion']
    case 'minimum':
      return ['less_than', { min: limit }]
    case 'maximum':
      return ['greater_than', { max: limit }]
    case 'format':
      return [(error.params as { format?: unknown }).format === 'locale' ? 'inclusion' : 'invalid']
    default:
      return ['invalid']
  }
}
