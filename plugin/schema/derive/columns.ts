/**
 * Converts values between the form of rows (timestamps as text in UTC, booleans, parsed JSON) and that of columns on every
 * database (DATETIME as text in UTC, 0 and 1, JSON as text). The kind of the field implements both; null is null in both.
 */
import type { Column } from '../kinds/kind.js'
import type { Json } from '../language/field.js'

/** Converts the value of a column to that of a row. */
export function decode({ decode: decoded }: Pick<Column, 'decode'>, cell: unknown): Json {
  return cell === null || cell === undefined ? null : decoded(cell)
}

/** Converts the value of a row to that of its column. */
export function encode({ encode: encoded }: Pick<Column, 'encode'>, value: Json | undefined): string | number | null {
  return value === null || value === undefined ? null : encoded(value)
}
