import type { Call } from '../../core/call.js'
import type { Columns } from '../columns/match-columns.js'
import type { FileRow, RowsReport } from '../contract.js'
import type { FailedRow } from '../progress/failed-rows.js'
import { byLine, type LogLine } from '../progress/log-lines.js'
import { addResults, movedResult, NO_RESULTS, type Results } from '../progress/results.js'
import { failedRow, type Refusal, type RefusalWords, refusalLine } from './refusals.js'

/** What became of the rows of a chunk so far: their counters, and the lines about them. */
export interface Tally {
  count(counter: keyof Results, times?: number): void
  /** Counts a row in another counter than before. */
  move(from: keyof Results, to: keyof Results): void
  /** Adds a line that does not change how its row is counted. */
  note(line: LogLine): void
  /** Adds the line of a refused row. `rows` are all of its record, if it has several: none of them was saved. */
  refuse(row: FileRow, refusal: Refusal, rows?: readonly FileRow[]): void
  /** Adds a row that was saved, and has to be imported again together with a refused one. */
  repeat(row: FileRow): void
  /** Lines and rows are in the order of the file. */
  report(): RowsReport
}

export function createTally(words: RefusalWords, call: Call, columns: Columns): Tally {
  const lines: LogLine[] = []
  const failed: FailedRow[] = []
  let results = NO_RESULTS
  return {
    count(counter, times = 1) {
      results = { ...results, [counter]: results[counter] + times }
    },
    move(from, to) {
      results = addResults(results, movedResult(from, to))
    },
    note: (line) => lines.push(line),
    refuse(row, refusal, rows = [row]) {
      lines.push(refusalLine(words, call, columns, row, refusal))
      for (const one of rows) failed.push(failedRow(one, one.line === row.line ? refusal : { ...refusal, header: '' }))
    },
    repeat: (row) => failed.push(failedRow(row, null)),
    report: () => ({ results, lines: lines.sort(byLine), failed: failed.sort(byLine) }),
  }
}
