/** Which records of an import stay because of what somebody has done since. */
import type { Call } from '../../core/call.js'
import { instantOf } from '../../core/clock.js'
import type { RecordType } from '../../schema/catalog.js'
import { NOTE, PERSON } from '../../schema/language/built-in-types.js'
import { dateOfTimestamp } from '../../storage/database/timestamps.js'
import { dbOf } from '../../storage/database/transaction.js'
import { unauditedPartsOf } from '../../storage/queues/unaudited-rows.js'
import type { LeftReason, UndoDeps, Undone } from './contract.js'
import { type LockedRecord, lockRecords, reasonToLeave } from './locked-records.js'

/** Reasons of records that somebody has changed, or added a note to, since. */
export async function reasonsToKeep(
  deps: UndoDeps,
  call: Call,
  undone: Undone,
  type: RecordType,
  records: readonly LockedRecord[],
): Promise<ReadonlyMap<number, LeftReason>> {
  const reasons = new Map<number, LeftReason>()
  for (const record of records) {
    const reason = reasonToLeave(record)
    if (reason) reasons.set(record.id, reason)
  }
  const notes = [...type.parts.values()].includes(NOTE) ? deps.catalog.types.get(NOTE) : undefined
  const ids = records.map(({ id }) => id)
  if (!notes || ids.length === 0) return reasons
  const own = await unauditedPartsOf(deps.storage, dbOf(deps.storage, call), undone.importId, NOTE, { type: type.name, ids })
  const where = {
    all: [
      { path: ['owner_type'], op: 'in', values: [type.name] } as const,
      { path: ['owner_id'], op: 'in', values: ids } as const,
    ],
  }
  const found = await deps.queries.cells(call, { type: notes, where }, [['id'], ['owner_id'], [PERSON], ['created_at']])
  for (const [id, owner, person, at] of found) {
    if (own.has(Number(id)) || reasons.has(Number(owner))) continue
    const byId = person === null ? null : Number(person)
    reasons.set(Number(owner), { code: 'undo_changed_since', byId, by: '', at: instantOf(dateOfTimestamp(String(at))) })
  }
  return reasons
}

/**
 * The ids of records that stay because the record stays for which the plugin keeps them: callers neither create nor import such
 * records, for example the service levels of a request. Two or three queries for each reference of the type.
 */
export async function keptWithAnother(
  deps: UndoDeps,
  call: Call,
  undone: Undone,
  type: RecordType,
  records: readonly LockedRecord[],
): Promise<ReadonlySet<number>> {
  const kept = new Set<number>()
  if (!isKeptByPlugin(type)) return kept
  for (const [column, { kind, record, required }] of type.columns) {
    const other = kind === 'ref' && required ? deps.catalog.types.get(record ?? '') : undefined
    if (!other?.audit) continue
    const ids = [...new Set(records.flatMap(({ row }) => (row?.[column] ? [Number(row[column])] : [])))]
    if (ids.length === 0) continue
    const others = (await lockRecords(deps, call, undone, other, ids)).filter(({ row }) => row !== null)
    // Only those that the import has written are kept or undone.
    const written = others.filter(({ history }) => history.own.length > 0)
    const reasons = await reasonsToKeep(
      deps,
      call,
      undone,
      other,
      written.filter(({ history }) => history.own[0]?.isCreation),
    )
    const staying = new Set(written.flatMap((one) => (reasons.has(one.id) || reasonToLeave(one) ? [one.id] : [])))
    for (const { id, row } of records) if (staying.has(Number(row?.[column]))) kept.add(id)
  }
  return kept
}

function isKeptByPlugin(type: RecordType): boolean {
  return !type.operations.has('create') && !type.import && type.partImports.length === 0
}
