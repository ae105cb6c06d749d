/** Reads the records whose timers are due, page by page, from the index that the timer demands. */
import type { Instant } from '../core/clock.js'
import type { RecordTimer, RecordType } from '../schema/catalog.js'
import { decode } from '../schema/derive/columns.js'
import { columnOf } from '../schema/kinds/kinds.js'
import type { Criterion } from '../schema/language/conditions.js'
import type { Queries } from '../storage/records/query.js'

/** A timer with the type whose records it waits for. */
export interface TypeTimer {
  readonly type: RecordType
  readonly timer: RecordTimer
}

/** A record that waits for a timestamp. */
export interface DueRecord {
  readonly id: number
  readonly accountId: string
  readonly moment: Instant
  /** Differs when the record has been changed. */
  readonly version: string
}

/** The range of waiting records to read, in the order of timestamp and id. */
export interface DueRange {
  /** First timestamp; null for all. */
  readonly from: Instant | null
  /** Last timestamp. */
  readonly until: Instant
  /** The page begins after this record: thousands may have the same timestamp. */
  readonly after: Pick<DueRecord, 'id' | 'moment'> | null
  readonly limit: number
}

/** One page of the records that wait for timestamps in the range. */
export async function readDue(queries: Pick<Queries, 'cells'>, one: TypeTimer, range: DueRange): Promise<readonly DueRecord[]> {
  const { type, timer } = one
  const { from, until, after, limit } = range
  const path = [timer.due]
  const begin = after?.moment ?? from
  const all: Criterion[] = [
    timer.while,
    { path, op: '<=', values: [until] },
    ...(begin === null ? [] : [{ path, op: '>=', values: [begin] } as const]),
    ...(after ? [isAfter(path, after)] : []),
  ]
  const touched = type.columns.has('updated_at') ? [['updated_at']] : []
  const slots = [['id'], ['account_id'], path, ...touched]
  const sort = [timer.due, 'id'].map((field) => ({ field, descending: false }))
  const cells = await queries.cells({}, { type, where: { all }, sort, limit }, slots)
  return cells.map(([id, accountId, due, updatedAt]) => {
    const moment = instantIn(due)
    return { id: Number(id), accountId: String(accountId), moment, version: versionOf(moment, instantIn(updatedAt)) }
  })
}

/** The version of a record with these values. */
export function versionOf(moment: unknown, updatedAt: unknown): string {
  return `${moment ?? ''} ${updatedAt ?? ''}`
}

/** The records of these ids that are still due: the page may be out of date when they are locked. */
export function stillDue({ timer }: TypeTimer, ids: readonly number[], now: Instant): Criterion {
  return { all: [{ path: ['id'], op: 'in', values: ids }, { path: [timer.due], op: '<=', values: [now] }, timer.while] }
}

/** A cell of a datetime column in the form of rows; '' for null. */
function instantIn(cell: unknown): Instant {
  return String(decode(DATETIME, cell) ?? '')
}
const DATETIME = columnOf({ kind: 'datetime' })

function isAfter(path: readonly string[], { id, moment }: Pick<DueRecord, 'id' | 'moment'>): Criterion {
  const sameInstant: Criterion = {
    all: [
      { path, op: 'in', values: [moment] },
      { path: ['id'], op: '>', values: [id] },
    ],
  }
  return { any: [{ path, op: '>', values: [moment] }, sameInstant] }
}
