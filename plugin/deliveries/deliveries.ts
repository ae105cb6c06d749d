/** Entry point of this folder: messages and their deliveries, as the rest of the plugin uses them. */
import type { Log } from '../core/log.js'
import type { Observer } from '../core/observe.js'
import type { Traffic } from '../core/waiting/traffic.js'
import type { Leases } from '../storage/queues/leases.js'
import type { HostChannel } from './define-channel.js'
import { createDeliverer, type Delivered } from './deliver.js'
import { createHostChannel, type HostChannelDeps } from './host-channel.js'
import { createDeliveryLog, type DeliveryLog } from './log/delivery-log.js'
import { createHostDeliveries, type HostDeliveries, type HostDeliveriesDeps } from './log/host-deliveries.js'
import { createPlan, type Plan, type PlanDeps } from './plan-deliveries.js'
import { createPurge, type Purge } from './purge.js'
import { createQueue } from './queue.js'

export interface DeliveriesDeps extends Omit<PlanDeps, 'keepsAll'> {
  readonly log: Log
  /** The channels of the host, with the records that they read. */
  readonly host?: Pick<HostChannelDeps, 'queries'> & { readonly channels: readonly HostChannel[] }
  readonly leases: Leases
  /** The functions of the host that watch deliveries. */
  readonly observer?: Observer
  /** Requests, to which deliveries give way. */
  readonly traffic?: Pick<Traffic, 'isHeavy'>
  /** Milliseconds after which the work of a process that died is taken over. */
  readonly takeOverAfterMs: number
  /** Days for which messages are kept, with their deliveries; 0 keeps what waits to be sent, and nothing else. */
  readonly keepDays: number
  /** To be called after a commit that has queued deliveries of a channel. Returns at once. Default: the sweep finds them. */
  readonly wakeDeliveries?: (channel: string) => void
}

export interface Deliveries {
  /** Names of the channels. */
  readonly channels: readonly string[]
  /** Returns true if one of the events may have a delivery. Queues nothing. */
  isWanted(events: readonly string[]): Promise<boolean>
  /** Queues deliveries in the transaction of the relay, and returns the channels that have some. */
  readonly plan: Plan
  /**
   * Sends all due deliveries of a channel. `next` is the latest time to call it again, for retries and for work that another process
   * has the lease for. If it is called while it runs, it searches again. After `signal` it starts no attempt.
   */
  deliverDue(channel: string, signal?: AbortSignal): Promise<Delivered>
  /** Deletes what is kept no longer; for a daily job. */
  readonly purge: Purge
  /** What waits, was sent or given up, and how it is sent again. */
  readonly log: DeliveryLog
  /** The log for the host's own code. */
  forHost(deps: Omit<HostDeliveriesDeps, 'log'>): HostDeliveries
}

/** Creates the deliveries of channels, without any I/O. */
export function createDeliveries(deps: DeliveriesDeps): Deliveries {
  const {
    clock,
    host,
    keepDays,
    leases,
    log,
    observer,
    storage,
    takeOverAfterMs: lastsMs,
    traffic,
    wakeDeliveries: wake = () => {},
  } = deps
  const ofHost = host?.channels.map((channel) => createHostChannel({ ...deps, ...host }, channel)) ?? []
  const channels = [...deps.channels, ...ofHost]
  const keepsSent = keepDays > 0
  const deliverers = new Map(
    channels.map((channel) => {
      const holder = leases.holder(channel.leaseKind, lastsMs)
      const queue = createQueue({ storage, clock, channel, holder, keepsSent })
      return [channel.name, createDeliverer({ clock, log, channel, queue, lastsMs, traffic, tell: observer?.delivery })]
    }),
  )

  const deliveryLog = createDeliveryLog({ channels, clock, storage, wake })

  return {
    channels: channels.map(({ name }) => name),
    async isWanted(events) {
      for (const channel of channels) if (await channel.isWanted(events)) return true
      return false
    },
    plan: createPlan({ ...deps, channels, keepsAll: keepsSent }),
    async deliverDue(channel, signal) {
      const deliver = deliverers.get(channel)
      return deliver ? deliver(signal) : { delivered: 0, failed: 0, next: null }
    },
    purge: createPurge({ ...deps, channels }),
    log: deliveryLog,
    forHost: (host) => createHostDeliveries({ ...host, log: deliveryLog }),
  }
}
