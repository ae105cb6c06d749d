/** Reads one value of a caller in any accepted spelling (gaps 1.12, 1.14). */
import { isBlank, trimmed } from '../../core/blank.js'
import type { Params } from '../../core/errors.js'
import { languageIn } from '../../core/words/languages.js'
import { listNameOf } from '../../core/words/time-zones.js'
import { momentFrom, validDate, validLocalDatetime, validTimeOfDay } from '../../core/zoned-time.js'
import type { RecordField } from '../compile/compile.js'
import type { Json } from '../fields.js'
import { canonicalDecimal } from './columns.js'
import { isDeeper, MAX_HASH_BYTES, MAX_HASH_DEPTH, parseJson } from './json.js'
import { readPairs } from './pairs.js'
import { mistakeInPicture } from './pictures.js'

/** The code of the sentence that tells the caller what is wrong, and the values that the sentence needs. */
export interface Refusal {
  readonly refused: string
  readonly params?: Params
}
export type Reader = (value: unknown, zone: string) => { readonly value: Json } | Refusal

const TRUE_WORDS = new Set(['1', 't', 'y', 'true', 'yes', 'on'])
/** Digits in front of the dot that a decimal column holds. */
const DECIMAL_DIGITS = 12
/** Characters that a decimal may be written with; arithmetic with millions of digits takes seconds. */
const LONGEST_DECIMAL = 100
const NUMBER = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d{1,3})?$/i
const HOURS_AND_MINUTES = /^(\d{1,6}):([0-5]\d)$/

/** Anything but the accepted spellings of true is false (gaps 1.12). */
export function readBoolean(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && TRUE_WORDS.has(value.trim().toLowerCase()))
}

/** The reader of a field. Null, and text without any character but blanks, clear the field. */
export function readerOf(field: RecordField): Reader {
  const read = READERS[field.kind] ?? readString
  return (value, zone) => {
    if (isBlank(value)) {
      return { value: field.kind === 'boolean' ? ((field.default as Json) ?? false) : null }
    }
    return read(value, zone, field)
  }
}

/** The id of another record: a number, digits, or an object with such an id; null for anything else. */
export function readId(value: unknown): number | null {
  const id = typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : value
  const number = typeof id === 'string' && /^\d{1,16}$/.test(id) ? Number(id) : id
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null
}

type FieldReader = (value: unknown, zone: string, field: RecordField) => { readonly value: Json } | Refusal

const readString: FieldReader = (value, _zone, field) => {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return { refused: 'invalid' }
  const text = wellFormed(String(value))
  // Not every database keeps what follows a NUL, and no text of people has one.
  if (text.includes('\0')) return { refused: 'invalid' }
  if (field.kind === 'text') return { value: text.replace(/\r\n?/g, '\n') }
  // Blanks around a single line are slips of the hand: without them names are found, and unique (gaps 12.1).
  const line = trimmed(text)
  if (field.format === 'locale') return { value: languageIn(line) ?? line }
  const mistake = field.format === 'picture' ? mistakeInPicture(line) : null
  return mistake ?? { value: field.lowerCase ? line.toLowerCase() : line }
}

const readNumber: FieldReader = (value, _zone, field) => {
  const text = typeof value === 'string' ? value.trim() : ''
  // gaps 1.12: a duration in minutes may be written as 4:30.
  const [, hours, minutes] = field.unit === 'minutes' ? (HOURS_AND_MINUTES.exec(text) ?? []) : []
  if (hours !== undefined) return { value: Number(hours) * 60 + Number(minutes) }
  const number = typeof value === 'number' ? value : NUMBER.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(number)) return { refused: 'not_a_number' }
  if (field.kind === 'integer' && !Number.isInteger(number)) return { refused: 'not_an_integer' }
  return { value: number === 0 ? 0 : number }
}

const readDecimal: FieldReader = (value, _zone, field) => {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : ''
  if (text.length > LONGEST_DECIMAL || !/^-?\d+(\.\d+)?$/.test(text)) return { refused: 'not_a_number' }
  const decimal = canonicalDecimal(roundedToCents(text))
  const { minimum, maximum } = field
  if (minimum !== undefined && Number(decimal) < minimum) return { refused: 'less_than', params: { min: minimum } }
  if (maximum !== undefined && Number(decimal) > maximum) return { refused: 'greater_than', params: { max: maximum } }
  const digits = decimal.replace('-', '').indexOf('.')
  return digits > DECIMAL_DIGITS ? { refused: 'not_a_number' } : { value: decimal }
}

/** To two decimals, halves away from zero; by digits, because 1.005 as a number is a little less than that. */
function roundedToCents(text: string): string {
  const [, sign = '', whole = '', cents = '', next = ''] = /^(-?)(\d+)(?:\.(\d{1,2})(\d?)\d*)?$/.exec(text) ?? []
  if (next < '5') return `${sign}${whole}.${cents || '0'}`
  const digits = String(BigInt(whole + cents) + 1n).padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const readEnum: FieldReader = (value, _zone, field) => {
  if (typeof value !== 'string') return { refused: 'inclusion' }
  return { value: field.enumeration === 'time_zone' ? (listNameOf(value) ?? value) : value }
}

const readHash: FieldReader = (value) => {
  const hash = typeof value === 'string' ? parseJson(value) : value
  if (typeof hash !== 'object' || hash === null || Array.isArray(hash)) return { refused: 'invalid' }
  if (isDeeper(hash, MAX_HASH_DEPTH)) return { refused: 'invalid' }
  const text = JSON.stringify(hash)
  if (Buffer.byteLength(text) > MAX_HASH_BYTES) return { refused: 'too_big_text' }
  // What is kept is what JSON can say, whatever the host's own code handed over.
  return { value: JSON.parse(text) as Json }
}

const readReference: FieldReader = (value) => {
  const id = readId(value)
  return id === null ? { refused: 'cannot_be_found' } : { value: id }
}

const readParts: FieldReader = (value) => {
  const isList =
    Array.isArray(value) && value.length <= 1_000 && value.every((part) => typeof part === 'object' && part !== null)
  return isList ? { value: value as Json } : { refused: 'invalid' }
}

/** Texts without anything but blanks are left out; what is then empty is cleared. */
const readStrings: FieldReader = (value) => {
  if (!Array.isArray(value) || !value.every((text) => typeof text === 'string' || typeof text === 'number'))
    return { refused: 'invalid' }
  const texts = value.map((text) => wellFormed(trimmed(String(text)))).filter((text) => text !== '')
  if (texts.some((text) => text.includes('\0'))) return { refused: 'invalid' }
  if (Buffer.byteLength(JSON.stringify(texts)) > MAX_HASH_BYTES) return { refused: 'too_big_text' }
  return { value: texts.length > 0 ? texts : null }
}

const readPart: FieldReader = (value) => {
  return typeof value === 'object' && !Array.isArray(value) ? { value: value as Json } : { refused: 'invalid' }
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
  boolean: (value) => (typeof value === 'object' ? { refused: 'invalid' } : { value: readBoolean(value) }),
  enum: readEnum,
  hash: readHash,
  pairs: readPairs,
  ref: readReference,
  parts: readParts,
  part: readPart,
  strings: readStrings,
  date: readTime('invalid_date', (text) => (validDate(text) ? text : null)),
  datetime: readTime('invalid_datetime', (text, zone, field) =>
    field.keywords?.includes(text) ? text : momentFrom(text, zone),
  ),
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
