/** The form of a message in the feed: the names are those of deliveries. Pure. */
import type { ShownChange } from '../operations/read/read-for-feed.js'
import type { Json } from '../schema/kinds/fields.js'
import { TEAM } from '../schema/language/built-in-types.js'
import type { Assignee, Message } from '../storage/queues/messages.js'

/** A message as the feed shows it. */
export interface ShownMessage {
  readonly sequence: number
  readonly event: string
  /** Name of the record type. */
  readonly type: string
  readonly object_id: number
  /** In the time zone of the caller. */
  readonly at: string
  readonly person_id?: number | null
  readonly person_name?: string | null
  readonly payload?: { readonly [name: string]: Json }
  /** Old and new values by field, as in audit lines. */
  readonly changes?: Json
  /** What made the change, as in audit lines; absent if a caller has chosen it. */
  readonly cause?: Json
}

/** What a caller may read of a message. */
export interface Readable {
  /** Formats a time for the caller. */
  at(time: Date): string
  /** The changes of audit lines that it may read, and their causes; null if it may read none. */
  readonly changes: ReadonlyMap<number, ShownChange> | null
  readsField(type: string, field: string): boolean
  /** True for callers who could also have the message delivered: they see assignees as deliveries show them. */
  readonly isAdministrator: boolean
}

/** What can be known of a record that is gone, or of any other: type, id, event and time. */
export function showBare({ sequence, event, recordType, recordId, at }: Message, readable: Pick<Readable, 'at'>): ShownMessage {
  return { sequence, event, type: recordType, object_id: recordId, at: readable.at(at) }
}

/** A message about a record that the caller sees. Empty values of the payload are left out, as in deliveries. */
export function showMessage(message: Message, readable: Readable): ShownMessage {
  const { auditLineId, member, personId, personName, recordType, snapshot, team } = message
  const reads = (field: string) => readable.readsField(recordType, field)
  const change = readable.changes?.get(auditLineId ?? 0)
  const payload = {
    ...(change ? given('audit_line_id', auditLineId) : {}),
    ...(reads('source') ? { ...given('source', snapshot.source), ...given('sourceID', snapshot.sourceID) } : {}),
    ...(reads('status') ? { ...given('status', snapshot.status), ...given('previous_status', snapshot.previous_status) } : {}),
    ...given('target', snapshot.target),
    ...given('note_id', snapshot.note_id),
    ...(readable.changes && snapshot.data ? { data: snapshot.data } : {}),
    ...(team && reads(TEAM) ? { team: assigneeOf(team, readable) } : {}),
    ...(member && reads('member') ? { member: assigneeOf(member, readable) } : {}),
  }
  return {
    ...showBare(message, readable),
    ...(readable.changes ? { person_id: personId, person_name: personId === null ? null : personName } : {}),
    payload,
    ...(change ? { changes: change.changes, ...(change.cause === null ? {} : { cause: change.cause }) } : {}),
  }
}

/** References show everybody the names of people and teams, and their accounts. */
function assigneeOf({ account, disabled, id, name, sourceID }: Assignee, { isAdministrator }: Readable): Json {
  const more = isAdministrator ? { ...given('sourceID', sourceID), ...(disabled ? { disabled } : {}) } : {}
  return { id, name, ...more, account: { id: account.id, name: account.name } }
}

function given(name: string, value: string | number | null | undefined): { readonly [name: string]: Json } {
  return value === null || value === undefined || value === '' ? {} : { [name]: value }
}
