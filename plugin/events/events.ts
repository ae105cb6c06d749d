import type { Log } from '../core/log.js'
import type { Traffic } from '../core/waiting/traffic.js'
import type { Storage } from '../storage/database/connections.js'
import type { Leases } from '../storage/queues/leases.js'
import { createRelay, type Receiver, type Relay } from './relay.js'

export { createListenerChannel } from './listeners.js'

/** Dependencies of events. */
export interface EventsDeps {
  readonly storage: Storage
  readonly log: Log
  /** Turns events into messages and deliveries. */
  readonly plan: Receiver<ReadonlySet<string>>
  readonly leases: Leases
  /** Milliseconds after which another process takes over the work of one that has died. */
  readonly takeOverAfterMs: number
  /** Requests, to which the relay gives way. */
  readonly traffic?: Pick<Traffic, 'isHeavy'>
  /** Events per transaction of the relay; default 500. */
  readonly batchSize?: number
}

/** Maximum of `takeOverAfterMs` for the relay: it works in short steps, so another process takes over sooner. */
const MAX_RELAY_MS = 5000

/** Creates the relay, which moves committed events from the outbox to their messages. */
export function createEvents({ plan, takeOverAfterMs, ...deps }: EventsDeps): { readonly relay: Relay<ReadonlySet<string>> } {
  return { relay: createRelay({ ...deps, receivers: [plan], lastsMs: Math.min(MAX_RELAY_MS, takeOverAfterMs) }) }
}
