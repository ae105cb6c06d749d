/**
 * Decides which webhooks are told of an event. The planner, replays and `GET /webhooks/:id/why` all decide here (ADR 65), so that
 * the reason which administrators read is the one that counts.
 */
import type { Knex } from 'knex'
import { type RecordOfAccount, recordKey, type VisibleIn } from '../access/sight/visible-in.js'
import type { Catalog } from '../schema/catalog.js'
import { NOTE } from '../schema/language/built-in-types.js'
import type { Storage } from '../storage/database/connections.js'
import type { Message } from '../storage/queues/messages.js'

/** Dependencies of the decisions. */
export interface DecideDeps {
  readonly storage: Storage
  readonly catalog: Catalog
  /**
   * Finds the accounts in which a record of another account is visible. Their webhooks fire as well. Default: none
   * (behaviour: Webhook events).
   */
  readonly visibleIn?: VisibleIn
}

/** What the decisions need of a webhook. */
export interface Subscriber {
  readonly id: number
  readonly accountId: string
  readonly event: string
  readonly uri: string
  readonly disabled: boolean
}

/** An event, before or after it has become a message. */
export type Happened = Omit<Message, 'eventId' | 'sequence'>

/** What keeps an event from a webhook, in the order in which it is looked at. */
export const KEPT_BY = ['disabled', 'event', 'account_not_visible', 'internal_note'] as const
export type KeptBy = (typeof KEPT_BY)[number]

/** What the decisions need from the database, for a batch of events. */
export interface Facts {
  /** Other accounts in which records are visible. */
  readonly seen: ReadonlyMap<string, ReadonlySet<string>>
  /** The account that may see each internal note: others are not told that there is one (behaviour: Passed records). */
  readonly readers: ReadonlyMap<number, string>
}

/** Returns what keeps an event from a webhook; null if nothing does. Pure. */
export function keptBy(webhook: Subscriber, event: Happened, { readers, seen }: Facts): KeptBy | null {
  const { accountId } = webhook
  if (webhook.disabled) return 'disabled'
  if (webhook.event !== event.event) return 'event'
  const isHere = accountId === event.accountId || seen.get(recordKey(event.recordType, event.recordId))?.has(accountId) === true
  if (!isHere) return 'account_not_visible'
  if ((readers.get(event.snapshot.note_id ?? 0) ?? accountId) !== accountId) return 'internal_note'
  return null
}

/** Reads the facts: a constant number of queries for any number of events and webhooks. */
export async function readFacts(
  deps: DecideDeps,
  db: Knex,
  events: readonly Happened[],
  webhooks: readonly Subscriber[],
): Promise<Facts> {
  const subscribed = new Set(webhooks.map(({ event }) => event))
  const wanted = events.filter(({ event }) => subscribed.has(event))
  return { seen: await seenElsewhere(deps, db, wanted, webhooks), readers: await readersOfNotes(deps, db, wanted) }
}

/** Checks visibility only if a webhook of another account subscribes to the event. */
async function seenElsewhere(
  { visibleIn }: DecideDeps,
  db: Knex,
  events: readonly Happened[],
  webhooks: readonly Subscriber[],
): Promise<Facts['seen']> {
  const asked = events.flatMap((event) => {
    const others = webhooks.filter((one) => one.event === event.event && one.accountId !== event.accountId)
    return others.map(({ accountId }) => ({ event, accountId }))
  })
  if (!visibleIn || asked.length === 0) return new Map()
  const records = asked.map(({ event }) => ({ type: event.recordType, id: event.recordId, accountId: event.accountId }))
  return visibleIn(db, uniqueRecords(records), [...new Set(asked.map(({ accountId }) => accountId))])
}

async function readersOfNotes(
  { catalog, storage }: DecideDeps,
  db: Knex,
  events: readonly Happened[],
): Promise<Facts['readers']> {
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

function uniqueRecords(records: readonly RecordOfAccount[]): readonly RecordOfAccount[] {
  return [...new Map(records.map((record) => [recordKey(record.type, record.id), record])).values()]
}

/** The accounts whose events a webhook of an account may get: its own, those with a trust relation, and its directory account. */
export async function accountsHeard(
  { storage, visibleIn }: DecideDeps,
  db: Knex,
  accountId: string,
): Promise<readonly string[]> {
  if (!visibleIn) return [accountId]
  const trusts: { one: string; other: string }[] = await db(storage.table('trusts'))
    .where({ account_id: accountId })
    .orWhere({ trusted_account_id: accountId })
    .select({ one: 'account_id', other: 'trusted_account_id' })
  const account = await db(storage.table('accounts')).where({ id: accountId }).first('directory_account_id')
  const directory: string | null = account?.directory_account_id ?? null
  const all = [accountId, ...(directory === null ? [] : [directory]), ...trusts.flatMap(({ one, other }) => [one, other])]
  return [...new Set(all)]
}
