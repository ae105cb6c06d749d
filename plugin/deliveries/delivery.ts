import type { LaneDelivery } from './lanes.js'
import type { Outcome } from './safe-request.js'

/** A message for a webhook, as it waits in the queue. */
export interface Delivery extends LaneDelivery {
  readonly id: number
  readonly webhookId: number
  readonly event: string
  readonly objectId: number
  readonly body: string
  readonly link: string
  /** Failed attempts so far. */
  readonly attempts: number
  /** Timestamp as text; with `id` the position in the queue. */
  readonly nextAt: string
}

/** One finished request. */
export interface Attempt {
  readonly delivery: Delivery
  readonly outcome: Outcome
  readonly at: Date
}
