/**
 * Requests over connections of our own, which reach no address that is barred: a name is checked by the address that is connected
 * to, a literal address before connecting. Redirects are not followed (spec, Events, Delivery 4 and 5).
 */
import { lookup } from 'node:dns'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import type { Reachable } from '../core/public-address.js'
import { createDeadlines, type Deadlines } from '../core/waiting/deadlines.js'
import { type Beginning, createBeginning } from './read-answer.js'

/** The part of a response that decides about a delivery. */
export interface Answer {
  readonly status: number
  readonly statusText: string | undefined
  readonly retryAfter: string | null | undefined
  readonly contentType: string | null | undefined
  /** Beginning of the body. */
  readonly bytes: Buffer
}

/** Where a request goes. */
export interface Place {
  readonly url: URL
  readonly origin: string
  /** With the query. */
  readonly path: string
}

/** Posts and returns the head of the response, and the beginning of its body, as far as it comes in time. */
export type Post = (to: Place, headers: Record<string, string>, body: string) => Promise<Answer>

/** Connections that are used again. */
export interface Connections {
  readonly post: Post
  /** Ends all connections. */
  close(): Promise<void>
}

/** An address that may not be reached. */
export class Blocked extends Error {
  readonly code = 'ITSM_BLOCKED'
}

/** The status did not arrive in time. */
export class Late extends Error {}

/** As many as all webhooks together may have requests in flight, because several may have the same origin. */
const CONNECTIONS_PER_ORIGIN = 64
const NOTHING = Buffer.alloc(0)

/** @param isReachable null if all addresses are */
export async function connect(timeoutMs: number, isReachable: Reachable | null): Promise<Connections> {
  const { Agent, buildConnector } = await import('undici')
  const guard = (reachable: Reachable) =>
    guarded(buildConnector({ timeout: timeoutMs, lookup: guardedLookup(reachable) }), reachable)
  const agent: Agent = new Agent({
    connections: CONNECTIONS_PER_ORIGIN,
    connect: isReachable ? guard(isReachable) : { timeout: timeoutMs },
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const deadlines = createDeadlines<Exchange>(timeoutMs, (one) => one.stop(new Late()))
  return {
    post: ({ origin, path }, headers, body) =>
      new Promise((resolve, reject) => {
        agent.dispatch({ origin, path, method: 'POST', headers, body }, new Exchange(deadlines, resolve, reject))
      }),
    close: () => agent.destroy(),
  }
}

/**
 * What happens with a response: no stream, because nearly all receivers answer with a head alone. Once the head is there, neither a
 * failure nor the end of the time makes it undone.
 */
class Exchange implements Dispatcher.DispatchHandler {
  // Set by the constructor alone: each field would be defined once more for each request.
  declare private running: Dispatcher.DispatchController | null
  declare private head: Omit<Answer, 'bytes'> | null
  declare private body: Beginning | null
  declare private isOver: boolean
  declare private readonly deadlines: Deadlines<Exchange>
  declare private readonly resolve: (answer: Answer) => void
  declare private readonly reject: (error: Error) => void

  constructor(deadlines: Deadlines<Exchange>, resolve: (answer: Answer) => void, reject: (error: Error) => void) {
    this.running = null
    this.head = null
    this.body = null
    this.isOver = false
    this.deadlines = deadlines
    this.resolve = resolve
    this.reject = reject
    deadlines.add(this)
  }

  /** Ends, and closes the connection. One that is still being opened is closed when it is there. */
  stop(error: Error): void {
    this.end(error)
    this.running?.abort(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.running = controller
    if (this.isOver) controller.abort(new Late())
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders, statusText?: string): void {
    // Others follow.
    if (status < 200) return
    const retryAfter = first(headers['retry-after'])
    this.head = { status, statusText, retryAfter, contentType: first(headers['content-type']) }
    const length = Number(first(headers['content-length']) ?? 0)
    this.body = createBeginning(length)
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.body && !this.body.add(chunk)) this.stop(new Error('Enough of the body'))
  }

  onResponseEnd(): void {
    this.end(null)
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.end(error)
  }

  private end(error: Error | null): void {
    if (this.isOver) return
    this.isOver = true
    this.deadlines.delete(this)
    if (this.head) this.resolve({ ...this.head, bytes: this.body?.bytes() ?? NOTHING })
    else this.reject(error ?? new Error('No head'))
  }
}

function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

/** True for a literal IP address that may not be reached. Names are checked when they are resolved. */
export function isBarred(hostname: string, isReachable: Reachable): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) !== 0 && !isReachable(host)
}

function guarded(open: buildConnector.connector, isReachable: Reachable): buildConnector.connector {
  return (options, done) => {
    // The lookup is not called for literal addresses.
    if (isBarred(options.hostname, isReachable)) done(new Blocked(), null)
    else open(options, done)
  }
}

function guardedLookup(isReachable: Reachable): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || !first) done(error ?? new Blocked(), '', 0)
      else if (!addresses.every(({ address }) => isReachable(address))) done(new Blocked(), '', 0)
      else if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }
}
