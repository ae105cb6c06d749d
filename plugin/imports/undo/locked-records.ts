/** Locks records that are about to be put back, and reads what has happened to them. */
import type { Call } from '../../core/call.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Row } from '../../schema/language/define-rule.js'
import { type History, historiesOf, lastByOthers } from './audit-lines.js'
import type { LeftReason, LeftRecord, UndoDeps, Undone } from './contract.js'

/** A record that is locked for the rest of the transaction. */
export interface LockedRecord {
  readonly id: number
  /** Null if it is gone. */
  readonly row: Row | null
  readonly history: History
}

/** Locks the records, in the order of their ids, and returns them in the given one. Two queries, and one more for hundreds. */
export async function lockRecords(
  deps: UndoDeps,
  call: Call,
  undone: Undone,
  type: RecordType,
  ids: readonly number[],
): Promise<readonly LockedRecord[]> {
  const where = { path: ['id'], op: 'in', values: ids } as const
  const rows = new Map((await deps.queries.rows(call, { type, where }, { lock: true })).map((row) => [Number(row['id']), row]))
  const histories = await historiesOf(deps, call, undone, type.name, ids)
  return ids.map((id) => ({ id, row: rows.get(id) ?? null, history: histories.get(id) ?? { own: [], since: [], undoing: [] } }))
}

/** Why a record stays as it is: somebody has changed it since, or it is gone; null if it can be put back. */
export function reasonToLeave({ history, row }: LockedRecord): LeftReason | null {
  const last = lastByOthers(history)
  if (last === null) return row === null ? { code: 'undo_gone', byId: null, by: '', at: '' } : null
  return { code: row === null ? 'undo_gone' : 'undo_changed_since', byId: last.byId, by: last.cause, at: last.at }
}

export function leftRecord(type: RecordType, { id, row }: Omit<LockedRecord, 'history'>, reason: LeftReason): LeftRecord {
  return { type, recordId: id, row, reason }
}

/** The items by the type of their records, in the order of the first of each. */
export function byType<T extends { readonly type: string }>(items: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>()
  for (const item of items) found.set(item.type, [...(found.get(item.type) ?? []), item])
  return found
}
