/**
 * Requests to URLs that customers chose, over connections of our own or with a function of the host. They reach only public IP
 * addresses, and networks that the host allows (spec, Events, Delivery 4 and 5; behaviour: Delivery).
 */
import { STATUS_CODES } from 'node:http'
import type { Clock } from '../core/clock.js'
import { createReachable, type Reachable } from '../core/public-address.js'
import { remember } from '../core/remember.js'
import { unlessAborted } from '../core/waiting/in-time.js'
import type { Outcome } from '../deliveries/delivery.js'
import { type Fault, faultOf, reasonOf } from './delivery-faults.js'
import { createMask, decoded } from './masks.js'
import { type Answer, Blocked, type Connections, connect, isBarred, Late, type Place, type Post } from './own-connections.js'
import { type BodyReader, beginningOfRead, textOfAnswer } from './read-answer.js'
import { retryTime } from './retry-time.js'

export interface OutgoingRequest {
  /** May embed `user:password@`, which becomes an Authorization header. */
  readonly uri: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface RequesterDeps {
  readonly clock: Clock
  readonly userAgent: string
  /** Milliseconds in which the status of the response must arrive. */
  readonly timeoutMs: number
  /** Lets requests reach private and loopback addresses: for development and specs. */
  readonly allowPrivateAddresses?: boolean
  /** Networks that requests may reach although they are not public, `10.1.0.0/16`. */
  readonly allowNetworks?: readonly string[]
  /** Sends the requests instead, and decides which addresses its names lead to. */
  readonly fetch?: DeliveryFetch | undefined
}

/** The part of fetch that deliveries need. The global one fits. */
export type DeliveryFetch = (
  url: string,
  init: {
    readonly method: 'POST'
    readonly headers: Record<string, string>
    readonly body: string
    readonly redirect: 'manual'
    readonly signal: AbortSignal
  },
) => Promise<{
  readonly status: number
  readonly statusText?: string
  readonly headers?: { get(name: string): string | null }
  readonly body?: { cancel(): Promise<unknown>; getReader?(): BodyReader } | null
}>

export interface Requester {
  /** POSTs, and keeps 1 KB of the body of the response. Never throws. */
  post(request: OutgoingRequest): Promise<Outcome>
  /** Ends all connections. */
  close(): Promise<void>
}

const MAX_REASON_LENGTH = 200
/** Statuses with which a receiver may say when to come back, and the one with which it refuses a message for good. */
const LATER = [429, 503]
const GONE = 410

export function createRequester(deps: RequesterDeps): Requester {
  const { clock, userAgent, timeoutMs, allowPrivateAddresses = false, allowNetworks, fetch } = deps
  const isReachable: Reachable = allowPrivateAddresses ? () => true : createReachable(allowNetworks)
  let connections: Promise<Connections> | undefined
  let isClosed = false
  /** Opened with the first delivery, which hosts with a fetch of their own never make. */
  const directly: Post = async (to, headers, body) => {
    if (isClosed) throw new Error('The plugin has been stopped')
    connections ??= connect(timeoutMs, allowPrivateAddresses ? null : isReachable)
    return (await connections).post(to, headers, body)
  }
  const placeOf = remember(readPlace)
  const send = fetch ? through(fetch, isReachable, timeoutMs) : directly

  return {
    async post({ uri, headers, body }) {
      try {
        const place = placeOf(uri)
        const all = { 'user-agent': userAgent, ...headers, ...place.authorization }
        return outcomeOf(await send(place, all, body), () => createMask(place.url, all), clock.now())
      } catch (error) {
        const isLate = error instanceof Late
        const fault: Fault = isLate ? { code: 'timeout', params: { seconds: timeoutMs / 1000 } } : faultOf(error)
        return { ok: false, reason: reasonOf(fault), fault }
      }
    },
    async close() {
      isClosed = true
      await (await connections)?.close()
    },
  }
}

/** Requests with the function of the host, which may ignore the signal. */
function through(fetch: DeliveryFetch, isReachable: Reachable, timeoutMs: number): Post {
  return async ({ path, url }, headers, body) => {
    if (!['http:', 'https:'].includes(url.protocol)) throw new TypeError('Invalid URL', { cause: { code: 'ERR_INVALID_URL' } })
    if (isBarred(url.hostname, isReachable)) throw new Blocked()
    // Fetch refuses URLs with credentials; they are in the headers.
    const target = new URL(path, url.origin).href
    const cancel = new AbortController()
    const timer = setTimeout(() => cancel.abort(), timeoutMs)
    const { signal } = cancel
    const options = { method: 'POST', headers, body, redirect: 'manual', signal } as const
    try {
      const response = await unlessAborted(signal, () => fetch(target, options))
      const bytes = await beginningOfFetched(response.body, signal)
      const named = (name: string) => response.headers?.get(name)
      const { status, statusText } = response
      return { status, statusText, bytes, retryAfter: named('retry-after'), contentType: named('content-type') }
    } catch (error) {
      throw signal.aborted ? new Late() : error
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The host's function may give a body that cannot be read; then it is only ended. */
async function beginningOfFetched(body: Awaited<ReturnType<DeliveryFetch>>['body'], signal: AbortSignal): Promise<Buffer> {
  try {
    if (body?.getReader) return await beginningOfRead(body.getReader(), signal)
    body?.cancel().catch(() => undefined)
  } catch {
    // What has no beginning has none to show.
  }
  return Buffer.alloc(0)
}

/** @throws TypeError for a text that is no URL */
function readPlace(uri: string): Place & { readonly authorization: Record<string, string> } {
  const url = new URL(uri)
  return { url, origin: url.origin, path: url.pathname + url.search, authorization: authorizationOf(url) }
}

/** The header that credentials in a URL become. */
export function authorizationOf(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {}
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

function outcomeOf(
  { bytes, contentType, retryAfter, status, statusText }: Answer,
  maskOf: () => (text: string) => string,
  now: Date,
): Outcome {
  if (bytes.length === 0 && isSuccess(status)) return { ok: true, status }
  const mask = maskOf()
  const answer = textOfAnswer(bytes, contentType, mask)
  const answered = { status, ...(answer !== '' && { answer }) }
  if (isSuccess(status)) return { ok: true, ...answered }
  // The text of the receiver goes into a record and mails: printable characters only, and not too many.
  const words = mask(statusText || STATUS_CODES[status] || '').replace(/[^\x20-\x7e]/g, '')
  const retryAt = LATER.includes(status) && retryAfter ? retryTime(retryAfter, now) : null
  return {
    ok: false,
    reason: `${status} ${words}`.trim().slice(0, MAX_REASON_LENGTH),
    ...answered,
    ...(retryAt && { retryAt }),
    ...(status === GONE && { isFinal: true }),
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}
