import { suggestion } from '../../core/text/nearest.js'
import { shown } from '../../core/text/shown.js'
import { listNameOf } from '../../core/time/time-zones.js'
import type { RecordField } from '../catalog.js'
import { type Field, type FieldOptions, makeField } from '../language/field.js'
import { enumerationName, schemaNamed } from './json-schema.js'
import type { Kind } from './kind.js'

/** The list whose values callers may also give as IANA names. */
const TIME_ZONES = 'time_zone'
/** Maximum number of characters of a value: the length of the columns. */
const MAX_VALUE = 64

/** One of the values of a list. */
export const enumKind: Kind = {
  options: { values: true, enumeration: true },
  isEnumeration: true,
  counted: 'values',
  mistakes: mistakesInValues,
  mistakeInTest(value, { values }) {
    if (values?.includes(String(value))) return null
    return `${shown(value)} is not among the values${suggestion(String(value), values ?? [])}`
  },
  column: {
    form: () => ({ method: 'enum', types: ['varchar', 'char', 'text'], length: MAX_VALUE }),
    decode: String,
    refuse: (value) => (typeof value === 'string' ? null : { refused: 'inclusion' }),
    encode: String,
  },
  input: {
    read: (value, _zone, field) => (typeof value === 'string' ? { value: inList(value, field) } : { refused: 'inclusion' }),
    check: ({ values = [] }) => ({ enum: [...values, null] }),
  },
  filter: {
    read(text, field) {
      const value = inList(text, field)
      return field.values?.includes(value) ? value : null
    },
    takesSets: true,
  },
  document: {
    shown: ({ enumeration, values = [] }, catalog) =>
      values.length > 0 ? schemaNamed(enumerationName(enumeration, catalog)) : { type: 'string' },
    sent: (field, catalog) =>
      field.enumeration === TIME_ZONES ? { type: 'string', maxLength: 50 } : enumKind.document.shown(field, catalog),
    // Responses contain the names of the list.
    hint: ({ enumeration }) => (enumeration === TIME_ZONES ? ' As in /enums/time_zone, or an IANA name.' : ''),
  },
}

/** The mistake in a value of an enumeration, which is part of the text of statements; null if there is none. */
export function mistakeInValue(value: unknown): string | null {
  const isValue = typeof value === 'string' && /^[^\\?\p{Cc}]+$/u.test(value) && value.length <= MAX_VALUE
  return isValue
    ? null
    : `the value ${JSON.stringify(value)} is not a text of at most ${MAX_VALUE} characters without backslash and question mark`
}

function mistakesInValues(field: Field): string[] {
  const values = field.values ?? []
  if (values.length === 0) return ['an enumeration needs values']
  const mistakes: string[] = []
  if (new Set(values).size < values.length) mistakes.push('a value occurs twice')
  mistakes.push(...values.flatMap((value) => mistakeInValue(value) ?? []))
  if (field.default !== undefined && !values.includes(String(field.default))) {
    mistakes.push(`the default '${field.default}' is not among the values`)
  }
  return mistakes
}

function inList(value: string, { enumeration }: RecordField): string {
  return enumeration === TIME_ZONES ? (listNameOf(value) ?? value) : value
}

/** One of the values; their order is the sort order. */
export function oneOf<const V extends string, const O extends FieldOptions = object>(values: readonly V[], options?: O) {
  return makeField<V, O, 'enum'>('enum', { values: Array.isArray(values) ? Object.freeze([...values]) : values }, options)
}

/** One of the values of a list that several fields share, for example `time_zone`. */
export function oneOfList<const V extends string, const O extends FieldOptions = object>(
  enumeration: string,
  values: readonly V[],
  options?: O,
) {
  return makeField<V, O, 'enum'>('enum', { values, enumeration }, options)
}
