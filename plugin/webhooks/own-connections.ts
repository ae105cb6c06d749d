/**
 * Requests over connections of our own, which reach no address that is barred: a name is checked by the address that is connected
 * to, a literal address before connecting. Redirects are not followed (spec, Events, Delivery 4 and 5).
 */
import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import type { Reachable } from '../core/public-address.js'
import { createBeginning } from './read-answer.js'

/** The part of a response that decides about a delivery. */
export interface Answer {
  readonly status: number
  readonly statusText: string | undefined
  readonly retryAfter: string | null | undefined
  readonly contentType: string | null | undefined
  /** Beginning of the body. */
  readonly bytes: Buffer
}

/** Posts and returns the head of the response, and the beginning of its body, as far as it comes in time. */
export type Post = (url: URL, headers: Record<string, string>, body: string) => Promise<Answer>

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
  return {
    post: ({ origin, pathname, search }, headers, body) =>
      new Promise((resolve, reject) => {
        const options = { origin, path: pathname + search, method: 'POST', headers, body } as const
        agent.dispatch(options, createHandler(timeoutMs, resolve, reject))
      }),
    close: () => agent.destroy(),
  }
}

/**
 * What happens with a response: one timer for all of it, and no stream, because nearly all receivers answer with a head alone. Once
 * the head is there, neither a failure nor the end of the time makes it undone.
 */
function createHandler(
  timeoutMs: number,
  resolve: (answer: Answer) => void,
  reject: (error: Error) => void,
): Dispatcher.DispatchHandler {
  let running: Dispatcher.DispatchController | null = null
  let head: Omit<Answer, 'bytes'> | null = null
  let body: ReturnType<typeof createBeginning> | null = null
  let isOver = false
  const timer = setTimeout(() => stop(new Late()), timeoutMs)

  function end(error: Error | null): void {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    if (head) resolve({ ...head, bytes: body?.bytes() ?? Buffer.alloc(0) })
    else reject(error ?? new Error('No head'))
  }

  /** Ends, and closes the connection. One that is still being opened is closed when it is there. */
  function stop(error: Error): void {
    end(error)
    running?.abort(error)
  }

  return {
    onRequestStart(controller) {
      running = controller
      if (isOver) controller.abort(new Late())
    },
    onResponseStart(_controller, status, headers, statusText) {
      // Others follow.
      if (status < 200) return
      const named = (name: string) => [headers[name]].flat()[0]
      head = { status, statusText, retryAfter: named('retry-after'), contentType: named('content-type') }
      body = createBeginning(Number(named('content-length') ?? 0))
    },
    onResponseData(_controller, chunk) {
      if (body && !body.add(chunk)) stop(new Error('Enough of the body'))
    },
    onResponseEnd: () => end(null),
    onResponseError: (_controller, error) => end(error),
  }
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
