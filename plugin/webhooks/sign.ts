/** Signs deliveries as Standard Webhooks 1.0 does (behaviour: Signatures). */
import { createHmac } from 'node:crypto'
import type { Clock } from '../core/clock.js'
import type { Seal } from '../core/seal.js'
import type { Outcome } from '../deliveries/delivery.js'
import { isSealedHeaders, openHeaders } from '../schema/kinds/values/delivery-headers.js'
import { jsonInColumn } from '../schema/kinds/values/json-values.js'
import { bytesOfSigningSecret } from '../schema/kinds/values/signing-secret.js'
import { CONTENT_TYPES, type ContentType } from './delivery-bodies.js'
import { type Fault, reasonOf } from './delivery-faults.js'
import type { Requester } from './safe-request.js'

/** The secrets of a webhook, as they are stored: sealed. */
export interface Signing {
  /** Null for a webhook whose deliveries are not signed. */
  readonly secret: string | null
  /** The secret before the last rotation. */
  readonly previous: string | null
  /** The end of the time in which the secret before signs as well. */
  readonly previousUntil: Date | null
}

/** A message on its way to a receiver. */
export interface Outgoing {
  /** Stays the same for all attempts. */
  readonly id: string
  readonly link: string
  readonly body: string
  /** Form of the body; default: the specified one. */
  readonly contentType?: ContentType
}

/** The receiver of a message. */
export interface Recipient {
  readonly uri: string
  readonly signing: Signing
  /** Headers that the webhook adds, as its row has them: sealed, also as a JSON text; null for none. */
  readonly headers?: unknown
}

/** Dependencies of sending. */
export interface SendDeps {
  readonly clock: Clock
  readonly requester: Requester
  readonly fieldSeal: Seal
}

/** One attempt. It is signed when it is sent, so that repeats have a time and the secrets of their own. Never throws. */
export type Send = (to: Recipient, message: Outgoing) => Promise<Outcome>

const UNREADABLE: Fault = { code: 'secret_unreadable' }
const HEADERS_UNREADABLE: Fault = { code: 'headers_unreadable' }

/**
 * Creates the function. A delivery whose secret cannot be opened fails, and is never sent without a signature. Secrets are opened once
 * for all attempts with the same recipient.
 */
export function createSend({ clock, fieldSeal, requester }: SendDeps): Send {
  const known = new WeakMap<Recipient, Opened>()
  return async (to, message) => {
    const opened = known.get(to) ?? open(fieldSeal, to)
    known.set(to, opened)
    if ('fault' in opened) return { ok: false, reason: reasonOf(opened.fault), fault: opened.fault }
    const { body, id } = message
    const now = clock.now()
    const timestamp = String(Math.floor(now.getTime() / 1000))
    const signatures = opened.secrets
      .filter(({ until }) => until === null || until > now)
      .map(({ key }) => signatureOf(key, `${id}.${timestamp}.${body}`))
    return requester.post({
      uri: to.uri,
      headers: { ...opened.headers, ...headersOf(message, timestamp, signatures) },
      body,
    })
  }
}

/** What is the same for all attempts, or why there can be none. */
type Opened = { readonly secrets: readonly Secret[]; readonly headers: Headers } | { readonly fault: Fault }
type Headers = Readonly<Record<string, string>>

/** A secret, and the end of the time in which it signs. */
interface Secret {
  readonly key: Buffer
  readonly until: Date | null
}

function open(seal: Seal, { headers: own = null, signing }: Recipient): Opened {
  const secrets = openSecrets(seal, signing)
  const headers = addedHeaders(seal, own)
  if (!secrets) return { fault: UNREADABLE }
  return headers ? { secrets, headers } : { fault: HEADERS_UNREADABLE }
}

/** The headers of an attempt. @param timestamp seconds of the epoch; null for one that was not made yet */
export function headersOf(
  { contentType = 'form', id, link }: Outgoing,
  timestamp: string | null,
  signatures: readonly string[],
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { 'content-type': CONTENT_TYPES[contentType], link, 'webhook-id': id }
  if (timestamp !== null) headers['webhook-timestamp'] = timestamp
  if (signatures.length > 0) headers['webhook-signature'] = signatures.join(' ')
  return headers
}

/** The secrets that sign, the newest first; null if the newest cannot be opened. */
function openSecrets({ open }: Seal, { previous, previousUntil, secret }: Signing): readonly Secret[] | null {
  if (secret === null) return []
  const newest = open(secret)
  if (newest === null) return null
  const before = previous !== null && previousUntil !== null ? open(previous) : null
  const secrets = [{ key: bytesOfSigningSecret(newest), until: null }]
  return before === null ? secrets : [...secrets, { key: bytesOfSigningSecret(before), until: previousUntil }]
}

/** The headers of a webhook; null if they cannot be opened. Names in lower case, as of all others: none is sent twice. */
function addedHeaders(seal: Seal, own: unknown): Readonly<Record<string, string>> | null {
  const sealed = own === null ? null : jsonInColumn(own)
  if (sealed === null) return {}
  const headers = isSealedHeaders(sealed) ? openHeaders(sealed, seal) : null
  return headers && Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** The names of these headers, in lower case. */
export function addedNames(own: unknown): readonly string[] {
  const sealed = own === null ? null : jsonInColumn(own)
  return isSealedHeaders(sealed) ? sealed.names.map((name) => name.toLowerCase()) : []
}

function signatureOf(key: Buffer, content: string): string {
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}
