/** Saves the references of rows to later rows of their file, when all rows have been saved. */
import type { Call } from '../../core/call.js'
import { historyCall } from '../../core/import-calls.js'
import { saveEach } from '../../operations/work/save-each.js'
import type { Columns } from '../columns/match-columns.js'
import type { LaterGroup, RowsReport } from '../contract.js'
import { findReferences } from './lookups.js'
import { bodyOf, prepareRow } from './prepare.js'
import type { RowBody } from './prepared-row.js'
import { isUnsaved, missingOf, type Refusal, refusalOfUnsaved } from './refusals.js'
import type { SaveRowsDeps } from './save-rows.js'
import { createTally } from './tally.js'

interface Work extends RowBody {
  readonly group: LaterGroup
}

/**
 * Saves the references of the rows to records of their own type. A row that is refused now counts as a failure, and no more as
 * created or updated: its record stays as the first pass has saved it.
 */
export async function saveLater(
  deps: SaveRowsDeps,
  call: Call,
  columns: Columns,
  groups: readonly LaterGroup[],
): Promise<RowsReport> {
  const { words } = deps
  const own = columnsToOwnType(columns)
  const prepared = groups.map((group) => ({ group, row: prepareRow(call, deps.catalog, own, group.row) }))
  const references = prepared.flatMap(({ row }) => row.cellReferences.flatMap((cell) => cell.references))
  const found = await findReferences(deps.operations, call, references)
  const tally = createTally(words, call, columns)
  const fail = ({ row, later }: LaterGroup, refusal: Refusal) => {
    tally.move(later.countedAs, 'failures')
    tally.refuse(row, refusal)
  }

  const works = prepared.map(({ group, row }): Work => ({ group, ...bodyOf(row, own, group.later.recordId, found) }))
  for (const { group, missing } of works) if (missing.length > 0) fail(group, missingOf(words, call, missing))
  const isPast = ({ group }: Work) => columns.isHistory && group.later.countedAs === 'created'
  const sound = works.filter(({ missing }) => missing.length === 0)
  await saveWorks(
    call,
    sound.filter((work) => !isPast(work)),
  )
  await saveWorks(historyCall(call), sound.filter(isPast))
  return tally.report()

  async function saveWorks(call: Call, works: readonly Work[]): Promise<void> {
    for (const batch of batchesOf(works)) await saveBatch(call, batch)
  }

  async function saveBatch(call: Call, batch: readonly Work[]): Promise<void> {
    const itemOf = ({ body, group }: Work) => ({ id: group.later.recordId, body })
    for (const { work, saved } of await saveEach(deps.operations, call, columns.type.name, batch, itemOf)) {
      const { later, row } = work.group
      if (isUnsaved(saved)) fail(work.group, refusalOfUnsaved(words, call, columns, row, saved))
      else if (saved.outcome === 'updated' && later.countedAs === 'unchanged') tally.move(later.countedAs, 'updated')
    }
  }
}

/** The columns that refer to records of the type of the rows; all others are skipped. */
function columnsToOwnType(columns: Columns): Columns {
  const { name } = columns.type
  return { ...columns, columns: columns.columns.map((column) => (column?.refersTo === name ? column : null)) }
}

/** Batches in which each record occurs once, in the order of the rows of a record. */
function batchesOf(works: readonly Work[]): readonly (readonly Work[])[] {
  const batches: Work[][] = []
  const times = new Map<number, number>()
  for (const work of works) {
    const { recordId } = work.group.later
    const time = times.get(recordId) ?? 0
    times.set(recordId, time + 1)
    const batch = batches[time]
    if (batch) batch.push(work)
    else batches.push([work])
  }
  return batches
}
