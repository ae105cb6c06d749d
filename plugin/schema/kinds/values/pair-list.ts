/** A JSON object as a list of id and value: the second form of custom_data (behaviour: Custom data). */
import { isDeepStrictEqual } from 'node:util'
import { digitsOf } from '../../../core/sent-number.js'
import type { Json } from '../../language/field.js'
import {
  holdsInexact,
  INEXACT_WITHIN,
  isDeeper,
  jsonTextOf,
  MAX_JSON_BYTES,
  MAX_JSON_DEPTH,
  parseJson,
  refusePoison,
} from './json-values.js'
import type { Read, Refusal } from './read-values.js'

type JsonObject = { readonly [id: string]: Json }

/** Reads the object from a list of `{ id, value }`, also as JSON text; refuses an id that occurs twice. */
export function readPairs(value: unknown): Read {
  const list = typeof value === 'string' ? parseJson(value) : value
  // The list has one level more than the object.
  if (!Array.isArray(list) || isDeeper(list, MAX_JSON_DEPTH + 1)) return { refused: 'invalid' }
  const object = new Map<string, Json>()
  for (const one of list as readonly unknown[]) {
    const { id: sent, value: given } = Object(one) as { readonly id?: unknown; readonly value?: unknown }
    const id = digitsOf(sent)
    if ((typeof id !== 'string' && typeof id !== 'number') || String(id).trim() === '') return { refused: 'invalid' }
    if (holdsInexact(given)) return INEXACT_WITHIN
    const json = jsonTextOf(given)
    if (json === undefined) return { refused: 'invalid' }
    // As a key of the object it would become the prototype of any object that it is copied into, or be lost.
    const poison = refusePoison({ [String(id)]: given })
    if (poison) return poison
    if (object.has(String(id))) return secondValue(String(id))
    object.set(String(id), JSON.parse(json) as Json)
  }
  return checked(Object.fromEntries(object))
}

/**
 * Sets the pairs in the object and keeps its other ids.
 *
 * @param isNew true if the caller has also sent the object: then an id must not have two values
 */
export function withPairs(object: Json, pairs: Json, isNew: boolean): Read {
  const [before, set] = [objectIn(object), objectIn(pairs)]
  const differing = Object.keys(set).find((id) => Object.hasOwn(before, id) && !isDeepStrictEqual(before[id], set[id]))
  if (isNew && differing !== undefined) return secondValue(differing)
  return checked(Object.fromEntries([...Object.entries(before), ...Object.entries(set)]))
}

/** The list for an object; empty if there is none. */
export function pairsIn(object: Json): Json {
  return Object.entries(objectIn(object)).map(([id, value]) => ({ id, value }))
}

function objectIn(value: Json): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

function checked(object: JsonObject): Read {
  const bytes = Buffer.byteLength(JSON.stringify(object))
  return bytes > MAX_JSON_BYTES ? { refused: 'too_big_text' } : { value: object }
}

/** Maximum number of characters of an id in a message. */
const MAX_SHOWN = 100

function secondValue(id: string): Refusal {
  return { refused: 'second_value', params: { value: id.slice(0, MAX_SHOWN) } }
}
