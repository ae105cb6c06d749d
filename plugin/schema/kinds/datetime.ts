import { shown } from '../../core/text/shown.js'
import { parseInstant, withPlusRestored } from '../../core/time/zoned-time.js'
import { type FieldOptions, makeField } from '../language/field.js'
import { type JsonSchema, schemaNamed, timeOrWords } from './json-schema.js'
import type { ColumnForm, Kind } from './kind.js'
import { type Refusal, readTime } from './values/read-values.js'

const MOMENT: JsonSchema = { type: 'string', format: 'date-time' }
const IN_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

const REFUSED: Refusal = { refused: 'invalid_datetime' }
const PLAIN: ColumnForm = { method: 'datetime', types: ['datetime'], length: 0 }
const WITH_WORDS: ColumnForm = { method: 'datetimeOrWord', types: ['varchar', 'char'], length: 20 }

/**
 * A timestamp: in rows an `Instant`, in columns as DATETIME in UTC, in responses in the zone of the caller. Fields
 * with `keywords` may contain one of these words instead, unchanged everywhere.
 */
export const datetimeKind: Kind = {
  options: { keywords: true },
  counted: 'days',
  mistakeInTest(value, { keywords }) {
    if (keywords?.includes(String(value)) || IN_UTC.test(String(value))) return null
    return `${shown(value)} is not a time in UTC such as '2026-10-31T09:30:00Z'`
  },
  column: {
    form: ({ keywords }) => (keywords ? WITH_WORDS : PLAIN),
    decode: (cell) => decodeInstant(String(cell)),
    refuse: (value, { keywords }) => (isInstant(value) || keywords?.some((word) => word === value) ? null : REFUSED),
    encode: (value) => encodeInstant(String(value)),
  },
  input: {
    read: (value, zone, { keywords }) =>
      readTime(value, 'invalid_datetime', (text) => (keywords?.includes(text) ? text : parseInstant(text, zone))),
    check: () => ({ type: ['string', 'null'] }),
  },
  filter: {
    read(text, { keywords }, zone) {
      const trimmed = text.trim()
      if (keywords?.includes(trimmed)) return trimmed
      return parseInstant(withPlusRestored(trimmed), zone, { dateAlone: 'utc' })
    },
    isOrdered: true,
  },
  answer: {
    showCell({ keywords = [] }) {
      return (cell, context) => {
        if (isPlain(cell) && !keywords.includes(cell)) return context.formatInstant(cell)
        const value = decodeInstant(String(cell))
        return keywords.includes(value) ? value : context.formatInstant(value)
      }
    },
  },
  document: {
    shown: ({ keywords }) => (keywords ? schemaNamed(timeOrWords(keywords)) : MOMENT),
    sent: () => MOMENT,
  },
}

/** `2026-11-21T09:30:00Z` as DATETIME text; keywords stay as they are. */
export function encodeInstant(moment: string): string {
  return moment.endsWith('Z') ? moment.slice(0, -1).replace('T', ' ') : moment
}

/** True for a timestamp in the form of rows that exists. */
function isInstant(value: unknown): boolean {
  return typeof value === 'string' && IN_UTC.test(value) && parseInstant(value, 'UTC') === value
}

/** True for the usual text of a DATETIME column, `2026-11-21 09:30:00`. */
function isPlain(cell: unknown): cell is string {
  return typeof cell === 'string' && cell.length === 19 && cell[10] === ' '
}

function decodeInstant(text: string): string {
  if (!/^\d/.test(text)) return text
  // Drivers may omit the time if it is midnight.
  return `${text.slice(0, 10)}T${text.slice(11, 19) || '00:00:00'}Z`
}

/** A timestamp with an offset; in rows an `Instant`. */
export function datetime<const O extends FieldOptions = object>(options?: O) {
  return makeField<string, O, 'datetime'>('datetime', {}, options)
}
