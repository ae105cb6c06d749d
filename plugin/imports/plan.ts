/** Plans of imports: each row is saved by itself, or together with the other rows of its record. */
import type { Call } from '../core/call.js'
import type { Violation } from '../core/errors.js'
import { type ImportKind, importKinds } from '../schema/derive/import-kinds.js'
import { layoutOf } from './columns/layouts.js'
import { type Columns, matchHeaders } from './columns/match-columns.js'
import type { ImportDeps } from './deps.js'
import type { FileRow } from './file/parse.js'
import { partPlan } from './part-plan.js'
import type { LogLine } from './progress/log-lines.js'
import { ImportStopped } from './progress/stopped.js'
import { lineOfRefused } from './rows/refusals.js'
import { type RowChunkReport, saveRows } from './rows/save-rows.js'

/** Consecutive rows that are committed together. */
export interface Unit {
  readonly rows: readonly FileRow[]
}

export interface Plan {
  readonly call: Call
  readonly columns: Columns
  /**
   * Groups the rows of a file into units. Rows before a place that cannot be read are returned before the error.
   *
   * @param after the last line that was saved before: rows up to there are omitted
   */
  units(rows: AsyncIterable<FileRow>, after: number): AsyncIterable<Unit>
  /**
   * Saves the rows of several units, in the transaction of the call. Refused rows count as failures and change nothing.
   *
   * @param units of this plan
   */
  save(call: Call, units: readonly Unit[]): Promise<RowChunkReport>
  /** Creates the log line of a row that could not be saved, from its violations or from the code of a message. */
  refuse(row: FileRow, reason: readonly Violation[] | string): LogLine
}

/**
 * Creates the plan of a file.
 *
 * @param typeName value of `type` in POST /import
 * @throws ImportStopped if the header does not match the type
 */
export function createPlan(deps: ImportDeps, call: Call, typeName: string, header: readonly string[]): Plan {
  const kind = importKinds(deps.catalog).find(({ type }) => type === typeName)
  if (!kind) throw new ImportStopped('no_such_import', { type: typeName })
  const columns = matchHeaders(layoutOf(deps.catalog, kind), header)
  return kind.ofParts ? partPlan(deps, call, kind.record, kind.ofParts, columns) : recordPlan(deps, call, kind, columns)
}

/** Every row is a record of its own. */
function recordPlan(deps: ImportDeps, call: Call, { record }: ImportKind, columns: Columns): Plan {
  return {
    call,
    columns,
    async *units(rows, after) {
      for await (const row of rows) if (row.line > after) yield { rows: [row] }
    },
    save: (call, units) => {
      const rows = units.flatMap((unit) => unit.rows)
      return saveRows(deps, call, record, columns, rows)
    },
    refuse: (row, reason) => lineOfRefused(deps, call, record, columns, row, reason),
  }
}
