/** What code of the host says with an event of its own (behaviour: Events). */
import { shown } from '../../core/text/shown.js'
import type { Json } from './field.js'
import { checkShape, isObject } from './shapes.js'

/** Values of JSON by name: `{ km: 120431, to: 'Depot 7' }`. */
export type EventData = { readonly [name: string]: Json }

/** Maximum size as JSON, in bytes of UTF-8: each delivery and each page of the feed carries it. */
export const MAX_EVENT_DATA = 8192

/**
 * A copy of the data as JSON has it: times are texts, and names without a value are left out. Null for none.
 *
 * @throws TypeError for what is no object of JSON values, and for more than MAX_EVENT_DATA bytes
 */
export function eventDataOf(event: string, data: unknown): EventData | null {
  if (data === undefined) return null
  const refuse = (_path: string, reason: string) => {
    throw new TypeError(`emit of ${event}: data ${reason}`)
  }
  if (!isObject(data)) return refuse('', `must be an object, not ${shown(data)}`)
  checkShape(data, 'json', '', refuse)
  const json = JSON.stringify(data)
  const bytes = Buffer.byteLength(json)
  if (bytes > MAX_EVENT_DATA) refuse('', `has ${bytes} bytes as JSON; at most ${MAX_EVENT_DATA} are kept`)
  const copy: unknown = JSON.parse(json)
  if (!isObject(copy)) return refuse('', `must be an object, not ${shown(copy)}`)
  return Object.keys(copy).length > 0 ? (copy as EventData) : null
}
