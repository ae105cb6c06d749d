/** Channels of the host: option `channels`. */
import type { Assigned } from '../storage/queues/messages.js'
import type { Answer } from './delivery.js'
import type { HostEvent } from './host-event.js'

/** An event as a channel gets it, as of the moment at which it happened. */
export interface ChannelMessage extends HostEvent, Assigned {
  /** Number of the message, without gaps: the same for every repetition. */
  readonly sequence: number
}

/** What a channel may use. */
export interface ChannelTools {
  /** Reads records as they are now, as rows by id. Records that do not exist, or no longer, are missing. */
  read(type: string, ids: readonly number[]): Promise<ReadonlyMap<number, Readonly<Record<string, unknown>>>>
}

/** Where one message goes. */
export interface Addressed<Target extends string = string> {
  /** One of those that `targets` was given. */
  readonly message: ChannelMessage
  /** At most 160 characters: a name by which `render` finds out the rest. */
  readonly target: Target
}

/** What the host says of a channel. */
export interface ChannelOf<Target extends string, Request> {
  /** Names of the events that it gets, `request.create`. Default: all. */
  readonly events?: readonly string[]
  /** Says where messages go: to one target, several, or none. What it throws is logged, and it is asked again. */
  targets(
    messages: readonly ChannelMessage[],
    tools: ChannelTools,
  ): Iterable<Addressed<Target>> | Promise<Iterable<Addressed<Target>>>
  /** Makes what is sent. Called for each attempt. */
  render(message: ChannelMessage, target: Target, tools: ChannelTools): Request | Promise<Request>
  /**
   * Sends it; `signal` aborts after `timeoutMs`. What it returns is shown in the log. An error may say when to come back
   * (`retryAt: Date`), and that it is of no use to try again (`isFinal: true`).
   */
  send(request: Request, signal: AbortSignal): unknown
  /** Targets in one lane wait for each other if they hang, and share the limit of 16 at the same time. Default: the target. */
  lane?(target: Target): string
  /** Milliseconds after which an attempt has failed; default 10,000. */
  readonly timeoutMs?: number
  /** Number of attempts; default 10. */
  readonly attempts?: number
  /** Milliseconds after the first, second … failure; the last one counts for all further ones. Default: 1, 2, 4 … 256 minutes. */
  readonly waits?: readonly number[]
}

/** A channel of the host, made by `defineChannel()`. */
export interface HostChannel extends ChannelOf<string, unknown> {
  /** As in the log of deliveries. */
  readonly name: string
}

/**
 * Defines a channel: one more way on which events leave, beside those of the plugin. Queue, order, repeats and the log of
 * deliveries come with it. Messages about one record reach a target one after the other, at least once.
 *
 * ```ts
 * import { defineChannel } from 'koa-itsm'
 *
 * export const queue = defineChannel('queue', {
 *   events: ['request.create'],
 *   targets: (messages) => messages.map((message) => ({ message, target: 'requests' })),
 *   render: ({ recordId, sequence }) => JSON.stringify({ recordId, sequence }),
 *   send: (body, signal) => fetch('https://queue.example/requests', { method: 'POST', body, signal }),
 * })
 * ```
 *
 * @param name lower-case letters, digits and hyphens, at most 32
 */
export function defineChannel<Target extends string, Request>(name: string, of: ChannelOf<Target, Request>): HostChannel {
  return { name, ...of } as unknown as HostChannel
}

/** The result of `send`, as far as the log shows it. */
export function answerOf(returned: unknown): Answer {
  const { answer, status } = Object(returned) as { readonly answer?: unknown; readonly status?: unknown }
  return {
    ...(Number.isInteger(status) && { status: Number(status) }),
    ...(typeof answer === 'string' && { answer }),
  }
}
