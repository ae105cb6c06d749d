/** What the parts of an import hand to each other: rows of a file, groups of them, and what became of them. Types only. */
import type { Call } from '../core/call.js'
import type { Violation } from '../core/errors.js'
import type { FailedRow } from './progress/failed-rows.js'
import type { LaterRow } from './progress/later-rows.js'
import type { LogLine } from './progress/log-lines.js'
import type { Results } from './progress/results.js'

/** A row of the file. */
export interface FileRow {
  /** Physical line on which the row starts; the header is line 1. */
  readonly line: number
  readonly cells: readonly string[]
  /** True if the row cannot be read, for example because text follows a closing quotation mark. It then has no cells. */
  readonly malformed?: true
  /** True for a header that is separated by semicolons. */
  readonly hasSemicolons?: true
}

/** Consecutive rows that are saved together. */
export interface RowGroup {
  readonly rows: readonly FileRow[]
}

/** What became of rows. */
export interface RowsReport {
  readonly results: Results
  /** In the order of the rows. */
  readonly lines: readonly LogLine[]
  /** The rows that were not saved, and those to be imported together with them. */
  readonly failed: readonly FailedRow[]
  /** Rows that were saved without references to later rows of the file. */
  readonly later?: readonly LaterRow[]
  /** The records of the rows that were saved, for rows that are records. */
  readonly saved?: readonly { readonly line: number; readonly recordId: number }[]
}

/** How a group of rows depends on others of the file: in texts that they share. */
export interface Ties {
  /** What it has that results of later groups may depend on. */
  readonly gives: readonly string[]
  /** What its own result may depend on. */
  readonly needs: readonly string[]
}

/** What is told about a row that was not saved. */
export interface Refused {
  readonly line: LogLine
  readonly failed: FailedRow
}

/** What the rows of a file are: each a record of its own, or sub-records that are saved together with others of their record. */
export interface RowShape<Group extends RowGroup = RowGroup> {
  /**
   * Groups the rows of the file. Rows before a place that cannot be read are returned before the error.
   *
   * @param after the last line that was saved before: rows up to there are omitted
   */
  groups(call: Call, rows: AsyncIterable<FileRow>, after: number): AsyncIterable<Group>
  /** Saves several groups in the transaction of the call. Refused rows count as failures and change nothing. */
  save(call: Call, groups: readonly Group[]): Promise<RowsReport>
  /** The ties of groups, in their order; for dry runs, which undo earlier groups. */
  ties(call: Call, groups: readonly Group[]): Promise<readonly Ties[]>
  /** Saves the references of rows to later ones, when all rows are saved; absent if rows cannot have any. */
  saveLater?(call: Call, groups: readonly LaterGroup[]): Promise<RowsReport>
}

/** A row that is saved again, with its references to rows after it. */
export interface LaterGroup extends RowGroup {
  readonly row: FileRow
  readonly later: LaterRow
}

/** What is done with the rows of one file. */
export interface Plan extends RowShape {
  /** The call of the importing person, outside of transactions. */
  readonly call: Call
  /** Headers without a meaning for the type. */
  readonly unknownHeaders: readonly string[]
  /** Reports a row that could not be saved, from its violations or from the code of a message. */
  refuse(row: FileRow, reason: readonly Violation[] | string): Refused
}
