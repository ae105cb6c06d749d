/** Reads deliveries as the log shows them: a constant number of queries for a page. */
import type { Knex } from 'knex'
import type { Call } from '../../core/call.js'
import { type Instant, instantOf } from '../../core/clock.js'
import type { Storage } from '../../storage/database/connections.js'
import { dateOfTimestamp } from '../../storage/database/timestamps.js'
import { DELIVERIES, STATES, TEST_KEY } from '../../storage/queues/delivery-rows.js'
import { ATTEMPTS } from '../attempt-rows.js'
import type { Channel } from '../channel.js'
import type { Delivery } from '../delivery.js'
import { type DeliveryRow, deliveryOf, selectDeliveries } from '../delivery-row.js'
import type { Request, Summary } from './channel-log.js'
import { addFilters, type Parameters, readLogParameters } from './log-parameters.js'

/**
 * A delivery in the log: `id`, `channel`, `target` and `state`, the `event` and the id of its record (`object_id`), when it was
 * made (`created_at`) and ended (`finished_at`), and `last_error`.
 */
export interface ListedDelivery extends Summary {
  readonly id: number
  readonly channel: string
  readonly target: string
  readonly event: string | null
  readonly object_id: number | null
  /** True for the test of a webhook, whose `object_id` is made up. */
  readonly test: boolean
  readonly state: string
  /** Attempts so far, the successful one included. */
  readonly attempts: number
  readonly created_at: Instant
  /** Null unless it waits. */
  readonly next_at: Instant | null
  readonly finished_at: Instant | null
  readonly last_error: string | null
}

/** A delivery on its own. */
export interface ShownDelivery extends ListedDelivery {
  /** As it is sent, or was sent the last time; null for channels without requests. */
  readonly request: Request | null
  /** The attempts in order; of many, the last 100. */
  readonly log: readonly LoggedAttempt[]
}

/** An attempt. */
export interface LoggedAttempt {
  readonly at: Instant
  readonly milliseconds: number
  /** Status of HTTP; null without one. */
  readonly status: number | null
  /** Why it has failed; null for a success. */
  readonly reason: string | null
  /** Beginning of the answer, at most 1 KB. */
  readonly answer: string | null
}

/** The deliveries that somebody may see. */
export interface Place {
  readonly accountId: string
  readonly channel?: string
  readonly target?: string
}

/** A page of deliveries. */
export interface LogPage {
  readonly items: readonly ListedDelivery[]
  readonly total: number
  readonly page: number
  readonly perPage: number
}

/** A delivery with the columns that only the log needs. */
export interface Logged {
  readonly delivery: Delivery
  readonly listed: Omit<ListedDelivery, keyof Summary>
}

const MAX_ATTEMPTS = 100

/** Dependencies of reading. */
export interface ReadLogDeps {
  readonly storage: Storage
  readonly channels: readonly Channel[]
}

/** A page of deliveries. @throws BadRequest for parameters that cannot be read */
export async function readPage(
  deps: ReadLogDeps,
  call: Call,
  db: Knex,
  place: Place,
  parameters: Parameters,
): Promise<LogPage> {
  const { storage } = deps
  const { page, perPage, sort, where } = readLogParameters(parameters, call.zone)
  const chosen = () => {
    const query = db(storage.table(DELIVERIES)).where(whereOf(place))
    addFilters(query, where)
    return query
  }
  const [{ total = 0 } = {}] = (await chosen().count({ total: '*' })) as { total?: number | string }[]
  const order = [...sort, { field: 'id', descending: sort[0]?.descending ?? true }]
  // Ids first: the index has them, and the texts of other rows are not read.
  const ids: (number | string)[] = await chosen()
    .orderBy(order.map(({ descending, field }) => ({ column: field, order: descending ? 'desc' : 'asc' })))
    .limit(perPage)
    .offset((page - 1) * perPage)
    .pluck('id')
  const found = new Map((await readLogged(storage, db, ids.map(Number))).map((one) => [one.delivery.id, one]))
  const logged = ids.flatMap((id) => found.get(Number(id)) ?? [])
  return { items: await withSummaries(deps, call, logged), total: Number(total), page, perPage }
}

/** One delivery; null if there is none in this place. @param lock to lock its row in a transaction */
export async function findLogged(storage: Storage, db: Knex, place: Place, id: number, lock?: 'lock'): Promise<Logged | null> {
  const row = db(storage.table(DELIVERIES)).where({ ...whereOf(place), id })
  const found = await (lock ? row.forUpdate() : row).first('id')
  if (!found) return null
  const [logged] = await readLogged(storage, db, [id])
  return logged ?? null
}

/** A delivery with its request and its attempts. */
export async function showDelivery(deps: ReadLogDeps, call: Call, db: Knex, logged: Logged): Promise<ShownDelivery> {
  const { delivery } = logged
  const [listed] = await withSummaries(deps, call, [logged])
  const rows: AttemptRow[] = await db(deps.storage.table(ATTEMPTS))
    .where({ delivery_id: delivery.id })
    .orderBy('id', 'desc')
    .limit(MAX_ATTEMPTS)
    .select('milliseconds', 'status', 'reason', 'answer', 'at')
  const [last] = rows
  const sentAt = last ? new Date(dateOfTimestamp(last.at).getTime() - Number(last.milliseconds)) : null
  const channel = channelOf(deps, logged)
  return {
    ...(listed ?? logged.listed),
    request: (await channel?.log?.reveal?.(delivery, sentAt)) ?? null,
    log: rows.toReversed().map(({ answer, at, milliseconds, reason, status }) => ({
      at: instantOf(dateOfTimestamp(at)),
      milliseconds: Number(milliseconds),
      status: status === null ? null : Number(status),
      reason,
      answer,
    })),
  }
}

/** What lists show of deliveries: one question to each of their channels. */
export async function withSummaries(deps: ReadLogDeps, call: Call, all: readonly Logged[]): Promise<readonly ListedDelivery[]> {
  const summaries = new Map<number, Summary>()
  for (const { log, name } of deps.channels) {
    const own = all.filter(({ listed }) => listed.channel === name).map(({ delivery }) => delivery)
    const told = own.length > 0 ? await log?.summarize?.(call, own) : undefined
    for (const [index, summary] of (told ?? []).entries()) summaries.set(own[index]?.id ?? 0, summary)
  }
  return all.map(({ delivery, listed }) => ({ ...listed, ...summaries.get(delivery.id) }))
}

/** The channel of a delivery; undefined if this process does not have it. */
export function channelOf(
  { channels }: Pick<ReadLogDeps, 'channels'>,
  { listed }: Pick<Logged, 'listed'>,
): Channel | undefined {
  return channels.find(({ name }) => name === listed.channel)
}

function whereOf({ accountId, channel, target }: Place) {
  return { account_id: accountId, ...(channel !== undefined && { channel }), ...(target !== undefined && { target }) }
}

async function readLogged(storage: Storage, db: Knex, ids: readonly number[]): Promise<readonly Logged[]> {
  if (ids.length === 0) return []
  const counted = db(storage.table(ATTEMPTS)).whereRaw('delivery_id = ??', ['d.id']).count('*').as('counted')
  const rows: LoggedRow[] = await selectDeliveries(db, storage)
    .whereIn('d.id', [...ids])
    .select('d.channel', 'd.state', 'd.last_error', counted, 'd.created_at')
  return rows.map(loggedOf)
}

interface LoggedRow extends DeliveryRow {
  readonly channel: string
  readonly state: string
  readonly last_error: string | null
  readonly counted: number | string
  readonly created_at: string
}

interface AttemptRow {
  readonly at: string
  readonly milliseconds: number | string
  readonly status: number | string | null
  readonly reason: string | null
  readonly answer: string | null
}

function loggedOf(row: LoggedRow): Logged {
  const delivery = deliveryOf(row)
  const { event, id, objectId, target } = delivery
  const isOver = row.state !== STATES.waiting && row.state !== STATES.testing
  const since = row.finished_at === null ? null : instantOf(dateOfTimestamp(row.finished_at))
  // Rows of a version before, and those of hosts that keep nothing, have attempts that are counted only there.
  const own = delivery.attempts + (row.state === STATES.sent ? 1 : 0)
  return {
    delivery,
    listed: {
      ...{ id, channel: row.channel, target, event, object_id: objectId, test: delivery.key === TEST_KEY },
      state: row.state === STATES.testing ? STATES.waiting : row.state,
      attempts: Math.max(own, Number(row.counted)),
      created_at: instantOf(dateOfTimestamp(row.created_at)),
      next_at: row.state === STATES.waiting ? instantOf(dateOfTimestamp(delivery.nextAt)) : null,
      finished_at: isOver ? since : null,
      last_error: row.last_error,
    },
  }
}
