/** Events in the form in which the host gets them. */
import type { EventData } from '../schema/language/event-data.js'
import type { Changes, Message } from '../storage/queues/messages.js'
import type { Delivery } from './delivery.js'

/** The argument of a listener. */
export interface HostEvent<Name extends string = string, Type extends string = string, Status = string> {
  /** Number of the event: the same for every repetition of it, and different for all others. */
  readonly id: number
  /** `task.status-changed`. */
  readonly name: Name
  /** `task` */
  readonly recordType: Type
  /** The id of the record, which may be removed by now. */
  readonly recordId: number
  /** The account of the record. */
  readonly accountId: string
  /** The `id` and `name` of the acting person; null for the system (jobs, `asSystem`). */
  readonly person: { readonly id: number; readonly name: string } | null
  /** When it happened. */
  readonly at: Date
  /** The audit line of the change; null if it has none. */
  readonly auditLineId: number | null
  /** The status of the record right after the event; null for types without one. */
  readonly status: Status | null
  /** Only for status-changed. */
  readonly previousStatus: Status | null
  /** Only for target-warning and target-missed: `response` or `resolution`. */
  readonly target: string | null
  /** Only for note-added. */
  readonly noteId: number | null
  /** What `emit` was given with an event of your own; null if there was nothing. */
  readonly data: EventData | null
  /**
   * Changed fields, links and sub-records with their values before and after, as of the event; values of fields are in the form of
   * rows. Empty if the change has no audit line. Secrets are named without their values.
   */
  readonly changes: Changes
  /**
   * What made the change, as in the audit trail: `import 17`, `rule groupedInto of request`. Null if a caller has chosen it, and if
   * the change has no audit line.
   */
  readonly cause: string | null
}

/** The event of a message, for the host. @param audited what its channel has read of the change */
export function hostEventOf(event: Message, { cause = null, changes = {} }: Pick<Delivery, 'cause' | 'changes'>): HostEvent {
  return {
    id: event.eventId,
    name: event.event,
    recordType: event.recordType,
    recordId: event.recordId,
    accountId: event.accountId,
    person: event.personId === null ? null : { id: event.personId, name: event.personName },
    at: event.at,
    auditLineId: event.auditLineId,
    status: event.snapshot.status ?? null,
    previousStatus: event.snapshot.previous_status ?? null,
    target: event.snapshot.target ?? null,
    noteId: event.snapshot.note_id ?? null,
    data: event.snapshot.data ?? null,
    changes,
    cause,
  }
}

/** Parses an event that a process of an older version has stored as JSON. */
export function parseHostEvent(text: string): HostEvent {
  const event = JSON.parse(text) as Omit<HostEvent, 'at'> & { readonly at: string }
  return { ...event, at: new Date(event.at), data: null, changes: {}, cause: null }
}
