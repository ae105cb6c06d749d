import type { Params } from '../core/errors.js'
import type { NewDelivery } from '../storage/queues/delivery-rows.js'
import type { Changes, Message } from '../storage/queues/messages.js'
import type { Code } from '../words/sentences/en.js'
import type { LaneDelivery } from './lanes.js'

/** A delivery, as it waits in the queue. */
export interface Delivery extends LaneDelivery, Omit<NewDelivery, 'content'> {
  readonly id: number
  /** Null if it has no event, or was queued by a process of an older version: then `content` has everything. */
  readonly message: Message | null
  readonly event: string | null
  readonly objectId: number | null
  /** Changed fields with their values before and after, if its channel reads them. */
  readonly changes?: Changes
  /** What made the change, if its channel reads changes; null if a caller has chosen it. */
  readonly cause?: string | null
  /** What its channel has read for it, with the others of its page. */
  readonly prepared?: unknown
  /** Values that its channel has stored with it; null if the message is all. */
  readonly content: unknown
  /** Failed attempts so far. */
  readonly attempts: number
  /** Timestamp as text; with `id` the position in the queue. */
  readonly nextAt: string
  /** Timestamp as text, of the last retry or replay; null without one. What was sent before it does not count for it. */
  readonly putBackAt: string | null
}

/** Answer of a receiver, as far as it has one. */
export interface Answer {
  /** Status of HTTP. */
  readonly status?: number
  /** Beginning of the body, at most 1 KB. */
  readonly answer?: string
}

/** Result of an attempt. */
export type Outcome = Success | Failure

/** Nothing was tried: the receiver wants no more now, so that its lane gets nothing before a time. */
export interface Postponed {
  readonly postponedUntil: Date
}

/** An attempt that succeeded. */
export interface Success extends Answer {
  readonly ok: true
  /** Deliveries that take its place. */
  readonly becomes?: readonly NewDelivery[]
}

/** An attempt that failed. */
export interface Failure extends Answer {
  readonly ok: false
  /** English, or the text of the receiver. May be shown to administrators: it contains no IP address and no driver message. */
  readonly reason: string
  /** The reason as it can be translated, if it can. */
  readonly fault?: { readonly code: Code; readonly params?: Params }
  /** What a function of the host has thrown, for the log. */
  readonly error?: unknown
  /** The receiver wants nothing before this time. */
  readonly retryAt?: Date
  /** True if the receiver never wants this delivery. */
  readonly isFinal?: boolean
}

/** One finished attempt. */
export interface Attempt<O extends Outcome = Outcome> {
  readonly delivery: Delivery
  readonly outcome: O
  /** Time at which it ended. */
  readonly at: Date
  readonly milliseconds: number
}
