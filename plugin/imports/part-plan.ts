/** Plan of files whose rows are sub-records: the rows of one record are saved together (behaviour: Import rows). */
import type { Call } from '../core/call.js'
import type { RecordType } from '../schema/compile/compile.js'
import type { PartImport } from '../schema/language/define-record.js'
import { type Columns, isField } from './columns/match-columns.js'
import type { ImportDeps } from './deps.js'
import { type PartFile, type PartUnit, unitsOf } from './part-owners.js'
import { savePartUnits } from './parts/save-parts.js'
import { kindsOfParts } from './parts/split-rows.js'
import type { Plan } from './plan.js'
import { ImportStopped } from './progress/stopped.js'
import { lineOfRefused } from './rows/refusals.js'

/** Creates the plan. @throws ImportStopped if no column names the record, or no column has a value of a sub-record */
export function partPlan(deps: ImportDeps, call: Call, record: RecordType, description: PartImport, columns: Columns): Plan {
  const { header, field } = description.owner
  const has = (name: string) => columns.columns.some((column) => column !== null && isField(name)(column))
  const namesOwner = has(field) || (has('source') && has('sourceID')) || columns.columns.some((column) => column?.kind === 'id')
  if (!namesOwner) throw new ImportStopped('no_owner_column', { column: header })
  const file: PartFile = { record, description, columns }
  const kinds = kindsOfParts(deps.catalog, file)
  if (kinds.length === 0) {
    const examples = Object.values(description.parts).flatMap(({ columns }) => columns[0]?.header ?? [])
    throw new ImportStopped('no_value_column', { columns: examples })
  }
  return {
    call,
    columns,
    units: (rows, after) => unitsOf(deps, call, file, rows, after),
    save: (call, units) => savePartUnits(deps, call, file, kinds, units as readonly PartUnit[]),
    refuse: (row, reason) => lineOfRefused(deps, call, record, columns, row, reason),
  }
}
