/**
 * What the plugin tells a host that watches it. The host's functions get facts, and can neither break a call nor hold it up: they
 * are called when the work is done, and nothing waits for what they return. No fact has a secret, a body, or a value of a record.
 */
import type { Log } from './log.js'

/** A call of the API that has ended. */
export interface RequestFacts {
  /** `GET`, `POST` … */
  readonly method: string
  /** The pattern of the path, `/v1/requests/:id`; null for an unknown path. */
  readonly route: string | null
  /** The status of the response; null if the client closed the connection before there was one. */
  readonly status: number | null
  /** Milliseconds from the arrival of the headers to the end of the response. */
  readonly ms: number
  /** The id of the person who called; null for callers without a person. */
  readonly personId: number | null
  /** The account that the call operated on; null if it ended before that was known. */
  readonly accountId: string | null
  /** As in the header `X-Request-Id` of the response. */
  readonly requestId: string
  /** The header `traceparent` of the call (W3C Trace Context), if it is a valid one; otherwise null. */
  readonly traceparent: string | null
}

/** Records of one type that were saved or removed together; their transaction may still roll back. */
export interface SaveFacts {
  /** What was done with the records. */
  readonly action: 'save' | 'remove'
  /** Name of the record type. */
  readonly type: string
  /** Records that were made. */
  readonly created: number
  /** Records that were changed. */
  readonly updated: number
  /** Records that were as they should be. */
  readonly unchanged: number
  /** Records that were removed. */
  readonly removed: number
  /** Records that were refused: their values, or the permission. */
  readonly refused: number
  /** True if an error ended the work. */
  readonly failed: boolean
  /** Milliseconds, with the rules, hooks and statements of the save. */
  readonly ms: number
  /** The account of the call. */
  readonly accountId: string
  /** The id of the person; null for the system. */
  readonly personId: number | null
  /** The way on which the change came in: `api`, `import`, `event`, `job` or `host`. */
  readonly origin: string
  /** The request id of the call; an id of its own for what no client has called. */
  readonly requestId: string
}

/** A statement that the database has answered, or that has failed. */
export interface StatementFacts {
  /** The SQL with placeholders, without values. */
  readonly sql: string
  /** Milliseconds from sending it to the answer; without the time in which it waited for a connection. */
  readonly ms: number
  /** True if the database has refused it, or has not answered in time. */
  readonly failed: boolean
}

/** A job in the background that has ended. */
export interface JobFacts {
  /** `run-import`, `sweep` … */
  readonly name: string
  /** Milliseconds. */
  readonly ms: number
  /** True if it has thrown; the log has the error. */
  readonly failed: boolean
}

/** An attempt to deliver a message. */
export interface DeliveryFacts {
  /** `webhook`, `mail`, `listener`, or a channel of the host. */
  readonly channel: string
  /** `request.update`; null for a mail that no event has caused. */
  readonly event: string | null
  /** The account of the record. */
  readonly accountId: string
  /** The id of the delivery in the log of deliveries. */
  readonly id: number
  /** The number of this attempt; 1 for the first. */
  readonly attempt: number
  /** True if the receiver did not take it; it may be sent again. */
  readonly failed: boolean
  /** The status of an HTTP response; null if there is none. */
  readonly status: number | null
  /** Milliseconds of this attempt. */
  readonly ms: number
}

/**
 * Functions of a host that watch the plugin: for metrics, traces and logs. They run in the asynchronous context of the work that
 * they are told of, so that a tracer finds its parent. What they throw, or reject, is logged, at most once a minute for each.
 */
export interface Observe {
  /** After each response, also of calls that the plugin refuses. */
  readonly request?: (facts: RequestFacts) => unknown
  /** After each batch of the write pipeline, those of rules, imports and timers included. */
  readonly save?: (facts: SaveFacts) => unknown
  /** After each statement. There may be thousands a second: count, do not write. */
  readonly statement?: (facts: StatementFacts) => unknown
  /** After each job. */
  readonly job?: (facts: JobFacts) => unknown
  /** After each attempt, on all channels. */
  readonly delivery?: (facts: DeliveryFacts) => unknown
}

/** A function as the plugin calls it: it never throws. */
export type Tell<Facts> = (facts: Facts) => void

/** The functions as the plugin calls them; those that the host has not given are undefined. */
export interface Observer {
  readonly request?: Tell<RequestFacts> | undefined
  readonly save?: Tell<SaveFacts> | undefined
  readonly statement?: Tell<StatementFacts> | undefined
  readonly job?: Tell<JobFacts> | undefined
  readonly delivery?: Tell<DeliveryFacts> | undefined
}

/** Milliseconds for which further failures of a function are not logged. */
const QUIET_FOR = 60_000

/** Makes functions of the host safe to call. */
export function createObserver(given: { readonly [Name in keyof Observe]-?: Observe[Name] | undefined }, log: Log): Observer {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, tell]) =>
      tell ? [[name, safe(name, tell as (facts: unknown) => unknown, log)]] : [],
    ),
  )
}

function safe(name: string, tell: (facts: unknown) => unknown, log: Log): Tell<unknown> {
  let quietUntil = 0
  const failed = (err: unknown) => {
    const now = performance.now()
    if (now < quietUntil) return
    quietUntil = now + QUIET_FOR
    log.error({ err }, `observe.${name} failed; what it was told of is not affected`)
  }
  return (facts) => {
    try {
      const result = tell(facts)
      if (isPromise(result)) result.then(undefined, failed)
    } catch (error) {
      failed(error)
    }
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { readonly then?: unknown }).then === 'function'
}
