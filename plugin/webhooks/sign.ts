/** Signs deliveries as Standard Webhooks 1.0 does (behaviour: Signatures). */
import { createHmac } from 'node:crypto'
import type { Clock } from '../core/clock.js'
import type { Seal } from '../core/seal.js'
import type { Outcome } from '../deliveries/delivery.js'
import { bytesOfSigningSecret } from '../schema/kinds/values/signing-secret.js'
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
}

/** Dependencies of sending. */
export interface SendDeps {
  readonly clock: Clock
  readonly requester: Requester
  readonly fieldSeal: Seal
}

/** One attempt. It is signed when it is sent, so that repeats have a time and the secrets of their own. Never throws. */
export type Send = (to: { readonly uri: string; readonly signing: Signing }, message: Outgoing) => Promise<Outcome>

/** Content type of every delivery (spec, Events, Delivery 1). */
const FORM = 'application/x-www-form-urlencoded; charset=utf-8'
const UNREADABLE: Fault = { code: 'secret_unreadable' }

/** Creates the function. A delivery whose secret cannot be opened fails, and is never sent without a signature. */
export function createSend({ clock, fieldSeal, requester }: SendDeps): Send {
  return async ({ signing, uri }, message) => {
    const { body, id } = message
    const now = clock.now()
    const secrets = openSecrets(fieldSeal, signing, now)
    if (!secrets) return { ok: false, reason: reasonOf(UNREADABLE), fault: UNREADABLE }
    const timestamp = String(Math.floor(now.getTime() / 1000))
    const signatures = secrets.map((secret) => signatureOf(secret, `${id}.${timestamp}.${body}`))
    return requester.post({ uri, headers: headersOf(message, timestamp, signatures), body })
  }
}

/** The headers of an attempt. @param timestamp seconds of the epoch; null for one that was not made yet */
export function headersOf(
  { id, link }: Outgoing,
  timestamp: string | null,
  signatures: readonly string[],
): Readonly<Record<string, string>> {
  return {
    'content-type': FORM,
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

function signatureOf(secret: string, content: string): string {
  return `v1,${createHmac('sha256', bytesOfSigningSecret(secret)).update(content).digest('base64')}`
}
