/**
 * For receivers of webhooks: `import { verifyDelivery } from 'koa-itsm/receive'`. It needs nothing but Node, and no other part of
 * the plugin (behaviour: Signatures).
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { type FormValue, parseForm } from './parse-form.js'

export type { FormValue } from './parse-form.js'

/**
 * Why a delivery was refused:
 *
 * - `invalid_secret`: a secret of the receiver is not `whsec_` and 24 to 64 bytes in Base64, or there is none
 * - `not_raw`: the body is not the text or the bytes that were received
 * - `missing_header`: `webhook-id`, `webhook-timestamp` or `webhook-signature` is absent or empty
 * - `invalid_timestamp`: it is not a number of seconds
 * - `too_old`, `too_new`: it is more than five minutes off
 * - `wrong_signature`: no signature of a known version fits
 * - `unknown_type`: the signature fits, but the content type is neither a form nor JSON
 * - `invalid_body`: the signature fits, but the body is no JSON
 */
export type Refusal =
  | 'invalid_secret'
  | 'not_raw'
  | 'missing_header'
  | 'invalid_timestamp'
  | 'too_old'
  | 'too_new'
  | 'wrong_signature'
  | 'unknown_type'
  | 'invalid_body'

/** A delivery that must not be trusted, or cannot be read. The message has no secret and nothing of the body. */
export class DeliveryRefused extends Error {
  override readonly name = 'DeliveryRefused'
  /** Why, for code. */
  readonly reason: Refusal

  constructor(reason: Refusal, message: string) {
    super(message)
    this.reason = reason
  }
}

/** The body of a delivery of koa-itsm. Values are texts. */
export type DeliveryForm = { readonly [name: string]: FormValue }

/** A delivery that the owner of the secret has sent. */
export interface VerifiedDelivery<Body> {
  /** All repeats of a message to a webhook have the same: an id that was received before can be ignored. */
  readonly id: string
  /** Time of this attempt. */
  readonly timestamp: Date
  /** The form as an object, or the parsed JSON. */
  readonly body: Body
}

/** Headers as Node or fetch have them (an object with `get`); upper and lower case do not matter. */
export type DeliveryHeaders =
  | { readonly [name: string]: string | readonly string[] | undefined }
  | { get(name: string): string | null }

/** Seconds that the clocks of sender and receiver may differ. */
const TOLERANCE = 5 * 60
const PREFIX = 'whsec_'
const [MIN_BYTES, MAX_BYTES] = [24, 64]

/**
 * Verifies a delivery that was signed as Standard Webhooks 1.0 describes, and returns what it says.
 *
 * ```ts
 * import { verifyDelivery } from 'koa-itsm/receive'
 *
 * export async function receive(request: Request, secret: string): Promise<string> {
 *   const { body, id } = verifyDelivery(await request.text(), request.headers, secret)
 *   return `${id}: ${String(body['event'])}`
 * }
 * ```
 *
 * @param rawBody the body as it was received, before any parser
 * @param secrets `whsec_…`; several while the receiver changes over to another one
 * @param options the time at which it was received; default: now
 * @throws DeliveryRefused
 */
export function verifyDelivery<Body = DeliveryForm>(
  rawBody: string | Uint8Array,
  headers: DeliveryHeaders,
  secrets: string | readonly string[],
  options: { readonly now?: Date } = {},
): VerifiedDelivery<Body> {
  const keys = [secrets].flat().map(keyOf)
  if (keys.length === 0) throw new DeliveryRefused('invalid_secret', 'There must be a secret')
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array))
    throw new DeliveryRefused('not_raw', 'The body must be the text or the bytes that were received')
  const [id, timestamp, given] = NAMES.map((name) => required(headers, name)) as [string, string, string]
  const seconds = secondsOf(timestamp, options.now ?? new Date())
  if (!isSigned(keys, [id, timestamp], rawBody, given))
    throw new DeliveryRefused('wrong_signature', 'No signature fits the delivery')
  const body = parse(headerOf(headers, 'content-type') ?? '', Buffer.from(rawBody).toString('utf8'))
  return { id, timestamp: new Date(seconds * 1000), body: body as Body }
}

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

function required(headers: DeliveryHeaders, name: string): string {
  const value = headerOf(headers, name)
  if (!value) throw new DeliveryRefused('missing_header', `The header ${name} is missing`)
  return value
}

function headerOf(headers: DeliveryHeaders, name: string): string | undefined {
  const found = isLookup(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1]
  return found === null || found === undefined ? undefined : [found].flat().join(' ')
}

function isLookup(headers: DeliveryHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get'] === 'function'
}

/** The bytes of a secret. */
function keyOf(secret: unknown): Buffer {
  const text = typeof secret === 'string' && secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : ''
  const key = Buffer.from(text, 'base64')
  if (key.length < MIN_BYTES || key.length > MAX_BYTES || key.toString('base64') !== text)
    throw new DeliveryRefused('invalid_secret', `A secret is ${PREFIX} and 24 to 64 bytes in Base64`)
  return key
}

function secondsOf(timestamp: string, now: Date): number {
  if (!/^\d{1,12}$/.test(timestamp)) throw new DeliveryRefused('invalid_timestamp', 'The timestamp is no number of seconds')
  const seconds = Number(timestamp)
  const age = Math.floor(now.getTime() / 1000) - seconds
  if (age > TOLERANCE) throw new DeliveryRefused('too_old', 'The delivery is more than five minutes old')
  // Also for a clock without a time, which is NaN.
  if (!(age >= -TOLERANCE)) throw new DeliveryRefused('too_new', 'The timestamp is more than five minutes ahead')
  return seconds
}

/** True if one of the signatures is that of one of the keys. Compares in constant time; signatures of other versions do not count. */
function isSigned(
  keys: readonly Buffer[],
  [id, timestamp]: readonly string[],
  body: string | Uint8Array,
  given: string,
): boolean {
  const expected = keys.map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest())
  const signatures = given.split(' ').flatMap((one) => (one.startsWith('v1,') ? [Buffer.from(one.slice(3), 'base64')] : []))
  return signatures.some((bytes) => expected.some((own) => bytes.length === own.length && timingSafeEqual(bytes, own)))
}

function parse(type: string, text: string): unknown {
  const [name = ''] = type.toLowerCase().split(';')
  if (name.trim() === 'application/x-www-form-urlencoded') return parseForm(text)
  if (!/^application\/([^\s/]+\+)?json$/.test(name.trim()))
    throw new DeliveryRefused('unknown_type', 'The content type is neither a form nor JSON')
  try {
    return JSON.parse(text)
  } catch {
    throw new DeliveryRefused('invalid_body', 'The body is no JSON')
  }
}
