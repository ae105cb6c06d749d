/** Reads one value of a caller in any accepted spelling (gaps 1.12, 1.14). */
import { listNameOf } from '../../core/words/time-zones.js'
import { momentFrom, validDate, validLocalDatetime, validTimeOfDay } from '../../core/zoned-time.js'
import type { RecordField } from '../compile.js'
import type { Json } from '../fields.js'
import { canonicalDecimal } from './columns.js'

/** The code of the sentence that tells the caller what is wrong. */
export interface Refusal {
  readonly refused: string
}
export type Reader = (value: unknown, zone: string) => { readonly value: Json } | Refusal

const TRUE_WORDS = new Set(['1', 't', 'y', 'true', 'yes', 'on'])
/** What a hash may take as JSON text. */
const HASH_BYTES = 65_535

/** Anything but the accepted spellings of true is false (gaps 1.12). */
export function readBoolean(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && TRUE_WORDS.has(value.trim().toLowerCase()))
}

/** The reader of a field. Null, and text without any character but blanks, clear the field. */
export function readerOf(field: RecordField): Reader {
  const read = READERS[field.kind] ?? readString
  return (value, zone) => {
    if (value === null || value === undefined || (typeof value === 'string' && value.trim() === '')) {
      return { value: field.kind === 'boolean' ? ((field.default as Json) ?? false) : null }
    }
    return read(value, zone, field)
  }
}

type FieldReader = (value: unknown, zone: string, field: RecordField) => { readonly value: Json } | Refusal

const readString: FieldReader = (value, _zone, field) => {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return { refused: 'invalid' }
  const text = wellFormed(String(value))
  const lines = field.kind === 'text' ? text.replace(/\r\n?/g, '\n') : text
  return { value: field.lowerCase ? lines.trim().toLowerCase() : lines }
}

const readNumber: FieldReader = (value, _zone, field) => {
  const number = typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : Number.NaN
  if (!Number.isFinite(number)) return { refused: 'not_a_number' }
  if (field.kind === 'integer' && !Number.isInteger(number)) return { refused: 'not_an_integer' }
  return { value: number }
}

const readDecimal: FieldReader = (value, _zone, field) => {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : ''
  if (!/^-?\d{1,12}(\.\d+)?$/.test(text)) return { refused: 'not_a_number' }
  const rounded = /\.\d{3,}$/.test(text) ? Number(text).toFixed(2) : text
  if (field.minimum !== undefined && Number(rounded) < field.minimum) return { refused: 'not_a_number' }
  return { value: canonicalDecimal(rounded) }
}

const readEnum: FieldReader = (value, _zone, field) => {
  if (typeof value !== 'string') return { refused: 'inclusion' }
  return { value: field.enumeration === 'time_zone' ? (listNameOf(value) ?? value) : value }
}

const readHash: FieldReader = (value) => {
  const hash = typeof value === 'string' ? parseJson(value) : value
  if (typeof hash !== 'object' || hash === null || Array.isArray(hash)) return { refused: 'invalid' }
  if (Buffer.byteLength(JSON.stringify(hash)) > HASH_BYTES) return { refused: 'too_big_text' }
  return { value: hash as Json }
}

const readReference: FieldReader = (value) => {
  const id = typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : value
  const number = typeof id === 'string' && /^\d{1,16}$/.test(id) ? Number(id) : id
  if (id === null) return { value: null }
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0
    ? { value: number }
    : { refused: 'cannot_be_found' }
}

const readParts: FieldReader = (value) => {
  const isList =
    Array.isArray(value) && value.length <= 1_000 && value.every((part) => typeof part === 'object' && part !== null)
  return isList ? { value: value as Json } : { refused: 'invalid' }
}

/** A text that a check either brings into its one form or refuses. */
function readTime(code: string, check: (text: string, zone: string, field: RecordField) => string | null): FieldReader {
  return (value, zone, field) => {
    const read = typeof value === 'string' ? check(value.trim(), zone, field) : null
    return read === null ? { refused: code } : { value: read }
  }
}

const READERS: Readonly<Partial<Record<RecordField['kind'], FieldReader>>> = {
  integer: readNumber,
  float: readNumber,
  decimal: readDecimal,
  boolean: (value) => ({ value: readBoolean(value) }),
  enum: readEnum,
  hash: readHash,
  ref: readReference,
  parts: readParts,
  date: readTime('invalid_date', (text) => (validDate(text) ? text : null)),
  datetime: readTime('invalid_datetime', (text, zone) => momentFrom(text, zone)),
  localDatetime: readTime('invalid_datetime', (text, _zone, field) => validLocalDatetime(text, { end: field.end === true })),
  timeOfDay: readTime('invalid_time', (text, _zone, field) => endOfDay(validTimeOfDay(text), field)),
}

/** A full day is 00:00 to 24:00; 00:00 as an end means the same (gaps 7.3). */
function endOfDay(time: string | null, field: RecordField): string | null {
  if (time === '00:00' && field.end) return '24:00'
  return time === '24:00' && !field.end ? null : time
}

function wellFormed(text: string): string {
  // A lone surrogate cannot be stored as UTF-8; it becomes the replacement character here, so that the answer shows what is kept.
  return Buffer.from(text, 'utf8').toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
