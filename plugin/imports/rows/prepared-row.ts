/** What is known of a row before it is saved. Types only. */
import type { Reference } from '../columns/cells.js'
import type { Column, Input } from '../columns/column.js'
import type { Identity } from '../columns/match-columns.js'
import type { FileRow } from '../contract.js'

/** The references of one cell. */
export interface CellReferences {
  readonly column: Column
  readonly references: readonly Reference[]
}

/** A row of a file that was read as far as possible without the database. */
export interface PreparedRow {
  readonly line: number
  readonly cells: readonly string[]
  readonly identity: Identity
  readonly cellReferences: readonly CellReferences[]
  /** Tokens by which other rows may find the record that this row creates or changes. */
  readonly provides: readonly string[]
  /** The rows that are the record; this is the first of them. */
  readonly rows: readonly FileRow[]
  /** The sub-records in these rows. */
  readonly listed: Input
  /** The rows that have a sub-record of its list, in the order of the list. */
  readonly listedRows: readonly FileRow[]
  /** The fields with only one sub-record whose cells are all empty. */
  readonly emptied: readonly string[]
}

/** Input of the pipeline for a row. */
export interface RowBody {
  readonly body: Input
  /** References to records that do not exist. */
  readonly missing: readonly Missing[]
}

/** A reference to a record that does not exist: the header of its column, and its text. */
export interface Missing {
  readonly header: string
  /** The field or link of the column. */
  readonly field: string
  readonly value: string
  /** The name by which a row of the same file may make the record; null if none can. */
  readonly name: string | null
  readonly isAmbiguous?: true
}
