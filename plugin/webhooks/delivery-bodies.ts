/** The body of a delivery in the form that its webhook asks for. Pure (ADR 64). */
import type { Json } from '../schema/language/field.js'
import { formBody, parametersOf, type WebhookMessage } from './payload.js'
import type { Extras } from './read-extras.js'

/** The form of a body: that of the specification, or JSON with the same names. */
export type ContentType = 'form' | 'json'

/** Content types in headers; that of forms is the specified one (spec, Events, Delivery 1). */
export const CONTENT_TYPES: Readonly<Record<ContentType, string>> = {
  form: 'application/x-www-form-urlencoded; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

/**
 * The body of a delivery. A form has extras in parameters after all others: `payload[data]`, `payload[record]` and `payload[changes]`
 * as JSON, `payload[cause]` as text. Without extras it is the specified one to the letter.
 *
 * @param at time of the event
 */
export function bodyOf(contentType: ContentType, message: WebhookMessage, at: Date, extras: Extras = {}): string {
  if (contentType === 'json') return JSON.stringify(jsonBody(message, at, extras))
  const further = Object.entries(extras).map(([name, value]): [string, string] => [`payload[${name}]`, textOf(value)])
  const form = formBody(message)
  return further.length > 0 ? `${form}&${new URLSearchParams(further)}` : form
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The event, its time, and the parameters of a form as an object: `payload[team][id]` is `data.payload.team.id`. */
export function jsonBody(message: WebhookMessage, at: Date, extras: Extras = {}): { readonly [name: string]: Json } {
  const data: Nested = {}
  for (const [name, value] of parametersOf(message)) {
    const path = name.split(/[[\]]+/).filter((step) => step !== '')
    // A form has an empty text for events without a person.
    put(data, path, value === '' ? null : value)
  }
  const payload = { ...Object(data['payload']), ...extras } as Json
  return { type: message.event, timestamp: at.toISOString(), data: { ...(data as object), payload } as Json }
}

interface Nested {
  [name: string]: Nested | string | number | boolean | null
}

function put(into: Nested, [first = '', ...rest]: readonly string[], value: string | number | boolean | null): void {
  if (rest.length === 0) {
    into[first] = value
    return
  }
  const known = into[first]
  const inner: Nested = typeof known === 'object' && known !== null ? known : {}
  into[first] = inner
  put(inner, rest, value)
}
