/**
 * Decides which webhooks are told of an event. The planner, replays and `GET /webhooks/:id/why` all decide here (ADR 65), so that
 * the reason which administrators read is the one that counts.
 */
import type { Knex } from 'knex'
import { type RecordOfAccount, recordKey, type VisibleIn } from '../access/sight/visible-in.js'
import { NOTE } from '../schema/language/built-in-types.js'
import type { Json } from '../schema/language/field.js'
import type { Message } from '../storage/queues/messages.js'
import { type Asking, createMatch, type MatchDeps } from './matches.js'
import { subscribedNames, subscribes } from './subscribes.js'

/** Dependencies of the decisions. */
export interface DecideDeps extends MatchDeps {
  /**
   * Finds the accounts in which a record of another account is visible. Their webhooks fire as well. Default: none
   * (behaviour: Events).
   */
  readonly visibleIn?: VisibleIn
}

/** What the decisions need of a webhook. */
export interface Subscriber {
  readonly id: number
  readonly accountId: string
  readonly uri: string
  readonly asking: Asking
}

/** An event, before or after it has become a message. */
export type Happened = Omit<Message, 'eventId' | 'sequence'>

/** What keeps an event from a webhook, in the order in which it is looked at. */
export const KEPT_BY = ['disabled', 'event', 'account_not_visible', 'internal_note', 'own_change', 'filter'] as const
export type KeptBy = (typeof KEPT_BY)[number]

/** The reason, and for what the webhook asks the term that did not hold, with the value that it met. */
export interface Kept {
  readonly by: KeptBy
  readonly term: string | null
  readonly met: Json
}

/** Returns what keeps an event from a webhook, both of those that were decided about; null if nothing does. */
export type Decided = (webhook: Subscriber, event: Happened) => Kept | null

/** Decides about all events and webhooks of a batch: a constant number of queries for any number of them. */
export type Decide = (db: Knex, events: readonly Happened[], webhooks: readonly Subscriber[]) => Promise<Decided>

export function createDecide(deps: DecideDeps): Decide {
  const match = createMatch(deps)
  return async (db, events, webhooks) => {
    const names = new Map(webhooks.map((one) => [one, subscribedNames(one.asking)]))
    const wants = (webhook: Subscriber, { event }: Happened) => subscribes(names.get(webhook) ?? [], event)
    const wanted = events.filter((event) => webhooks.some((one) => wants(one, event)))
    const others = wanted.flatMap((event) =>
      webhooks
        .filter((one) => one.accountId !== event.accountId && wants(one, event))
        .map(({ accountId }) => ({ event, accountId })),
    )
    const seen = await seenElsewhere(deps, db, others)
    const readers = await readersOfNotes(deps, db, wanted)
    const atOnce = (webhook: Subscriber, event: Happened): KeptBy | null => {
      const { accountId } = webhook
      if (webhook.asking.disabled) return 'disabled'
      if (!wants(webhook, event)) return 'event'
      const isHere =
        accountId === event.accountId || seen.get(recordKey(event.recordType, event.recordId))?.has(accountId) === true
      if (!isHere) return 'account_not_visible'
      return (readers.get(event.snapshot.note_id ?? 0) ?? accountId) === accountId ? null : 'internal_note'
    }
    const open = wanted.flatMap((message) =>
      webhooks.filter((one) => atOnce(one, message) === null).map((webhook) => ({ webhook, message, asking: webhook.asking })),
    )
    const decisions = await match(db, open)
    const refused = new Map<Happened, Map<Subscriber, Kept>>()
    for (const [index, { message, webhook }] of open.entries()) {
      const decision = decisions[index]
      if (decision?.wanted !== false) continue
      const { because: by, met, term } = decision
      refused.set(message, (refused.get(message) ?? new Map<Subscriber, Kept>()).set(webhook, { by, term, met }))
    }
    return (webhook, event) => {
      const by = atOnce(webhook, event)
      return by ? { by, term: null, met: null } : (refused.get(event)?.get(webhook) ?? null)
    }
  }
}

/** Checks visibility only if a webhook of another account subscribes to the event. */
async function seenElsewhere(
  { visibleIn }: DecideDeps,
  db: Knex,
  asked: readonly { readonly event: Happened; readonly accountId: string }[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  if (!visibleIn || asked.length === 0) return new Map()
  const records = asked.map(({ event }) => ({ type: event.recordType, id: event.recordId, accountId: event.accountId }))
  return visibleIn(db, uniqueRecords(records), [...new Set(asked.map(({ accountId }) => accountId))])
}

/** The account that may see each internal note: others are not told that there is one (behaviour: Passed records). */
async function readersOfNotes(
  { catalog, storage }: DecideDeps,
  db: Knex,
  events: readonly Happened[],
): Promise<ReadonlyMap<number, string>> {
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
