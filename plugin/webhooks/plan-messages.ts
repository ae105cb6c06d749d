/** Turns events into deliveries: finds subscribed webhooks and writes the bodies. Runs in the transaction of the relay. */
import type { Knex } from 'knex'
import { type RecordOfAccount, recordKey, type VisibleIn } from '../access/sight/visible-in.js'
import { chunksOf, MAX_NARROW_ROWS } from '../core/chunks.js'
import type { Clock } from '../core/clock.js'
import type { Catalog } from '../schema/catalog.js'
import { NOTE, PERSON, TEAM } from '../schema/language/built-in-types.js'
import type { Storage } from '../storage/database/connections.js'
import { timestampOf } from '../storage/database/timestamps.js'
import type { OutboxEvent } from '../storage/queues/outbox.js'
import { type AccountName, type Assignee, formBody, linkHeader, type Message } from './payload.js'
import { receiverKey } from './receiver-key.js'

export interface PlanDeps {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly clock: Clock
  /** Base URL of the API, ends with `/v1`. */
  readonly baseUrl: string
  /** URL of an account in the user interface, without a slash at the end. */
  readonly accountAddress: (accountId: string) => string
  /**
   * Finds the accounts in which a record of another account is visible. Their webhooks fire as well. Default: none
   * (behaviour: Webhook events).
   */
  readonly visibleIn?: VisibleIn
}

interface Subscriber {
  readonly id: number | string
  readonly account_id: string
  readonly name: string | null
  readonly event: string
  readonly uri: string
}

/** Creates a function that queues one delivery per event and matching enabled webhook, and returns their number. */
export function createPlanner(deps: PlanDeps): (db: Knex, events: readonly OutboxEvent[]) => Promise<number> {
  const { storage, catalog, clock, baseUrl, accountAddress, visibleIn } = deps
  return plan

  async function plan(db: Knex, events: readonly OutboxEvent[]): Promise<number> {
    if (events.length === 0) return 0
    const subscribers = await readSubscribers(db, events)
    const subscribed = new Set(subscribers.map(({ event }) => event))
    const seen = await seenElsewhere(db, events, subscribers)
    const readers = await readersOfNotes(
      db,
      events.filter(({ event }) => subscribed.has(event)),
    )
    const mayRead = ({ snapshot: { note_id } }: OutboxEvent, { account_id }: Subscriber) =>
      (readers.get(note_id ?? 0) ?? account_id) === account_id
    const wanted = events.flatMap((event) =>
      subscribers
        .filter((one) => one.event === event.event && isFor(event, one, seen) && mayRead(event, one))
        .map((subscriber) => ({ event, subscriber })),
    )
    if (wanted.length === 0) return 0

    const assignees = await readAssignees(
      db,
      wanted.map(({ event }) => event),
    )
    const rows = wanted.map(({ event, subscriber }) => rowOf(event, subscriber, assignees))
    for (const some of chunksOf(rows, MAX_NARROW_ROWS)) await db(storage.table('deliveries')).insert([...some])
    return rows.length
  }

  /**
   * Finds enabled webhooks of the accounts of the records, of accounts with a trust relation, and of accounts that these
   * accounts have as directory. Nothing is queued for disabled webhooks (behaviour: Webhook events).
   */
  async function readSubscribers(db: Knex, events: readonly OutboxEvent[]): Promise<readonly Subscriber[]> {
    const holders = [...new Set(events.map(({ accountId }) => accountId))]
    const [webhooks, trusts, accounts] = [storage.table('webhooks'), storage.table('trusts'), storage.table('accounts')]
    const enabled = () =>
      db({ w: webhooks })
        .whereIn('w.event', [...new Set(events.map((event) => event.event))])
        .where((one) => one.where('w.disabled', false).orWhereNull('w.disabled'))
        .select('w.id', 'w.account_id', 'w.name', 'w.event', 'w.uri')
    const own = enabled().whereIn('w.account_id', holders)
    const related = [
      enabled().join({ t: trusts }, 't.trusted_account_id', 'w.account_id').whereIn('t.account_id', holders),
      enabled().join({ t: trusts }, 't.account_id', 'w.account_id').whereIn('t.trusted_account_id', holders),
      enabled().join({ a: accounts }, 'a.id', 'w.account_id').whereIn('a.directory_account_id', holders),
    ]
    // Each part of the union uses an index; conditions with OR would not.
    const rows: Subscriber[] = await (visibleIn ? own.union(related) : own)
    return rows.sort((one, other) => Number(one.id) - Number(other.id))
  }

  /** Checks visibility only if a webhook of another account subscribes to the event. */
  async function seenElsewhere(db: Knex, events: readonly OutboxEvent[], subscribers: readonly Subscriber[]): Promise<Seen> {
    const asked = events.flatMap((event) => {
      const others = subscribers.filter((one) => one.event === event.event && one.account_id !== event.accountId)
      return others.map(({ account_id }) => ({ event, accountId: account_id }))
    })
    if (!visibleIn || asked.length === 0) return new Map()
    const records = asked.map(({ event }) => ({ type: event.recordType, id: event.recordId, accountId: event.accountId }))
    return visibleIn(db, uniqueRecords(records), [...new Set(asked.map(({ accountId }) => accountId))])
  }

  /** The account that may see each internal note: others are not told that there is one (behaviour: Passed records). */
  async function readersOfNotes(db: Knex, events: readonly OutboxEvent[]): Promise<ReadonlyMap<number, string>> {
    const notes = new Set(events.flatMap(({ snapshot }) => snapshot.note_id ?? []))
    const type = catalog.types.get(NOTE)
    const naming = type && [...type.columns].find(([, field]) => field.namesAccount)
    if (!type || !naming || notes.size === 0) return new Map()
    const rows: { id: number | string; account_id: string }[] = await db(storage.table(type.table))
      .whereIn('id', [...notes])
      .where(naming[0], true)
      .select('id', 'account_id')
    return new Map(rows.map(({ id, account_id }) => [Number(id), account_id]))
  }

  async function readAssignees(db: Knex, events: readonly OutboxEvent[]): Promise<Assignees> {
    const teams = await readParties(db, TEAM, new Set(events.flatMap(({ snapshot }) => snapshot.team_id ?? [])))
    const members = await readParties(db, PERSON, new Set(events.flatMap(({ snapshot }) => snapshot.member_id ?? [])))
    return { teams, members }
  }

  async function readParties(db: Knex, type: string, ids: ReadonlySet<number>): Promise<ReadonlyMap<number, Assignee>> {
    const table = catalog.types.get(type)?.table
    if (ids.size === 0 || table === undefined) return new Map()
    const rows: PartyRow[] = await db({ party: storage.table(table) })
      .leftJoin({ account: storage.table('accounts') }, 'account.id', 'party.account_id')
      .whereIn('party.id', [...ids])
      .select('party.id', 'party.name', 'party.sourceID', 'party.disabled', 'party.account_id', {
        account_name: 'account.name',
      })
    return new Map(rows.map((row) => [Number(row.id), assigneeOf(row)]))
  }

  function rowOf(event: OutboxEvent, subscriber: Subscriber, { teams, members }: Assignees): object {
    const message: Message = {
      webhook: { id: Number(subscriber.id), name: subscriber.name || subscriber.event },
      accountAddress: accountAddress(subscriber.account_id),
      event: event.event,
      recordId: event.recordId,
      person: event.personId === null ? null : { id: event.personId, name: event.personName },
      auditLineId: event.auditLineId,
      snapshot: event.snapshot,
      team: teams.get(event.snapshot.team_id ?? 0) ?? null,
      member: members.get(event.snapshot.member_id ?? 0) ?? null,
    }
    const now = timestampOf(clock.now())
    return {
      webhook_id: subscriber.id,
      account_id: subscriber.account_id,
      receiver: receiverKey(subscriber.account_id, subscriber.uri),
      event: event.event,
      object_id: event.recordId,
      body: formBody(message),
      link: linkHeader(baseUrl, catalog.types.get(event.recordType)?.path ?? `${event.recordType}s`, message),
      next_at: now,
      created_at: now,
    }
  }
}

type Seen = ReadonlyMap<string, ReadonlySet<string>>

function isFor({ accountId, recordType, recordId }: OutboxEvent, { account_id }: Subscriber, seen: Seen): boolean {
  return account_id === accountId || seen.get(recordKey(recordType, recordId))?.has(account_id) === true
}

function uniqueRecords(records: readonly RecordOfAccount[]): readonly RecordOfAccount[] {
  return [...new Map(records.map((record) => [recordKey(record.type, record.id), record])).values()]
}

interface Assignees {
  readonly teams: ReadonlyMap<number, Assignee>
  readonly members: ReadonlyMap<number, Assignee>
}

interface PartyRow {
  readonly id: number | string
  readonly name: string | null
  readonly sourceID: string | null
  readonly disabled: boolean | number | null
  readonly account_id: string
  readonly account_name: string | null
}

function assigneeOf(row: PartyRow): Assignee {
  const account: AccountName = { id: row.account_id, name: row.account_name ?? row.account_id }
  return { id: Number(row.id), name: row.name ?? '', sourceID: row.sourceID, disabled: Boolean(row.disabled), account }
}
