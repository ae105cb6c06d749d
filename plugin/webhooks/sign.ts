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

/** Creates the function. A delivery whose secret cannot be opened fails, and is never sent without a signature. */
export function createSend({ clock, fieldSeal, requester }: SendDeps): Send {
  return async ({ headers: own = null, signing, uri }, message) => {
    const { body, id } = message
    const now = clock.now()
    const secrets = openSecrets(fieldSeal, signing, now)
    if (!secrets) return { ok: false, reason: reasonOf(UNREADABLE), fault: UNREADABLE }
    const added = addedHeaders(fieldSeal, own)
    if (!added) return { ok: false, reason: reasonOf(HEADERS_UNREADABLE), fault: HEADERS_UNREADABLE }
    const timestamp = String(Math.floor(now.getTime() / 1000))
    const signatures = secrets.map((secret) => signatureOf(secret, `${id}.${timestamp}.${body}`))
    return requester.post({ uri, headers: { ...added, ...headersOf(message, timestamp, signatures) }, body })
  }
}

/** The headers of an attempt. @param timestamp seconds of the epoch; null for one that was not made yet */
export function headersOf(
  { contentType = 'form', id, link }: Outgoing,
  timestamp: string | null,
  signatures: readonly string[],
): Readonly<Record<string, string>> {
  return {
    'content-type': CONTENT_TYPES[contentType],
    link,
    'webhook-id': id,
    ...(timestamp !== null && { 'webhook-timestamp': timestamp }),
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  }
}

/** The secrets that sign at a time, the newest first; null if the newest cannot be opened. */
function openSecrets({ open }: Seal, { previous, previousUntil, secret }: Signing, now: Date): readonly string[] | null {
  if (secret === null) return []
  const newest = open(secret)
  if (newest === null) return null
  const before = previous !== null && previousUntil !== null && previousUntil > now ? open(previous) : null
  return before === null ? [newest] : [newest, before]
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

function signatureOf(secret: string, content: string): string {
  return `v1,${createHmac('sha256', bytesOfSigningSecret(secret)).update(content).digest('base64')}`
}
