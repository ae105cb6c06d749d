/** What the log of deliveries asks a channel (ADR 65). */
import type { Knex } from 'knex'
import type { Call } from '../../core/call.js'
import type { NewDelivery } from '../../storage/queues/delivery-rows.js'
import type { Message } from '../../storage/queues/messages.js'
import type { Delivery } from '../delivery.js'

/** A delivery as its receiver gets it, without secrets. */
export interface Request {
  readonly method: string
  /** Null if the target has no valid address. */
  readonly uri: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What lists show of a delivery beside its row. */
export interface Summary {
  /** The `id` and `name` of a webhook. */
  readonly webhook?: { readonly id: number; readonly name: string }
  /** Name of a listener. */
  readonly listener?: string
  /** Subject of a mail; null if it cannot be written. */
  readonly subject?: string | null
}

/** Messages that a target would get now. */
export interface Heard {
  /** Names of the events. */
  readonly events: readonly string[]
  /** Accounts whose messages it may get. */
  readonly accountIds: readonly string[]
  /** The delivery of each message, in order; null for messages that are not for the target. A constant number of queries. */
  plan(db: Knex, messages: readonly Message[]): Promise<readonly (NewDelivery | null)[]>
}

/** See the head of this file. All of it is optional: what is missing is not shown. */
export interface ChannelLog {
  /** In order. A constant number of queries. */
  summarize?(call: Call, deliveries: readonly Delivery[]): Promise<readonly Summary[]>
  /** The delivery as it is sent; without secrets. @param sentAt time of the last attempt; null before the first */
  reveal?(delivery: Delivery, sentAt: Date | null): Promise<Request | null>
  /** True if an account has this target. */
  belongs?(db: Knex, accountId: string, target: string): Promise<boolean>
  /** The record in whose audit trail a retry or a replay is noted. */
  ownerOf?(target: string): { readonly type: string; readonly id: number }
  /** Null for a target that gets nothing. */
  heardBy?(db: Knex, target: string): Promise<Heard | null>
}
