/**
 * The outbox: events wait here, written in the transaction of the change that caused them, until the relay dispatches them. An
 * event is in the outbox exactly when its change is committed and it has not been dispatched yet.
 */
import type { Knex } from 'knex'
import type { EventData } from '../../schema/language/event-data.js'
import type { Storage } from '../database/connections.js'
import { dateOfTimestamp, timestampOf } from '../database/timestamps.js'
import { insertRows, whereIds } from './insert-rows.js'

/** State of the record at the time of the event, as far as deliveries show it; empty values are omitted. */
export interface Snapshot {
  readonly status?: string
  readonly previous_status?: string
  readonly source?: string
  readonly sourceID?: string
  readonly team_id?: number
  readonly member_id?: number
  readonly note_id?: number
  readonly target?: string
  /** What the host says in an event of its own. */
  readonly data?: EventData
}

/** An event that is about to be stored. */
export interface NewEvent {
  /** `task.status-changed`. */
  readonly event: string
  readonly recordType: string
  readonly recordId: number
  /** The account that holds the record. */
  readonly accountId: string
  /** The acting person; null for the system. */
  readonly personId: number | null
  /** Empty for the system. */
  readonly personName: string
  readonly auditLineId: number | null
  readonly snapshot: Snapshot
  readonly at: Date
}

/** A stored event. Ids grow in the order of occurrence for events of one record and are never used twice. */
export interface OutboxEvent extends NewEvent {
  readonly id: number
}

/** Stores events, in order, in the transaction `db`. */
export async function addToOutbox(db: Knex, storage: Storage, events: readonly NewEvent[]): Promise<void> {
  await insertRows(db, storage, 'outbox', events.map(rowOf))
}

/**
 * The oldest events after `afterId`, at most `limit`, in order. All committed rows are in the table, so an id that becomes
 * visible after a higher one was dispatched is found the next time.
 */
export async function readOutbox(db: Knex, storage: Storage, afterId: number, limit: number): Promise<readonly OutboxEvent[]> {
  const rows: OutboxRow[] = await db(storage.table('outbox'))
    .select(
      'id',
      'event',
      'record_type',
      'record_id',
      'account_id',
      'person_id',
      'person_name',
      'audit_line_id',
      'snapshot',
      'created_at',
    )
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
  return rows.map(eventOf)
}

/** The time of the oldest event; null if there is none. */
export async function oldestInOutbox(db: Knex, storage: Storage): Promise<Date | null> {
  const row: { readonly created_at: string } | undefined = await db(storage.table('outbox')).orderBy('id').first('created_at')
  return row ? dateOfTimestamp(row.created_at) : null
}

/** Deletes events in the transaction that dispatches them. */
export async function removeFromOutbox(db: Knex, storage: Storage, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length === 0) return
  const ids = events.map(({ id }) => id)
  await whereIds(db(storage.table('outbox')), ids).delete()
}

interface OutboxRow {
  readonly id: number | string
  readonly event: string
  readonly record_type: string
  readonly record_id: number | string
  readonly account_id: string
  readonly person_id: number | string | null
  readonly person_name: string | null
  readonly audit_line_id: number | string | null
  /** Parsed already by drivers that support JSON columns. */
  readonly snapshot: string | Snapshot
  readonly created_at: string
}

function rowOf(event: NewEvent): object {
  return {
    event: event.event,
    record_type: event.recordType,
    record_id: event.recordId,
    account_id: event.accountId,
    person_id: event.personId,
    person_name: event.personName,
    audit_line_id: event.auditLineId,
    snapshot: JSON.stringify(event.snapshot),
    created_at: timestampOf(event.at),
  }
}

function eventOf(row: OutboxRow): OutboxEvent {
  return {
    id: Number(row.id),
    event: row.event,
    recordType: row.record_type,
    recordId: Number(row.record_id),
    accountId: row.account_id,
    personId: row.person_id === null ? null : Number(row.person_id),
    personName: row.person_name ?? '',
    auditLineId: row.audit_line_id === null ? null : Number(row.audit_line_id),
    snapshot: typeof row.snapshot === 'string' ? (JSON.parse(row.snapshot) as Snapshot) : row.snapshot,
    at: dateOfTimestamp(row.created_at),
  }
}
