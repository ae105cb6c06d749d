/** Plans deliveries of events to subscribed webhooks. Runs in the transaction of the relay. */
import type { Knex } from 'knex'
import { type RecordOfAccount, recordKey, type VisibleIn } from '../access/sight/visible-in.js'
import type { Planned } from '../deliveries/channel.js'
import { NOTE } from '../schema/language/built-in-types.js'
import type { Occurred } from '../storage/queues/messages.js'
import { type Asking, createMatch, type MatchDeps } from './matches.js'
import { receiverKey } from './receiver-key.js'
import { subscribedNames, subscribes, whereSubscribed } from './subscribes.js'
import { ASKING_COLUMNS, askingOf } from './webhook-columns.js'

export interface PlanDeps extends MatchDeps {
  /**
   * Finds the accounts in which a record of another account is visible. Their webhooks fire as well. Default: none
   * (behaviour: Webhook events).
   */
  readonly visibleIn?: VisibleIn
}

interface SubscriberRow extends Record<(typeof ASKING_COLUMNS)[number], unknown> {
  readonly id: number | string
  readonly account_id: string
  readonly uri: string
}

interface Subscriber extends SubscriberRow {
  readonly asking: Asking
  readonly names: readonly string[]
}

/** Creates a function that plans one delivery per event and matching enabled webhook. */
export function createPlanner(deps: PlanDeps): (db: Knex, events: readonly Occurred[]) => Promise<readonly Planned[]> {
  const { storage, catalog, visibleIn } = deps
  const match = createMatch(deps)
  return plan

  async function plan(db: Knex, events: readonly Occurred[]): Promise<readonly Planned[]> {
    if (events.length === 0) return []
    const subscribers = await readSubscribers(db, events)
    if (subscribers.length === 0) return []
    const seen = await seenElsewhere(db, events, subscribers)
    const readers = await readersOfNotes(
      db,
      events.filter(({ event }) => subscribers.some(({ names }) => subscribes(names, event))),
    )
    const mayRead = ({ snapshot: { note_id } }: Occurred, { account_id }: Subscriber) =>
      (readers.get(note_id ?? 0) ?? account_id) === account_id
    const open = events.flatMap((event) =>
      subscribers
        .filter((one) => subscribes(one.names, event.event) && isFor(event, one, seen) && mayRead(event, one))
        .map((subscriber) => ({ event, subscriber })),
    )
    const decisions = await match(
      db,
      open.map(({ event: message, subscriber: { asking } }) => ({ asking, message })),
    )
    return open.flatMap(({ event, subscriber }, index) => (decisions[index]?.wanted ? [deliveryTo(subscriber, event)] : []))
  }

  /**
   * Finds enabled webhooks of the accounts of the records, of accounts with a trust relation, and of accounts that these
   * accounts have as directory. Nothing is queued for disabled webhooks (behaviour: Webhook events).
   */
  async function readSubscribers(db: Knex, events: readonly Occurred[]): Promise<readonly Subscriber[]> {
    const holders = [...new Set(events.map(({ accountId }) => accountId))]
    const [webhooks, trusts, accounts] = [storage.table('webhooks'), storage.table('trusts'), storage.table('accounts')]
    const enabled = () =>
      db({ w: webhooks })
        .where((one) =>
          whereSubscribed(
            one,
            events.map(({ event }) => event),
            'w',
          ),
        )
        .where((one) => one.where('w.disabled', false).orWhereNull('w.disabled'))
        .select('w.id', 'w.account_id', 'w.uri', ...ASKING_COLUMNS.map((column) => `w.${column}`))
    const own = enabled().whereIn('w.account_id', holders)
    const related = [
      enabled().join({ t: trusts }, 't.trusted_account_id', 'w.account_id').whereIn('t.account_id', holders),
      enabled().join({ t: trusts }, 't.account_id', 'w.account_id').whereIn('t.trusted_account_id', holders),
      enabled().join({ a: accounts }, 'a.id', 'w.account_id').whereIn('a.directory_account_id', holders),
    ]
    // Each part of the union uses an index; conditions with OR would not.
    const rows: SubscriberRow[] = await (visibleIn ? own.union(related) : own)
    return rows
      .sort((one, other) => Number(one.id) - Number(other.id))
      .map((row) => {
        const asking = askingOf(row)
        return { ...row, asking, names: subscribedNames(asking) }
      })
  }

  /** Checks visibility only if a webhook of another account subscribes to the event. */
  async function seenElsewhere(db: Knex, events: readonly Occurred[], subscribers: readonly Subscriber[]): Promise<Seen> {
    const asked = events.flatMap((event) => {
      const others = subscribers.filter((one) => subscribes(one.names, event.event) && one.account_id !== event.accountId)
      return others.map(({ account_id }) => ({ event, accountId: account_id }))
    })
    if (!visibleIn || asked.length === 0) return new Map()
    const records = asked.map(({ event }) => ({ type: event.recordType, id: event.recordId, accountId: event.accountId }))
    return visibleIn(db, uniqueRecords(records), [...new Set(asked.map(({ accountId }) => accountId))])
  }

  /** The account that may see each internal note: others are not told that there is one (behaviour: Passed records). */
  async function readersOfNotes(db: Knex, events: readonly Occurred[]): Promise<ReadonlyMap<number, string>> {
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
}

/** Events of one record go to a receiver one after the other, whichever webhook they go through (behaviour: Webhook events). */
function deliveryTo({ account_id, id, uri }: Subscriber, event: Occurred): Planned {
  const key = keyOf(event.event, event.recordId)
  return { target: String(id), accountId: account_id, lane: receiverKey(account_id, uri), key, event }
}

/** The key of deliveries about a record. */
export function keyOf(event: string, recordId: number): string {
  return `${event.split('.')[0]}/${recordId}`
}

type Seen = ReadonlyMap<string, ReadonlySet<string>>

function isFor({ accountId, recordType, recordId }: Occurred, { account_id }: Subscriber, seen: Seen): boolean {
  return account_id === accountId || seen.get(recordKey(recordType, recordId))?.has(account_id) === true
}

function uniqueRecords(records: readonly RecordOfAccount[]): readonly RecordOfAccount[] {
  return [...new Map(records.map((record) => [recordKey(record.type, record.id), record])).values()]
}
