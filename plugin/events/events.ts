import type { Clock } from '../core/clock.js'
import type { Log } from '../core/log.js'
import type { Storage } from '../storage/database/connections.js'
import type { Leases } from '../storage/queues/leases.js'
import { createListenerCalls, type ListenerCalls, type Listeners } from './listeners.js'
import { createRelay, type Receiver, type Relay } from './relay.js'

/** Dependencies of events. */
export interface EventsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  /** The host's listeners. */
  readonly on: Listeners
  /** Queues the deliveries to webhooks. */
  readonly planDeliveries: Receiver
  readonly leases: Leases
  /** Milliseconds after which another process takes over the work of one that has died. */
  readonly takeOverAfterMs: number
  /** Events per transaction of the relay; default 500. */
  readonly batchSize?: number
}

/** Dispatch of committed events: the relay moves them from the outbox to webhooks and listeners of the host. */
export interface Events {
  readonly relay: Relay
  readonly listeners: ListenerCalls
}

/** Maximum of `takeOverAfterMs` for the relay: it works in short steps, so another process takes over sooner. */
const MAX_RELAY_MS = 5000

/** Creates relay and listener calls. The receivers of the relay are webhooks and listeners, in this order. */
export function createEvents(deps: EventsDeps): Events {
  const { storage, leases, clock, log, on, planDeliveries, takeOverAfterMs: lastsMs } = deps
  const listeners = createListenerCalls({ storage, leases, clock, log, on, lastsMs })
  const receivers = [planDeliveries, listeners.plan]
  const size = deps.batchSize === undefined ? {} : { batchSize: deps.batchSize }
  const relay = createRelay({ storage, leases, log, receivers, lastsMs: Math.min(MAX_RELAY_MS, lastsMs), ...size })
  return { listeners, relay }
}
