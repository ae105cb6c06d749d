/** Plans what is done with the rows of a file, by its type and header. */
import type { Call } from '../core/call.js'
import { importKinds } from '../schema/derive/import-kinds.js'
import { historyLayoutOf, layoutOf } from './columns/layouts.js'
import { type Columns, matchHeaders } from './columns/match-columns.js'
import type { FileRow, Plan, RowShape } from './contract.js'
import { partRows } from './parts/part-rows.js'
import type { SavePartsDeps } from './parts/save-parts.js'
import type { AbsencesDeps } from './progress/absences.js'
import type { ImportRow } from './progress/import-rows.js'
import { byLine } from './progress/log-lines.js'
import { ImportStopped } from './progress/stopped.js'
import type { ReadFile } from './rows/names-in-file.js'
import { recordRows } from './rows/record-rows.js'
import { refusedRow } from './rows/refusals.js'
import { readAsFalse } from './rows/seldom-meant.js'

/** A plan with the columns of the file. */
export interface FilePlan extends Plan {
  readonly columns: Columns
}

/** Dependencies of saving rows, whatever they are. */
export type PlanDeps = SavePartsDeps & AbsencesDeps

/**
 * Creates the plan of a file.
 *
 * @param of value of `type` in POST /import, whether new records come with their past, and whether the file is a whole list
 * @param read reads the rows of the file, in the transaction of a call
 * @throws ImportStopped if the header does not match the type
 */
export function createPlan(
  deps: PlanDeps,
  call: Call,
  of: Pick<ImportRow, 'absentLimit' | 'type' | 'history'>,
  header: FileRow,
  read: ReadFile,
): FilePlan {
  const kind = importKinds(deps.catalog).find(({ type }) => type === of.type)
  if (!kind) throw new ImportStopped('no_such_import', { type: of.type })
  const layout = (of.history ? historyLayoutOf : layoutOf)(deps.catalog, kind)
  const columns = matchHeaders(layout, header.cells, of.history, header.line)
  const shape: RowShape = kind.ofParts
    ? partRows(deps, kind.ofParts, columns)
    : recordRows(deps, columns, read, of.absentLimit !== null)
  return {
    ...shape,
    async save(inside, groups) {
      const report = await shape.save(inside, groups)
      const warnings = groups.flatMap(({ rows }) => rows).flatMap((row) => readAsFalse(deps.words, call, columns, row))
      return warnings.length === 0 ? report : { ...report, lines: [...report.lines, ...warnings].sort(byLine) }
    },
    call,
    columns,
    unknownHeaders: columns.unknown,
    refuse: (row, reason) => refusedRow(deps.words, call, columns, row, reason),
  }
}
