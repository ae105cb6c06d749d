/** Rows that are sub-records: those of one record are saved together (behaviour: Import rows). */
import { folded } from '../../core/text/identity.js'
import type { PartImport } from '../../schema/language/import-files.js'
import type { Column } from '../columns/column.js'
import { type Columns, isField } from '../columns/match-columns.js'
import type { RowShape, RowsReport } from '../contract.js'
import { byLine } from '../progress/log-lines.js'
import { addResults, NO_RESULTS } from '../progress/results.js'
import { ImportStopped } from '../progress/stopped.js'
import type { PartFile } from './find-owners.js'
import { groupsByOwner, type OwnerRows } from './group-by-owner.js'
import { linkRows } from './link-rows.js'
import { roleRows } from './role-rows.js'
import { type SavePartsDeps, saveParts } from './save-parts.js'
import { singleRows } from './single-rows.js'
import { kindsOfParts, type PartKind } from './split-rows.js'
import { tiesOfOwners } from './ties-of-owners.js'

/** Creates the shape. @throws ImportStopped if no column names the record, or none has a value of a sub-record or link */
export function partRows(deps: SavePartsDeps, description: PartImport, columns: Columns): RowShape<OwnerRows> {
  const { header, field } = description.owner
  const has = (name: string) => columns.columns.some((column) => column !== null && isField(name)(column))
  const namesOwner = has(field) || (has('source') && has('sourceID')) || columns.columns.some((column) => column?.kind === 'id')
  if (!namesOwner) throw new ImportStopped('no_owner_column', { column: header })
  const file: PartFile = { description, columns }
  if (description.roles) return roleRows(deps, file, [description.roles.columns[0]?.header ?? ''])
  if (description.link) return linkRows(deps, file, description.link.header)
  const kinds = kindsOfParts(deps.catalog, file)
  if (kinds.length === 0) {
    const examples = Object.values(description.parts).flatMap(({ columns }) => columns[0]?.header ?? [])
    throw new ImportStopped('no_value_column', { columns: examples })
  }
  if (!description.replaces) return inAnyOrder(deps, file, kinds)
  return {
    ties: tiesOfOwners,
    groups: (call, rows, after) => groupsByOwner(deps, call, file, rows, after),
    save: (call, groups) => saveParts(deps, call, file, kinds, groups),
  }
}

/** Rows that replace nothing need no order, and each can be committed without its neighbours. */
function inAnyOrder(deps: SavePartsDeps, file: PartFile, kinds: readonly PartKind[]): RowShape<OwnerRows> {
  return {
    ties: tiesOfOwners,
    groups: (call, rows, after) => singleRows(deps, call, file, rows, after),
    async save(call, groups) {
      const reports: RowsReport[] = []
      for (const batch of batchesOf(file, groups)) reports.push(await saveParts(deps, call, file, kinds, batch))
      return {
        results: reports.reduce((sum, { results }) => addResults(sum, results), NO_RESULTS),
        lines: reports.flatMap(({ lines }) => lines).sort(byLine),
        failed: reports.flatMap(({ failed }) => failed).sort(byLine),
      }
    },
  }
}

/**
 * Batches with one group per record. A row for the same sub-record as an earlier one is in a later batch, and changes it. So is a
 * row that relates the same two records, in either direction: both of them show the relation.
 */
function batchesOf({ columns, description }: PartFile, groups: readonly OwnerRows[]): readonly (readonly OwnerRows[])[] {
  const isKey = (column: Column) =>
    column.kind === 'field' && column.part !== null && description.parts[column.part]?.key.includes(column.name) === true
  const keyColumns = columns.columns.map((column) => column !== null && isKey(column))
  const times = new Map<string, number>()
  const batches: Map<number | null, OwnerRows[]>[] = []
  for (const group of groups) {
    const cells = group.rows.flatMap((row) => row.cells.filter((_, index) => keyColumns[index]))
    const ids = [group.ownerId, ...group.owned.flatMap(({ relatedId }) => relatedId ?? [])].map(Number)
    const texts = description.relates ? [] : cells.map((cell) => folded(cell.trim()))
    const key = [...ids.sort((a, b) => a - b), ...texts].join('\n')
    const time = times.get(key) ?? 0
    times.set(key, time + 1)
    const batch = batches[time] ?? new Map<number | null, OwnerRows[]>()
    batches[time] = batch
    batch.set(group.ownerId, [...(batch.get(group.ownerId) ?? []), group])
  }
  return batches.map((batch) => [...batch.values()].map(together))
}

/** The rows of one record as one group. */
function together(groups: readonly OwnerRows[]): OwnerRows {
  const ownerId = groups[0]?.ownerId ?? null
  const owned = groups.flatMap((group) => group.owned)
  return { rows: owned.map(({ row }) => row), owned, ownerId, isRepeated: false, isDoubtful: false }
}
