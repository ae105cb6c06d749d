/**
 * The feed: messages in sequence, for clients that fetch what deliveries would bring them (ADR 63). A page costs a constant number of
 * statements, and examines a bounded number of messages, whether the caller sees them or not.
 */
import { callForFeed } from '../access/tokens/token-limits.js'
import { type Call, hasRole } from '../core/call.js'
import { instantOf } from '../core/clock.js'
import { accountsReached } from '../core/passed-calls.js'
import { createInstantFormatter } from '../core/time/zoned-time.js'
import { partsOfEvent } from '../events/event-names.js'
import type { FeedReading } from '../operations/read/read-for-feed.js'
import type { Catalog } from '../schema/catalog.js'
import { IMPORT_COMPLETED } from '../schema/language/define-record.js'
import type { Storage } from '../storage/database/connections.js'
import { dbOf } from '../storage/database/transaction.js'
import { completeFrom, messageBounds, messagesInRange } from '../storage/queues/message-pages.js'
import type { Message } from '../storage/queues/messages.js'
import { createArrivals, type Place } from './arrivals.js'
import { type FeedParameters, readFeedParameters } from './feed-parameters.js'
import { type Readable, type ShownMessage, showBare, showMessage } from './show-message.js'

export type { FeedParameters } from './feed-parameters.js'

export interface FeedDeps {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly feedReading: FeedReading
}

/** A page of the feed. */
export interface FeedPage {
  readonly messages: readonly ShownMessage[]
  /** The number after which to go on. */
  readonly next: number
  /** True if nothing newer was there. */
  readonly isEnd: boolean
}

/** What is asked for is not kept any more, or there are no such numbers yet. */
export interface FeedGap {
  /** Number of the message from which on all are kept. */
  readonly oldest: number
  /** Number of the newest message, 0 without any; only if what is asked for is beyond it. */
  readonly newest?: number
}

export interface Feed {
  /** Reads the query parameters. @throws Forbidden for callers without access to the feed, BadRequest */
  read(call: Call, parameters: readonly (readonly [name: string, value: string])[]): FeedParameters
  /** The first messages after a number, as far as the caller sees their records now. @throws Forbidden */
  page(call: Call, asked: Omit<FeedParameters, 'wait'>): Promise<FeedPage | FeedGap>
  /** Takes a place to wait for messages. @throws TooManyRequests */
  enter(call: Call): Place
  /** Ends all waiting. */
  close(): void
}

/** Numbers that a page looks through at most: messages of other accounts and types are among them. */
const MAX_RANGE = 5000
/** Messages that a page examines at least, so that small pages are not empty for long. */
const MIN_EXAMINED = 100

/** Creates the feed. Does no I/O. */
export function createFeed({ storage, catalog, feedReading }: FeedDeps): Feed {
  const types = new Set(catalog.events.map((name) => name.slice(0, name.lastIndexOf('.'))))
  const format = createInstantFormatter()
  const arrivals = createArrivals({ newest: async () => (await messageBounds(storage.knex, storage))?.newest ?? 0 })

  return {
    read(call, parameters) {
      callForFeed(call)
      return readFeedParameters(parameters, types)
    },
    async page(given, { after, perPage, types: wanted }) {
      const call = callForFeed(given)
      const db = dbOf(storage, call)
      const bounds = await messageBounds(db, storage)
      const { oldest: first, newest } = bounds ?? { oldest: 1, newest: 0 }
      if (after === null || after === newest) return { messages: [], next: newest, isEnd: true }
      // Numbers are never taken back: the database is a backup from before, and the next messages would be taken for known ones.
      if (after > newest) return { oldest: first, newest }
      const start = after === 0 ? first - 1 : after
      if (start + 1 < first) return { oldest: first }
      const range = { after: start, upTo: Math.min(newest, start + MAX_RANGE) }
      const oldest = await completeFrom(db, storage, range)
      if (oldest > start + 1) return { oldest }
      const limit = Math.max(perPage, MIN_EXAMINED)
      const examined = await messagesInRange(db, storage, { ...range, types: wanted, accounts: accountsReached(call), limit })
      const known = await knownOf(call, examined)
      const some = known.slice(0, perPage)
      const last = some.length < known.length ? some.at(-1)?.message : examined[limit - 1]
      const next = last?.sequence ?? range.upTo
      return { messages: await show(call, some), next, isEnd: next >= newest }
    },
    enter: (call) => arrivals.enter(call.actor?.id ?? 0),
    close: () => arrivals.close(),
  }

  async function show(call: Call, messages: readonly Known[]): Promise<readonly ShownMessage[]> {
    const lines = messages.flatMap(({ isBare, message }) => (isBare ? [] : (message.auditLineId ?? [])))
    const readable: Readable = {
      at: (time) => format(instantOf(time), call.zone),
      changes: await feedReading.changes(call, [...new Set(lines)]),
      readsField: (type, field) => feedReading.readsField(call, type, field),
      isAdministrator: hasRole(call, 'account_administrator'),
    }
    return messages.map(({ isBare, message }) => (isBare ? showBare : showMessage)(message, readable))
  }

  /** The messages that the caller may know of, in order. One statement per type, and two for notes. */
  async function knownOf(call: Call, messages: readonly Message[]): Promise<readonly Known[]> {
    const hidden = await feedReading.hiddenNotes(call, [...new Set(messages.flatMap(({ snapshot }) => snapshot.note_id ?? []))])
    const seen = new Map<string, ReadonlySet<number>>()
    const whole = new Set<string>()
    for (const type of new Set(messages.map(({ recordType }) => recordType))) {
      const all = messages.filter(({ recordType }) => recordType === type)
      seen.set(type, await feedReading.seen(call, type, [...new Set(all.map(({ recordId }) => recordId))]))
      if (all.some(isRemoval) && (await feedReading.knowsAll(call, type))) whole.add(type)
    }
    const isKnown = (message: Message): boolean => {
      const { accountId, recordId, recordType, snapshot } = message
      const isOwn = accountId === call.account.id
      if (recordType === IMPORT_COMPLETED.type) return isOwn && seesImports(call)
      if (isRemoval(message) && isOwn && whole.has(recordType)) return true
      return seen.get(recordType)?.has(recordId) === true && !hidden.has(snapshot.note_id ?? 0)
    }
    return messages.filter(isKnown).map((message) => ({ message, isBare: isRemoval(message) }))
  }
}

/** A message that the caller may know of. */
interface Known {
  readonly message: Message
  /** True if the record may be gone, so that nobody can say which of its values the caller might read. */
  readonly isBare: boolean
}

/** Imports are no records: as deliveries, the feed tells those of them who administer the account. */
function seesImports(call: Call): boolean {
  return hasRole(call, 'account_administrator') && !call.token?.recordTypes
}

function isRemoval({ event }: Message): boolean {
  return partsOfEvent(event)?.verb === 'delete'
}
