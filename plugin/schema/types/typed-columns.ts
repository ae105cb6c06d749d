/** Columns of tables with the values of the database, as the compiler knows them. Types only. */
import type { KnownFields } from '../language/known-field.js'

/** The columns of these fields, and those that every record has. */
export type ColumnsOf<F extends KnownFields> = {
  readonly [K in keyof F & string as `${K}${F[K]['cellEnd']}`]: F[K]['cell']
} & {
  readonly id: number
  readonly account_id: string
}
