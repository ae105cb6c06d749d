/**
 * A channel of the host. Its functions may fail or hang, so none of them runs in the transaction of the relay: each message first
 * waits as a delivery without a target, whose attempt asks for the targets. Their deliveries take its place in the transaction that
 * acknowledges it (ADR 62).
 */
import { createHash } from 'node:crypto'
import type { Log } from '../core/log.js'
import { unlessAborted } from '../core/waiting/in-time.js'
import { nextAttempt } from '../core/waiting/next-attempt.js'
import type { Catalog } from '../schema/catalog.js'
import type { NewDelivery } from '../storage/queues/delivery-rows.js'
import type { Message, Occurred } from '../storage/queues/messages.js'
import type { Queries } from '../storage/records/query.js'
import { reasonOf } from './attempt-rows.js'
import type { Channel, Target } from './channel.js'
import { type Addressed, answerOf, type ChannelMessage, type ChannelTools, type HostChannel } from './define-channel.js'
import type { Delivery, Outcome } from './delivery.js'
import { hostEventOf } from './host-event.js'
import { nextTry, type Waits } from './retries.js'

export interface HostChannelDeps {
  readonly log: Log
  readonly catalog: Catalog
  readonly queries: Pick<Queries, 'rows'>
}

/** Target of a message whose targets are not known yet. */
const UNKNOWN = ''
const TIMEOUT = 10_000
const AT_ONCE = 64
const AT_ONCE_PER_LANE = 16
const MAX_TARGET = 160

/** Creates the channel, without any I/O. */
export function createHostChannel(deps: HostChannelDeps, host: HostChannel): Channel {
  const { catalog, log, queries } = deps
  const { name, timeoutMs = TIMEOUT } = host
  const events = host.events && new Set(host.events)
  const waits = waitsOf(host)
  const laneOf = (target: string) => digestOf(name, target === UNKNOWN ? null : (host.lane?.(target) ?? target))
  const tools: ChannelTools = {
    async read(typeName, ids) {
      const type = catalog.type(typeName)
      const where = { path: ['id'], op: 'in', values: ids } as const
      const rows = ids.length > 0 ? await queries.rows({}, { type, where }) : []
      return new Map(rows.map((row) => [Number(row['id']), row]))
    },
  }

  return {
    name,
    leaseKind: 'channel',
    atOnce: AT_ONCE,
    atOncePerLane: AT_ONCE_PER_LANE,
    readsChanges: true,
    isWanted: (names) => names.some((event) => events?.has(event) ?? true),
    plan: async (_db, all) =>
      all.flatMap((event) => (events?.has(event.event) === false ? [] : [{ ...waitingFor(event, UNKNOWN), event }])),
    meet: async (targets) => new Map(targets.map((target) => [target, targetOf(target)])),
    prepare,
    nextTry: (attempt) => nextTry(attempt, waits),
    failed({ delivery, outcome }, next) {
      if (outcome.ok) return
      const details = { err: outcome.error, channel: name, target: delivery.target, event: delivery.event }
      if (next) log.warn(details, 'A message could not be sent and will be sent again')
      else log.error(details, 'A message could not be sent for the last time; it is dropped')
    },
    dropped: () => {},
  }

  function targetOf(target: string): Target {
    return {
      lane: laneOf(target),
      atOnce: AT_ONCE_PER_LANE,
      send: (delivery) => bounded((signal) => (target === UNKNOWN ? spread(delivery) : sendTo(target, delivery, signal))),
    }
  }

  /** Does work of the host for at most `timeoutMs`. What it throws is a failure, with what it says of the next attempt. */
  function bounded(work: (signal: AbortSignal) => Promise<Outcome>): Promise<Outcome> {
    return within(work).catch(failureOf)
  }

  async function within<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const cancel = new AbortController()
    const timer = setTimeout(() => cancel.abort(new Error(`No answer within ${timeoutMs} ms`)), timeoutMs)
    try {
      return await unlessAborted(cancel.signal, () => work(cancel.signal))
    } finally {
      clearTimeout(timer)
    }
  }

  async function sendTo(target: string, delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
    const request = await host.render(messageOf(delivery), target, tools)
    return { ok: true, ...answerOf(await host.send(request, signal)) }
  }

  /** Asks where the messages of a page go, all at once. If that fails, each of them asks alone, so that only one of them fails. */
  async function prepare(page: readonly Delivery[]): Promise<readonly Delivery[]> {
    const asking = page.filter(({ target }) => target === UNKNOWN)
    if (asking.length < 2) return page
    const found = new Map(asking.map(({ message }) => [message?.sequence ?? 0, [] as Addressed[]]))
    try {
      const all = await within(async () => host.targets(asking.map(messageOf), tools))
      for (const one of all) found.get(one.message.sequence)?.push(one)
    } catch {
      return page
    }
    return page.map((delivery) =>
      delivery.target === UNKNOWN ? { ...delivery, prepared: found.get(delivery.message?.sequence ?? 0) } : delivery,
    )
  }

  /** Asks where a message goes, unless its page has. */
  async function spread(delivery: Delivery): Promise<Outcome> {
    const message = messageOf(delivery)
    const found = (delivery.prepared as readonly Addressed[] | undefined) ?? (await host.targets([message], tools))
    const targets = new Set([...found].map((one) => checked(one, message)))
    return { ok: true, becomes: [...targets].map((target) => waitingAs(delivery, target)) }
  }

  function checked({ message, target }: Addressed, asked: ChannelMessage): string {
    if (message.sequence !== asked.sequence) throw new TypeError('targets must return the messages that it was given')
    if (typeof target === 'string' && target !== UNKNOWN && target.length <= MAX_TARGET) return target
    throw new TypeError(`targets must return texts of 1 to ${MAX_TARGET} characters`)
  }

  function waitingFor(event: Pick<Occurred, 'accountId' | 'recordId' | 'recordType'>, target: string): NewDelivery {
    const key = `${event.recordType}/${event.recordId}`
    return { target, lane: laneOf(target), key, accountId: event.accountId }
  }

  function waitingAs({ accountId, key }: Delivery, target: string): NewDelivery {
    return { target, lane: laneOf(target), key, accountId }
  }
}

/** The message of a delivery, for the host. Every delivery of a host's channel has one. */
function messageOf(delivery: Delivery): ChannelMessage {
  const message = delivery.message as Message
  const { member, sequence, team } = message
  return { ...hostEventOf(message, delivery), sequence, team, member }
}

function failureOf(error: unknown): Outcome {
  const { isFinal, retryAt } = Object(error) as { readonly isFinal?: unknown; readonly retryAt?: unknown }
  return {
    ...{ ok: false, reason: reasonOf(error), error, ...answerOf(error) },
    ...(retryAt instanceof Date && !Number.isNaN(retryAt.getTime()) && { retryAt }),
    ...(isFinal === true && { isFinal }),
  }
}

function waitsOf({ attempts = 10, waits }: HostChannel): Waits {
  return (failures, failedAt) => {
    if (failures >= attempts) return null
    const wait = waits?.[Math.min(failures, waits.length) - 1]
    // After the tenth, the longest pause of the house counts.
    return wait === undefined ? nextAttempt(Math.min(failures, 9), failedAt) : new Date(failedAt.getTime() + wait)
  }
}

/** Lanes of all channels are in one table; null is the lane of messages without targets. */
function digestOf(channel: string, lane: string | null): string {
  return createHash('sha256')
    .update(JSON.stringify([channel, lane]))
    .digest('hex')
}
