import { SentNumber } from '../../core/sent-number.js'
import { withoutEnd, withoutStart } from '../../core/text/trim.js'
import type { RecordField } from '../catalog.js'
import { type FieldOptions, makeField } from '../language/field.js'
import type { Kind } from './kind.js'
import { mistakeInNumber, numberIn } from './values/numbers.js'
import type { Refusal } from './values/read-values.js'

/** Maximum number of digits before the decimal point in a decimal column. */
const MAX_DIGITS = 12
/** Maximum number of characters of a decimal in input; arithmetic with millions of digits takes seconds. */
const MAX_LENGTH = 100

/** The form of rows. */
const IN_ROWS = /^-?\d{1,12}\.\d{1,2}$/

/** An exact number with up to two decimals, as text. */
export const decimalKind: Kind = {
  options: { minimum: true, maximum: true },
  mistakeInTest: mistakeInNumber,
  column: {
    form: () => ({ method: 'decimal', types: ['decimal'], length: 0, isNumber: true }),
    decode: (cell) => canonicalDecimal(String(cell)),
    refuse(value, field) {
      const isDecimal = typeof value === 'string' && IN_ROWS.test(value) && canonicalDecimal(value) === value
      return isDecimal ? outOfBounds(value, field) : { refused: 'invalid' }
    },
    encode: String,
  },
  input: {
    read(value, _zone, field) {
      const isText = typeof value === 'string' || value instanceof SentNumber
      const text = isText || typeof value === 'number' ? withoutExponent(String(value).trim()) : ''
      if (text.length > MAX_LENGTH || !/^-?\d+(\.\d+)?$/.test(text)) return { refused: 'not_a_number' }
      const decimal = canonicalDecimal(roundedToCents(text))
      return outOfBounds(decimal, field) ?? { value: decimal }
    },
    check: () => ({ type: ['string', 'null'] }),
  },
  filter: { read: (text) => numberIn(text.trim()), isOrdered: true },
  document: { shown: () => ({ type: 'string', pattern: '^-?\\d+(\\.\\d{1,2})?$', maxLength: 16 }) },
}

/** The refusal of a decimal in the form of rows; here and not in the JSON schema, which cannot compare texts as numbers. */
function outOfBounds(decimal: string, { minimum, maximum }: RecordField): Refusal | null {
  if (minimum !== undefined && Number(decimal) < minimum) return { refused: 'less_than', params: { min: minimum } }
  if (maximum !== undefined && Number(decimal) > maximum) return { refused: 'greater_than', params: { max: maximum } }
  const digits = decimal.replace('-', '').indexOf('.')
  return digits > MAX_DIGITS ? { refused: 'not_a_number' } : null
}

/**
 * Normalizes a decimal: `120.50` to `120.5`, `007` to `7.0`, `-0` to `0.0`. Decimals are texts with a decimal point (behaviour:
 * Value formats), and each number has one text.
 */
export function canonicalDecimal(text: string): string {
  const found = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text)
  if (!found) return text
  const [, sign = '', whole = '', fraction = ''] = found
  const number = `${withoutStart(whole, '0') || '0'}.${withoutEnd(fraction, '0') || '0'}`
  return number === '0.0' ? number : sign + number
}

/** A number with an exponent of two digits, as JSON may have it, in digits alone: `12.5e2` is 1250. Other texts as they are. */
function withoutExponent(text: string): string {
  const [, sign = '', whole = '', fraction = '', power] = /^(-?)(\d+)(?:\.(\d+))?e([-+]?\d{1,2})$/i.exec(text) ?? []
  if (power === undefined || text.length > MAX_LENGTH) return text
  const digits = '0'.repeat(MAX_LENGTH) + whole + fraction + '0'.repeat(MAX_LENGTH)
  const point = MAX_LENGTH + whole.length + Number(power)
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

/** Rounds to two decimals, halves away from zero; by digits, because 1.005 as a number is a little less than that. */
function roundedToCents(text: string): string {
  const [, sign = '', whole = '', cents = '', next = ''] = /^(-?)(\d+)(?:\.(\d{1,2})(\d?)\d*)?$/.exec(text) ?? []
  if (next < '5') return `${sign}${whole}.${cents || '0'}`
  const digits = String(BigInt(whole + cents) + 1n).padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** An exact number with up to two decimals, returned as text. */
export function decimal<const O extends FieldOptions = object>(options?: O) {
  return makeField<string, O, 'decimal'>('decimal', {}, options)
}
