/** Groups adjacent rows that are one record, such as a calendar with a row for each of its hours (behaviour: Import rows). */
import type { Catalog } from '../../schema/catalog.js'
import { type Columns, identify } from '../columns/match-columns.js'
import type { FileRow, RowGroup } from '../contract.js'
import { checkRoomAfter } from './group-limit.js'
import { tokenOf } from './lookups.js'
import { nameOf } from './prepare.js'

/** The rows of one record. */
export interface RecordGroup extends RowGroup {
  /** True if the record had rows before, with other records between. */
  readonly isRepeated: boolean
  /** The line of the row before that has the same record, but another name for it. */
  readonly otherNameOn?: number
}

/**
 * Groups the rows: adjacent ones with the same ID, or else the same Source and Source ID, or else the same name.
 *
 * @param after the last line that was saved before
 * @throws ImportStopped for more rows of one record than one transaction may have
 */
export async function* adjacentRows(
  catalog: Catalog,
  columns: Columns,
  rows: AsyncIterable<FileRow>,
  after: number,
): AsyncGenerator<RecordGroup> {
  const seen = new Set<string>()
  let current: FileRow[] = []
  let token: string | null = null

  const finish = (): RecordGroup => {
    const group = { rows: current, isRepeated: token !== null && seen.has(token) }
    if (token !== null) seen.add(token)
    current = []
    return group
  }
  const isNew = ({ rows: [first] }: RecordGroup) => first !== undefined && first.line > after

  for await (const row of rows) {
    const next = tokenOf(identify(columns, row.cells)) ?? nameOf(catalog, columns, row.cells)
    const isSame = next !== null && next === token
    if (isSame) checkRoomAfter(current.length, current[0])
    if (!isSame && current.length > 0) {
      const group = finish()
      if (isNew(group)) yield group
    }
    token = next
    current.push(row)
  }
  if (current.length === 0) return
  const last = finish()
  if (isNew(last)) yield last
}
