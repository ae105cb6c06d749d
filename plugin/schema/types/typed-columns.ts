/** Columns of tables with the values of the database, as the compiler knows them. Types only. */
import type { KnownFields } from '../language/known-field.js'

/** The columns of these fields, and those that every record has. */
export type ColumnsOf<F, Of extends KnownFields> = {
  readonly [K in keyof F & string as `${K}${Of[K]['cellEnd']}`]: Of[K]['cell']
} & {
  readonly id: number
  readonly account_id: string
}
