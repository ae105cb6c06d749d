/** Reads numbers in bodies, files, filters and conditions. */
import { isExact, SentNumber } from '../../../core/sent-number.js'
import { shown } from '../../../core/text/shown.js'
import type { Field, Json } from '../../language/field.js'
import { INEXACT, type Refusal } from './read-values.js'

const NUMBER = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d{1,3})?$/i
/** `4:30`, also with seconds as timers write them, if these are none. */
const HOURS_AND_MINUTES = /^(-?)(\d{1,6}):([0-5]\d)(?::00)?$/

/** Reads a number from a caller, given as a number or as text. */
export function readNumber(value: unknown, field: Pick<Field, 'unit'>): { readonly value: number } | Refusal {
  const text = typeof value === 'string' || value instanceof SentNumber ? String(value).trim() : ''
  const minutes = minutesIn(text, field)
  if (minutes !== null) return { value: minutes }
  const isNumber = NUMBER.test(text)
  if (isNumber && !isExact(text)) return INEXACT
  const number = typeof value === 'number' ? value : isNumber ? Number(text) : Number.NaN
  if (!Number.isFinite(number)) return { refused: 'not_a_number' }
  // Not -0, which neither JSON nor columns preserve.
  return { value: number === 0 ? 0 : number }
}

/** The refusal of a value that is not a number as rows have it; null if it is. */
export function refuseNumber(value: unknown): Refusal | null {
  return typeof value === 'number' && Number.isFinite(value) ? null : { refused: 'not_a_number' }
}

/** The minutes of a duration such as `4:30`; null for other texts, and for fields in other units (behaviour: Value formats). */
export function minutesIn(text: string, { unit }: Pick<Field, 'unit'>): number | null {
  const [, sign, hours, minutes] = unit === 'minutes' ? (HOURS_AND_MINUTES.exec(text) ?? []) : []
  if (hours === undefined) return null
  const length = Number(hours) * 60 + Number(minutes)
  // Below zero in corrections; not -0, which neither JSON nor columns preserve.
  return sign && length > 0 ? -length : length
}

/** The whole number in a text of digits; null if it is not one, or too large to be exact. */
export function wholeNumberIn(text: string): number | null {
  return /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null
}

/** The number in a text with digits and a decimal point; null if it is not one. */
export function numberIn(text: string): number | null {
  return /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : null
}

/**
 * The number in a cell of a file. Other texts are returned unchanged, so that they are refused with the message of the field.
 */
export function numberInCell(text: string): Json {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text) && isExact(text) ? Number(text) : text
}

/** The bounds of a field as keywords of JSON schemas. */
export function boundsOf({ minimum, maximum }: Pick<Field, 'minimum' | 'maximum'>): object {
  return { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) }
}

/** The mistake in a value that a condition compares whole numbers with; null if there is none. */
export function mistakeInWholeNumber(value: unknown): string | null {
  const number = typeof value === 'string' ? wholeNumberIn(value) : value
  return Number.isSafeInteger(number) ? null : mistake(value)
}

/** The mistake in a value that a condition compares numbers with; null if there is none. */
export function mistakeInNumber(value: unknown): string | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return Number.isFinite(number) ? null : mistake(value)
}

function mistake(value: unknown): string {
  return `${shown(value)} is not a number`
}
