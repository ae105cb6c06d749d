/**
 * The two forms of a value: as rows hold it (moments as text in UTC, booleans, parsed JSON) and as columns hold it on every
 * database (DATETIME as text in UTC, 0 and 1, JSON as text). The kind of the field knows both; null is null in both.
 */
import type { Json } from '../field.js'
import type { Column } from '../kinds/kind.js'

/** The value of a column as a row holds it. */
export function decode({ decode: decoded }: Pick<Column, 'decode'>, cell: unknown): Json {
  return cell === null || cell === undefined ? null : decoded(cell)
}

/** The value of a row as its column holds it. */
export function encode({ encode: encoded }: Pick<Column, 'encode'>, value: Json | undefined): string | number | null {
  return value === null || value === undefined ? null : encoded(value)
}
