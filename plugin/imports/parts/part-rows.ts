/** Rows that are sub-records: those of one record are saved together (behaviour: Import rows). */
import type { Call } from '../../core/call.js'
import type { PartImport } from '../../schema/language/import-files.js'
import { type Columns, isField } from '../columns/match-columns.js'
import type { RowShape } from '../contract.js'
import { ImportStopped } from '../progress/stopped.js'
import type { PartFile } from './find-owners.js'
import { groupsByOwner, type OwnerRows } from './group-by-owner.js'
import { type SavePartsDeps, saveParts } from './save-parts.js'
import { kindsOfParts } from './split-rows.js'

/** Creates the shape. @throws ImportStopped if no column names the record, or no column has a value of a sub-record */
export function partRows(deps: SavePartsDeps, call: Call, description: PartImport, columns: Columns): RowShape<OwnerRows> {
  const { header, field } = description.owner
  const has = (name: string) => columns.columns.some((column) => column !== null && isField(name)(column))
  const namesOwner = has(field) || (has('source') && has('sourceID')) || columns.columns.some((column) => column?.kind === 'id')
  if (!namesOwner) throw new ImportStopped('no_owner_column', { column: header })
  const file: PartFile = { description, columns }
  const kinds = kindsOfParts(deps.catalog, file)
  if (kinds.length === 0) {
    const examples = Object.values(description.parts).flatMap(({ columns }) => columns[0]?.header ?? [])
    throw new ImportStopped('no_value_column', { columns: examples })
  }
  return {
    groups: (rows, after) => groupsByOwner(deps, call, file, rows, after),
    save: (call, groups) => saveParts(deps, call, file, kinds, groups),
  }
}
