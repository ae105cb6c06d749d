/**
 * Requests to addresses that customers chose. They reach public addresses only, and networks that the host allows: names are
 * judged by the address that is connected to (so a name cannot change its mind between check and use), literal addresses
 * before connecting, redirects are not followed. Specification: Events, Delivery 4 and 5; gaps 5.3.
 */
import { lookup } from 'node:dns'
import { STATUS_CODES } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { createReachable, type Reachable } from '../core/public-address.js'

/** How a request ended; `reason` is fit for last_error and for mails: it names no address and quotes no driver. */
export type Outcome = { readonly ok: true } | { readonly ok: false; readonly reason: string }

export interface OutgoingRequest {
  /** May embed `user:password@`, which becomes an Authorization header. */
  readonly uri: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface RequesterParts {
  readonly userAgent: string
  /** Milliseconds until the answer's status must be there; default 10,000. */
  readonly timeout?: number
  /** Lets requests reach private and loopback addresses: for development and specs. */
  readonly allowPrivateAddresses?: boolean
  /** Networks that requests may reach although they are not public, `10.1.0.0/16`. */
  readonly allowNetworks?: readonly string[]
}

export interface Requester {
  /** POSTs and discards what is answered. Never throws. */
  post(request: OutgoingRequest): Promise<Outcome>
  /** Ends all connections. */
  close(): Promise<void>
}

const TIMEOUT = 10_000
/** Bytes of an answer that are read for the sake of the connection; a longer answer costs its connection. */
const LONGEST_ANSWER = 64 * 1024
/** As many as all webhooks together have requests in flight: several may have the same origin. */
const CONNECTIONS_AN_ORIGIN = 64
const LONGEST_REASON = 200

class Blocked extends Error {
  readonly code = 'ITSM_BLOCKED'
}

export function createRequester(parts: RequesterParts): Requester {
  const { userAgent, timeout = TIMEOUT, allowPrivateAddresses = false, allowNetworks } = parts
  const agent = new Agent({
    connections: CONNECTIONS_AN_ORIGIN,
    connect: allowPrivateAddresses ? { timeout } : guardedConnector(timeout, createReachable(allowNetworks)),
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  return {
    async post({ uri, headers, body }) {
      const cancel = new AbortController()
      const timer = setTimeout(() => cancel.abort(), timeout)
      try {
        const url = new URL(uri)
        const response = await agent.request({
          origin: url.origin,
          path: url.pathname + url.search,
          method: 'POST',
          headers: { 'user-agent': userAgent, ...headers, ...authorizationOf(url) },
          body,
          signal: cancel.signal,
        })
        // The status decides; what comes after it, and whether it comes in time, does not matter.
        await response.body.dump({ limit: LONGEST_ANSWER, signal: cancel.signal }).catch(() => undefined)
        return outcomeOf(response.statusCode, response.statusText)
      } catch (error) {
        return { ok: false, reason: cancel.signal.aborted ? `Timeout after ${timeout / 1000} seconds` : reasonOf(error) }
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => agent.destroy(),
  }
}

function guardedConnector(timeout: number, isReachable: Reachable): buildConnector.connector {
  const connect = buildConnector({ timeout, lookup: guardedLookup(isReachable) })
  return (options, done) => {
    // The lookup is not asked about literal addresses.
    const host = options.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !isReachable(host)) done(new Blocked(), null)
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

function authorizationOf(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {}
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function outcomeOf(status: number, statusText: string | undefined): Outcome {
  if (status >= 200 && status < 300) return { ok: true }
  // The receiver's own words go into a record and into mails: printable characters only, and not too many.
  const words = (statusText || STATUS_CODES[status] || '').replace(/[^\x20-\x7e]/g, '')
  return { ok: false, reason: `${status} ${words}`.trim().slice(0, LONGEST_REASON) }
}

const REASONS: Readonly<Record<string, string>> = {
  ITSM_BLOCKED: 'Address is not public',
  ERR_INVALID_URL: 'Address is invalid',
  UND_ERR_INVALID_ARG: 'Address is invalid',
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'Connection closed by the receiver',
  EPIPE: 'Connection closed by the receiver',
  UND_ERR_SOCKET: 'Connection closed by the receiver',
  ENOTFOUND: 'Host name not found',
  EAI_AGAIN: 'Host name not found',
  EHOSTUNREACH: 'Host is unreachable',
  ENETUNREACH: 'Host is unreachable',
  ETIMEDOUT: 'Connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'Connection timed out',
}

function reasonOf(error: unknown): string {
  const { code, errors, name } = error as {
    readonly code?: unknown
    readonly errors?: readonly unknown[]
    readonly name?: unknown
  }
  // Several addresses of one name fail together.
  if (code === undefined && errors?.[0]) return reasonOf(errors[0])
  const kind = String(code ?? name)
  if (REASONS[kind]) return REASONS[kind]
  if (kind === 'HTTPParserError' || kind.startsWith('HPE_')) return 'The answer is not HTTP'
  return /CERT|SSL|TLS|SIGNATURE|ALTNAME/.test(kind) ? `TLS problem: ${kind}` : `Request failed: ${kind}`
}
