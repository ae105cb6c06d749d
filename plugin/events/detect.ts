/** Detects the events of a save and creates their outbox rows. Pure. See behaviour: Events. */
import type { Call } from '../core/call.js'
import type { RecordType } from '../schema/catalog.js'
import { isDue, momentOf } from '../schema/derive/waiting.js'
import { type Verb, WATCHED_COLUMNS } from '../schema/language/define-record.js'
import type { Row } from '../schema/language/define-rule.js'
import type { Target, TimerVerb } from '../schema/language/define-timer.js'
import type { EventData } from '../schema/language/event-data.js'
import type { NewEvent, Snapshot } from '../storage/queues/outbox.js'
import type { Emitted } from './emitted.js'
import { eventName } from './event-names.js'

/** An event that a timer raises. */
export interface Raised {
  readonly verb: TimerVerb
  readonly target?: Target
}

/** One thing that happened to a record. */
export interface Detected {
  readonly verb: Verb
  /** The note that was added. */
  readonly related?: { readonly note: number }
  /** The target, only for target-warning and target-missed. */
  readonly target?: Target
  /** The status before the save, only for status-changed. */
  readonly previousStatus?: string
}

/** One thing that happened, with any verb: events of the host have their own. */
type Happened = Omit<Detected, 'verb'> & { readonly verb: string; readonly data?: EventData }

/** Result of a save. */
export interface Saved {
  readonly type: RecordType
  /** The stored row before the save; null when the save created the record. */
  readonly before: Row | null
  readonly after: Row
  /** Columns whose stored value differs from before. */
  readonly changedColumns: readonly string[]
  /** True when rows that belong to the record changed: sub-records, links, attachments. */
  readonly changedRelated?: boolean
  /** Events of the timers whose time has come, and for which the record no longer waits. */
  readonly raised?: readonly Raised[]
  /** Notes that the save added, in the order in which they were added. */
  readonly noteIds: readonly number[]
}

/**
 * The events of a save, in the order in which they are delivered. For a new record only `create` (its note is part of it); else
 * `update`, `note-added` for each note, the verbs that watch one column, those of timers, and `delete` for a record that is removed
 * by a flag. Only verbs that the record type has. A save causes no event if it changed no stored field (`updated_at` does not
 * count), no related rows, and added no note.
 */
export function detect(saved: Saved): readonly Detected[] {
  const { type, before } = saved
  const all = before === null ? [{ verb: 'create' } as const] : detectLater(before, saved)
  return all.filter((detected) => type.events.has(detected.verb))
}

/**
 * The events of the timers that had the record go on: it was due, a value that the timer sets has changed, and it waits no more.
 * Only for the plugin's own saves, and what follows from them: a person who ends the waiting is not the time.
 */
export function raisedByTimers(call: Call, type: RecordType, before: Row | null, after: Row): readonly Raised[] {
  if (before === null || call.acts !== 'plugin') return []
  return type.timers.flatMap((timer) => {
    const { body, raises, target } = timer
    if (!raises || !isDue(type, timer, before, call.now) || momentOf(type, timer, after) !== null) return []
    const isSet = Object.keys(body).some((column) => before[column] !== after[column])
    return isSet ? [{ verb: raises, ...(target && { target }) }] : []
  })
}

/** The names of events, each once. */
export function eventNames(events: readonly NewEvent[]): readonly string[] {
  return [...new Set(events.map(({ event }) => event))]
}

/**
 * The outbox rows of a save. The snapshot keeps what a delivery needs and a later save may change.
 *
 * @param auditLineId the audit line of the save; null when it wrote none (spec, Events: adding a note or filling Time spent).
 * Never set for a note-added event.
 */
export function outboxEvents(call: Call, saved: Saved, auditLineId: number | null, at: Date): readonly NewEvent[] {
  const { type, after } = saved
  return detect(saved).map((detected) => {
    const lineId = detected.verb === 'note-added' ? null : auditLineId
    return { ...outboxEvent(call, type, after, detected, at), auditLineId: lineId }
  })
}

/** The outbox rows of records that were removed, with the rows as they were. Types without the verb `delete` have none. */
export function removalEvents(call: Call, type: RecordType, rows: readonly Row[], at: Date): readonly NewEvent[] {
  return type.events.has('delete') ? rows.map((row) => outboxEvent(call, type, row, { verb: 'delete' }, at)) : []
}

/** The outbox row of an event of the host. */
export function emittedEvent(call: Call, { type, verb }: Emitted, row: Row, data: EventData | null, at: Date): NewEvent {
  return outboxEvent(call, type, row, { verb, ...(data && { data }) }, at)
}

function outboxEvent(call: Call, type: RecordType, row: Row, detected: Happened, at: Date): NewEvent {
  return {
    event: eventName(type.name, detected.verb),
    recordType: type.name,
    recordId: Number(row['id']),
    accountId: String(row['account_id']),
    personId: call.actor?.id ?? null,
    personName: call.actor?.name ?? '',
    auditLineId: null,
    snapshot: snapshotOf(type, row, detected),
    at,
  }
}

function detectLater(before: Row, { type, after, changedColumns, changedRelated, noteIds, raised = [] }: Saved): Detected[] {
  const changed = new Set(changedColumns)
  const updated = changedRelated || [...changed].some((column) => column !== 'updated_at' && type.columns.has(column))
  const status = before['status']
  const flag = type.softDeleteField
  const isRemoved = flag !== null && changed.has(flag) && after[flag] === true
  return [
    ...(updated ? [{ verb: 'update' } as const] : []),
    ...noteIds.map((note) => ({ verb: 'note-added', related: { note } }) as const),
    ...WATCHED_COLUMNS.filter(([, column]) => changed.has(column) && isSet(before, after, column)).map(([verb]) =>
      verb === 'status-changed' && typeof status === 'string' ? { verb, previousStatus: status } : { verb },
    ),
    ...raised,
    ...(isRemoved ? [{ verb: 'delete' } as const] : []),
  ]
}

/** False for a flag that was cleared. */
function isSet(before: Row, after: Row, column: string): boolean {
  return typeof (after[column] ?? before[column]) !== 'boolean' || after[column] === true
}

function snapshotOf(type: RecordType, row: Row, detected: Happened): Snapshot {
  const text = (column: string) => (type.columns.has(column) && typeof row[column] === 'string' ? row[column] : '')
  const id = (column: string) => (type.columns.has(column) ? Number(row[column] ?? 0) : 0)
  return {
    ...(text('status') && { status: text('status') }),
    ...(detected.previousStatus && { previous_status: detected.previousStatus }),
    ...(text('source') && { source: text('source') }),
    ...(text('sourceID') && { sourceID: text('sourceID') }),
    ...(id('team_id') > 0 && { team_id: id('team_id') }),
    ...(id('member_id') > 0 && { member_id: id('member_id') }),
    ...(detected.target && { target: detected.target }),
    ...(detected.related && { note_id: detected.related.note }),
    ...(detected.data && { data: detected.data }),
  }
}
