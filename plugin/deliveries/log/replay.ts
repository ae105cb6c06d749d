/** Finds what a replay sends: deliveries of a time, and messages of it that had none (ADR 65). */

import type { Call } from '../../core/call.js'
import { chunksOf, MAX_VALUES } from '../../core/chunks.js'
import { Invalid, type Violation } from '../../core/errors.js'
import { parseInstant, withPlusRestored } from '../../core/time/zoned-time.js'
import type { Storage } from '../../storage/database/connections.js'
import { timestampOf } from '../../storage/database/timestamps.js'
import { DELIVERIES, STATES, TEST_KEY } from '../../storage/queues/delivery-rows.js'
import { readMessages } from '../../storage/queues/messages.js'
import type { Heard } from './channel-log.js'
import type { Candidate } from './put-back.js'

/** What is replayed. */
export interface Replayed {
  readonly from: Date
  /** Included. */
  readonly to: Date
  /** `failed`: what was given up or dropped; `all`: also what was sent, and what had no delivery. */
  readonly state: (typeof REPLAYED)[number]
  /** Null for all events. */
  readonly event: string | null
}

/** Values of `state`. */
export const REPLAYED = ['failed', 'all'] as const
/** Maximum number of deliveries of one replay. */
export const MAX_REPLAYED = 100_000
const MAX_EVENT = 128
const MAX_UNKNOWN = 10
const MAX_NAME = 128
/** Rows that one query returns. */
const ROWS_AT_ONCE = 5_000
const MESSAGES_AT_ONCE = 500
const KNOWN = new Set(['from', 'to', 'state', 'event'])
const SECOND = 1000

/** Reads the body of a replay. Strict: a misspelled limit must not replay everything. @throws Invalid with all violations */
export function readReplay(call: Pick<Call, 'now' | 'zone'>, body: Readonly<Record<string, unknown>>): Replayed {
  const violations: Violation[] = []
  const unknown = Object.keys(body).filter((name) => !KNOWN.has(name))
  for (const name of unknown.slice(0, MAX_UNKNOWN)) violations.push([name.slice(0, MAX_NAME), 'unknown_field'])
  const from = timeIn('from')
  const to = timeIn('to', call.now)
  const { event = null, state = 'failed' } = body
  const known = REPLAYED.find((one) => one === state)
  if (!known) violations.push(['state', 'inclusion'])
  if (event !== null && (typeof event !== 'string' || event === '' || event.length > MAX_EVENT))
    violations.push(['event', 'inclusion'])
  if (from && to && from > to) violations.push(['to', 'end_before_start'])
  if (violations.length > 0 || !from || !to || !known) throw new Invalid(violations)
  return { from, to: new Date(to.getTime() + SECOND - 1), state: known, event: typeof event === 'string' ? event : null }

  function timeIn(name: string, missing?: string): Date | null {
    const given = body[name] ?? missing
    if (given === undefined) violations.push([name, 'blank'])
    const instant = typeof given === 'string' ? parseInstant(withPlusRestored(given.trim()), call.zone) : null
    if (given !== undefined && instant === null) violations.push([name, 'invalid_datetime'])
    return instant === null ? null : new Date(instant)
  }
}

/** States of the rows that a replay puts back. */
export function statesOf({ state }: Pick<Replayed, 'state'>): readonly string[] {
  return state === 'failed' ? [STATES.failed, STATES.dropped] : [STATES.failed, STATES.dropped, STATES.sent]
}

/**
 * Finds the candidates of a target, in the order of their events, in queries of bounded size. What waits is none.
 *
 * @param heard what it would get now; null for rows alone
 * @throws Invalid if there are more than 100,000
 */
export async function findCandidates(
  storage: Storage,
  place: { readonly accountId: string; readonly channel: string; readonly target: string },
  asked: Replayed,
  heard: Heard | null,
  stopped: () => void,
): Promise<readonly Candidate[]> {
  const { knex } = storage
  const deliveries = storage.table(DELIVERIES)
  const [from, to] = [timestampOf(asked.from), timestampOf(asked.to)]
  const found: Candidate[] = []
  for (const state of statesOf(asked)) await findRows(state)
  if (asked.state === 'all' && heard) await findMissed(heard)
  // Rows without a message come from the version before, and are older than all others.
  return found.sort((one, other) => one.sequence - other.sequence || (one.id ?? 0) - (other.id ?? 0))

  /** By state, because the index then has the rows in the order of their ids. */
  async function findRows(state: string): Promise<void> {
    for (let last = 0; ; ) {
      stopped()
      const query = knex(deliveries)
        .where({ channel: place.channel, target: place.target, state, account_id: place.accountId })
        .where('id', '>', last)
        .whereBetween('created_at', [from, to])
        .whereNot('ordered_by', TEST_KEY)
        .orderBy('id')
        .limit(ROWS_AT_ONCE)
        .select('id', 'message', 'ordered_by')
      if (asked.event !== null) query.where({ event: asked.event })
      const rows: { id: number | string; message: number | string | null; ordered_by: string }[] = await query
      for (const { id, message, ordered_by } of rows) add({ id: Number(id), key: ordered_by, sequence: Number(message ?? 0) })
      last = Number(rows.at(-1)?.id ?? 0)
      if (rows.length < ROWS_AT_ONCE) return
    }
  }

  async function findMissed({ accountIds, events, plan }: Heard): Promise<void> {
    const wanted = asked.event === null ? events : events.filter((event) => event === asked.event)
    const messages = storage.table('messages')
    const [first] = await knex(messages).where('created_at', '>=', from).min({ sequence: 'sequence' })
    if (wanted.length === 0 || first?.['sequence'] === null) return
    for (let last = Number(first?.['sequence'] ?? 0) - 1; ; ) {
      stopped()
      const sequences: (number | string)[] = await knex(messages)
        .where('sequence', '>', last)
        .whereBetween('created_at', [from, to])
        .whereIn('event', [...wanted])
        .whereIn('account_id', [...accountIds])
        .orderBy('sequence')
        .limit(MESSAGES_AT_ONCE)
        .pluck('sequence')
      await addMissed(sequences.map(Number), plan)
      last = Number(sequences.at(-1) ?? 0)
      if (sequences.length < MESSAGES_AT_ONCE) return
    }
  }

  async function addMissed(sequences: readonly number[], plan: Heard['plan']): Promise<void> {
    const had = new Set<number>()
    for (const some of chunksOf(sequences, MAX_VALUES)) {
      const { channel, target } = place
      const rows: (number | string)[] = await knex(deliveries)
        .whereIn('message', [...some])
        .where({ channel, target })
        .pluck('message')
      for (const sequence of rows) had.add(Number(sequence))
    }
    const read = await readMessages(
      knex,
      storage,
      sequences.filter((sequence) => !had.has(sequence)),
    )
    const messages = [...read.values()]
    const plans = await plan(knex, messages)
    for (const [index, message] of messages.entries()) {
      const planned = plans[index]
      if (planned) add({ id: null, key: planned.key, sequence: message.sequence, message, planned })
    }
  }

  function add(candidate: Candidate): void {
    if (found.length >= MAX_REPLAYED) throw new Invalid([['from', 'too_many', { max: MAX_REPLAYED }]])
    found.push(candidate)
  }
}
