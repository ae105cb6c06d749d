/**
 * Requests to URLs that customers chose. They reach only public IP addresses, and networks that the host allows. A name is
 * checked by the address that is connected to, so that it cannot change between check and use; a literal address before
 * connecting. Redirects are not followed (spec, Events, Delivery 4 and 5; behaviour: Webhook delivery).
 */
import { lookup } from 'node:dns'
import { STATUS_CODES } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import type { Agent, buildConnector } from 'undici'
import type { Clock } from '../core/clock.js'
import { createReachable, type Reachable } from '../core/public-address.js'
import { unlessAborted } from '../core/waiting/in-time.js'
import type { Outcome } from '../deliveries/delivery.js'
import { type Fault, faultOf, reasonOf } from './delivery-faults.js'
import { createMask, decoded } from './masks.js'
import { type BodyReader, beginningOf, beginningOfRead, textOfAnswer } from './read-answer.js'
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

/** As many as all webhooks together may have requests in flight, because several may have the same origin. */
const CONNECTIONS_PER_ORIGIN = 64
const MAX_REASON_LENGTH = 200
/** Statuses with which a receiver may say when to come back, and the one with which it refuses a message for good. */
const LATER = [429, 503]
const GONE = 410

class Blocked extends Error {
  readonly code = 'ITSM_BLOCKED'
}

export function createRequester(deps: RequesterDeps): Requester {
  const { clock, userAgent, timeoutMs, allowPrivateAddresses = false, allowNetworks, fetch } = deps
  const isReachable: Reachable = allowPrivateAddresses ? () => true : createReachable(allowNetworks)
  let agent: Promise<Agent> | undefined
  let isClosed = false
  /** Loaded with the first delivery, which hosts with a fetch of their own never make. */
  const agentOf = async () => {
    if (isClosed) throw new Error('The plugin has been stopped')
    agent ??= createAgent(timeoutMs, allowPrivateAddresses ? null : isReachable)
    return agent
  }
  const send = fetch ? through(fetch, isReachable) : directly(agentOf)

  return {
    async post({ uri, headers, body }) {
      const cancel = new AbortController()
      const timer = setTimeout(() => cancel.abort(), timeoutMs)
      try {
        const url = new URL(uri)
        const all = { 'user-agent': userAgent, ...headers, ...authorizationOf(url) }
        return outcomeOf(await send(url, all, body, cancel.signal), createMask(url, all), clock.now())
      } catch (error) {
        const isLate = cancel.signal.aborted
        const fault: Fault = isLate ? { code: 'timeout', params: { seconds: timeoutMs / 1000 } } : faultOf(error)
        return { ok: false, reason: reasonOf(fault), fault }
      } finally {
        clearTimeout(timer)
      }
    },
    async close() {
      isClosed = true
      await (await agent)?.destroy()
    },
  }
}

/** The part of a response that decides about a delivery. */
interface Answer {
  readonly status: number
  readonly statusText: string | undefined
  readonly retryAfter: string | null | undefined
  readonly contentType: string | null | undefined
  /** Beginning of the body. */
  readonly bytes: Buffer
}

/** Posts and returns the head of the response, and the beginning of its body, as far as it comes in time. */
type Send = (url: URL, headers: Record<string, string>, body: string, signal: AbortSignal) => Promise<Answer>

/** @param isReachable null if all addresses are */
async function createAgent(timeout: number, isReachable: Reachable | null): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici')
  return new Agent({
    connections: CONNECTIONS_PER_ORIGIN,
    connect: isReachable ? guarded(buildConnector({ timeout, lookup: guardedLookup(isReachable) }), isReachable) : { timeout },
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

function directly(agentOf: () => Promise<Agent>): Send {
  return async ({ origin, pathname, search }, headers, body, signal) => {
    const agent = await agentOf()
    const response = await agent.request({ origin, path: pathname + search, method: 'POST', headers, body, signal })
    const named = (name: string) => [response.headers[name]].flat()[0]
    const bytes = await beginningOf(response.body, signal, Number(named('content-length') ?? 0))
    const { statusCode: status, statusText } = response
    return { status, statusText, bytes, retryAfter: named('retry-after'), contentType: named('content-type') }
  }
}

function through(fetch: DeliveryFetch, isReachable: Reachable): Send {
  return async (url, headers, body, signal) => {
    if (!['http:', 'https:'].includes(url.protocol)) throw new TypeError('Invalid URL', { cause: { code: 'ERR_INVALID_URL' } })
    if (isBarred(url.hostname, isReachable)) throw new Blocked()
    // Fetch refuses URLs with credentials; they are in the headers.
    const target = new URL(url.pathname + url.search, url.origin).href
    // The host's function may ignore the signal.
    const options = { method: 'POST', headers, body, redirect: 'manual', signal } as const
    const response = await unlessAborted(signal, () => fetch(target, options))
    const bytes = await beginningOfFetched(response.body, signal)
    const named = (name: string) => response.headers?.get(name)
    const { status, statusText } = response
    return { status, statusText, bytes, retryAfter: named('retry-after'), contentType: named('content-type') }
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

/** True for a literal IP address that may not be reached. Names are checked when they are resolved. */
function isBarred(hostname: string, isReachable: Reachable): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) !== 0 && !isReachable(host)
}

function guarded(connect: buildConnector.connector, isReachable: Reachable): buildConnector.connector {
  return (options, done) => {
    // The lookup is not called for literal addresses.
    if (isBarred(options.hostname, isReachable)) done(new Blocked(), null)
    else connect(options, done)
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

/** The header that credentials in a URL become. */
export function authorizationOf(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {}
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

function outcomeOf(
  { bytes, contentType, retryAfter, status, statusText }: Answer,
  mask: (text: string) => string,
  now: Date,
): Outcome {
  const answer = textOfAnswer(bytes, contentType, mask)
  const answered = { status, ...(answer !== '' && { answer }) }
  if (status >= 200 && status < 300) return { ok: true, ...answered }
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
