/**
 * The channel of the host's listeners: `on: { 'task.status-changed': [tellPager] }`. They are called after commit, at least once,
 * outside of every transaction. A listener gets its events one after the other, in order of occurrence (a repeated one later). One
 * that throws or does not return in time is called again like every delivery; it delays neither other listeners nor later events
 * (ADR 62).
 */
import type { Log } from '../core/log.js'
import { inTime, NoAnswer } from '../core/waiting/in-time.js'
import type { CarriedOver, Channel, OlderRow } from '../deliveries/channel.js'
import type { Delivery, Outcome } from '../deliveries/delivery.js'
import { type HostEvent, hostEventOf, parseHostEvent } from '../deliveries/host-event.js'
import { nextTry } from '../deliveries/retries.js'
import type { NewDelivery } from '../storage/queues/delivery-rows.js'
import { type Listener, nameOfListener } from './name-listeners.js'

/** Listeners by the name of the event. */
export type Listeners = { readonly [event: string]: readonly Listener[] }

export interface ListenersDeps {
  readonly log: Log
  /** Each with a name that no other function has. */
  readonly on: Listeners
  /** Milliseconds after which a listener that has not returned counts as failed; default 30,000. */
  readonly timeout?: number
}

const TIMEOUT = 30_000
const AT_ONCE = 256

/** Creates the channel, without any I/O. A lane is a listener, by its name. */
export function createListenerChannel({ log, on, timeout = TIMEOUT }: ListenersDeps): Channel {
  const byName = new Map<string, Listener>()
  for (const listener of Object.values(on).flat()) byName.set(nameOfListener(listener), listener)

  return {
    name: 'listener',
    leaseKind: 'listeners',
    atOnce: AT_ONCE,
    atOncePerLane: 1,
    readsChanges: true,
    lanes: new Set(byName.keys()),
    older: { ...OLDER, carryOver },
    isWanted: (events) => events.some((event) => (on[event]?.length ?? 0) > 0),
    plan: async (_db, events) =>
      events.flatMap((event) =>
        (on[event.event] ?? []).map((listener) => ({ ...waitingFor(listener, event.accountId), event })),
      ),
    meet: async (targets) =>
      new Map(
        targets.flatMap((name) => {
          const listener = byName.get(name)
          return listener ? [[name, { lane: name, atOnce: 1, send: (delivery) => call(listener, delivery) }] as const] : []
        }),
      ),
    nextTry: (attempt) => nextTry(attempt),
    log: { summarize: async (_call, deliveries) => deliveries.map(({ target: listener }) => ({ listener })) },
    failed({ delivery, outcome }, next) {
      const err = outcome.ok ? null : outcome.error
      const details = { err, listener: delivery.target, attempts: delivery.attempts + 1 }
      if (next) log.warn(details, 'A listener failed and will be called again')
      else log.error(details, 'A listener failed for the last time; its event is dropped')
    },
    dropped(count, listeners) {
      log.error({ dropped: count, listeners }, 'Listeners of queued events no longer exist; their events are dropped')
    },
  }

  async function call(listener: Listener, delivery: Delivery): Promise<Outcome> {
    // Not a promise of the listener: it may throw at once.
    const called = (async () => listener(eventOf(delivery)))()
    await inTime(timeout, called).catch((error: unknown) => {
      if (error instanceof NoAnswer) throw new Error(`The listener has not returned after ${timeout} ms`)
      throw error ?? new Error('The listener threw nothing')
    })
    return { ok: true }
  }

  /** A row names its listener by event and position. */
  function carryOver(row: OlderRow): (NewDelivery & CarriedOver) | null {
    const name = String(row['listener'])
    const slash = name.lastIndexOf('/')
    const listener = on[name.slice(0, slash)]?.[Number(name.slice(slash + 1))]
    if (!listener) {
      log.error({ listener: name }, 'The listener of a queued event no longer exists; the event is dropped')
      return null
    }
    const event = parseHostEvent(String(row['event']))
    return {
      ...waitingFor(listener, event.accountId),
      content: event,
      ...{ event: event.name, objectId: event.recordId, lastError: null, failedAt: null },
      ...{ attempts: Number(row['attempts']), nextAt: String(row['next_at']) },
    }
  }
}

/** The rows of the version before. */
const OLDER = { table: 'listener_queue', columns: ['listener', 'event', 'attempts'], times: ['next_at'], laneColumn: null }

function waitingFor(listener: Listener, accountId: string): NewDelivery {
  const name = nameOfListener(listener)
  return { target: name, lane: name, key: name, accountId }
}

function eventOf(delivery: Delivery): HostEvent {
  const { content, message } = delivery
  return message ? hostEventOf(message, delivery) : parseHostEvent(JSON.stringify(content))
}
