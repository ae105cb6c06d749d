/** Failures of receivers, by the error of the network. */
import type { Params } from '../core/errors.js'
import { fill } from '../words/fill-template.js'
import { type Code, sentences } from '../words/sentences/en.js'

/** Message of a failure: mails show it in the language of their reader. */
export interface Fault {
  readonly code: Code
  readonly params?: Params
}

/** Messages by the code of the error. */
const FAULTS: Readonly<Record<string, Code>> = {
  ITSM_BLOCKED: 'address_not_public',
  ERR_INVALID_URL: 'address_invalid',
  UND_ERR_INVALID_ARG: 'address_invalid',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_closed',
  EPIPE: 'connection_closed',
  UND_ERR_SOCKET: 'connection_closed',
  ENOTFOUND: 'host_not_found',
  EAI_AGAIN: 'host_not_found',
  EHOSTUNREACH: 'host_unreachable',
  ENETUNREACH: 'host_unreachable',
  ETIMEDOUT: 'connection_timed_out',
  UND_ERR_CONNECT_TIMEOUT: 'connection_timed_out',
  UND_ERR_HEADERS_OVERFLOW: 'head_too_long',
  // Whatever cannot be read behind a `Content-Length`, and a status below 100, which undici takes for a mistake of its own.
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'not_http',
  ERR_ASSERTION: 'not_http',
}
/** Messages of undici for `100 Continue` and `101 Switching Protocols`: it closes the connection, not the receiver. */
const INTERIM: readonly unknown[] = ['bad response', 'bad upgrade']
/** What may be shown of an error: the code of a library, or its name; no address, and no text of a driver. */
const KIND = /^\w{1,60}$/

/** Returns the failure for an error of the network. */
export function faultOf(error: unknown): Fault {
  const { cause, code, errors, message, name } = Object(error) as {
    readonly cause?: unknown
    readonly code?: unknown
    readonly errors?: readonly unknown[]
    readonly message?: unknown
    readonly name?: unknown
  }
  // If a name has several addresses, their errors come together. Fetch wraps the cause.
  if (code === undefined && errors?.[0]) return faultOf(errors[0])
  if (code === undefined && typeof cause === 'object' && cause !== null) return faultOf(cause)
  if (code === 'UND_ERR_SOCKET' && INTERIM.includes(message)) return { code: 'interim_response' }
  // A function of the host may reject with anything.
  const kind = [code, name].find((one): one is string => typeof one === 'string' && KIND.test(one)) ?? 'Error'
  const known = FAULTS[kind]
  if (known) return { code: known }
  if (kind === 'HTTPParserError' || kind.startsWith('HPE_')) return { code: 'not_http' }
  return { code: /CERT|SSL|TLS|SIGNATURE|ALTNAME/.test(kind) ? 'tls_problem' : 'request_failed', params: { kind } }
}

/** The failure in English, for `last_error` of the webhook. */
export function reasonOf({ code, params = {} }: Fault): string {
  return fill(sentences[code], params)
}
