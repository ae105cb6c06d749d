/**
 * Messages: committed events in order, each with a number without gaps. The relay moves events here from the outbox; deliveries,
 * the log of deliveries, replays and the feed read them (ADR 62).
 */
import type { Knex } from 'knex'
import { chunksOf, MAX_VALUES } from '../../core/chunks.js'
import type { Storage } from '../database/connections.js'
import { dateOfTimestamp, timestampOf } from '../database/timestamps.js'
import { insertRows } from './insert-rows.js'
import type { NewEvent, OutboxEvent, Snapshot } from './outbox.js'

/** A team or a person: `id`, `name`, `sourceID`, `disabled`, and the `account` that holds it. */
export interface Assignee {
  readonly id: number
  readonly name: string
  readonly sourceID: string | null
  readonly disabled: boolean
  readonly account: { readonly id: string; readonly name: string }
}

/** The `team` and the `member` of a record, as they were when the event happened. */
export interface Assigned {
  readonly team: Assignee | null
  readonly member: Assignee | null
}

/** An event, with all that deliveries show of the record as of then. */
export interface Message extends NewEvent, Assigned {
  /** Grows by one from message to message, in the order of occurrence for events of one record. */
  readonly sequence: number
  /** Id in the outbox: the same for every repetition. */
  readonly eventId: number
}

/** An event that becomes a message. */
export interface Occurred extends OutboxEvent, Assigned {}

/** The columns of a message, under the names that `messageIn` reads. */
export const MESSAGE_COLUMNS = [
  'sequence',
  'event_id',
  'event',
  'record_type',
  'record_id',
  'account_id',
  'person_id',
  'person_name',
  'audit_line_id',
  'snapshot',
] as const

const TABLE = 'messages'

/** Stores messages in the transaction of the relay, whose lease makes their numbers unique. Returns their numbers. */
export async function addMessages(
  db: Knex,
  storage: Storage,
  events: readonly Occurred[],
): Promise<ReadonlyMap<Occurred, number>> {
  const numbers = new Map<Occurred, number>()
  if (events.length === 0) return numbers
  const [last] = await db(storage.table(TABLE)).max({ sequence: 'sequence' })
  const before = Number(last?.['sequence'] ?? 0)
  for (const event of events) numbers.set(event, before + numbers.size + 1)
  await insertRows(
    db,
    storage,
    TABLE,
    [...numbers].map(([event, sequence]) => rowOf(event, sequence)),
  )
  return numbers
}

/** Reads messages by their numbers. Those that are not kept any more are missing. */
export async function readMessages(
  db: Knex,
  storage: Storage,
  sequences: readonly number[],
): Promise<ReadonlyMap<number, Message>> {
  const found = new Map<number, Message>()
  for (const some of chunksOf(sequences, MAX_VALUES)) {
    const rows: MessageRow[] = await db(storage.table(TABLE))
      .whereIn('sequence', [...some])
      .select(...MESSAGE_COLUMNS, 'created_at as at')
    for (const row of rows) found.set(Number(row.sequence), messageIn(row))
  }
  return found
}

/** Changed fields of a record, with their values before and after. */
export type Changes = Readonly<Record<string, readonly [before: unknown, after: unknown]>>

/** What an audit line says of the change. */
export interface Audited {
  readonly changes: Changes
  /** What made the change; null if a caller has chosen it. */
  readonly cause: string | null
}

/** Reads what changed, and why, by the id of the audit line: one statement. Removed lines are missing. */
export async function readChanges(
  db: Knex,
  storage: Storage,
  auditLineIds: readonly number[],
): Promise<ReadonlyMap<number, Audited>> {
  const found = new Map<number, Audited>()
  for (const some of chunksOf([...new Set(auditLineIds)], MAX_VALUES)) {
    const rows: { id: number | string; changes: string | null; cause: string | null }[] = await db(storage.table('audit_lines'))
      .whereIn('id', [...some])
      .select('id', 'changes', 'cause')
    for (const { cause, changes, id } of rows) {
      found.set(Number(id), { changes: JSON.parse(changes ?? '{}') as Changes, cause })
    }
  }
  return found
}

/** The newest message of an event and a record in one of the accounts; null if none is kept. */
export async function findNewestMessage(
  db: Knex,
  storage: Storage,
  event: string,
  recordId: number,
  accountIds: readonly string[],
): Promise<Message | null> {
  const row: MessageRow | undefined = await db(storage.table(TABLE))
    .where({ event, record_id: recordId, record_type: event.split('.')[0] })
    .whereIn('account_id', [...accountIds])
    .orderBy('sequence', 'desc')
    .first(...MESSAGE_COLUMNS, 'created_at as at')
  return row ? messageIn(row) : null
}

/** A row of `MESSAGE_COLUMNS`, with the time as text. */
export interface MessageRow extends Record<(typeof MESSAGE_COLUMNS)[number], string | number | null> {
  readonly at: string
}

/** The message of a row. */
export function messageIn(row: MessageRow): Message {
  const { team = null, member = null, ...snapshot } = JSON.parse(String(row.snapshot)) as Kept
  return {
    sequence: Number(row.sequence),
    eventId: Number(row.event_id),
    event: String(row.event),
    recordType: String(row.record_type),
    recordId: Number(row.record_id),
    accountId: String(row.account_id),
    personId: row.person_id === null ? null : Number(row.person_id),
    personName: String(row.person_name ?? ''),
    auditLineId: row.audit_line_id === null ? null : Number(row.audit_line_id),
    at: dateOfTimestamp(row.at),
    snapshot,
    team,
    member,
  }
}

/** What `snapshot` has: that of the outbox, with the names. */
type Kept = Snapshot & { readonly team?: Assignee; readonly member?: Assignee }

function rowOf(event: Occurred, sequence: number): object {
  const { member, snapshot, team } = event
  return {
    sequence,
    event_id: event.id,
    event: event.event,
    record_type: event.recordType,
    record_id: event.recordId,
    account_id: event.accountId,
    person_id: event.personId,
    person_name: event.personName,
    audit_line_id: event.auditLineId,
    snapshot: JSON.stringify(team || member ? { ...snapshot, ...(team && { team }), ...(member && { member }) } : snapshot),
    created_at: timestampOf(event.at),
  }
}
