/** Parses the text of a body into an object that is safe to copy or merge. */
import { BadRequest, Invalid, ItsmError, type Violation } from '../../core/errors.js'
import { checkEntries, checkLevels, checkNames, parseWithin } from '../../core/json-text.js'
import { isLost, SentNumber } from '../../core/sent-number.js'
import { isPoison, refusePoison, valuesOf } from '../../schema/kinds/values/json-values.js'
import { formPairs } from './form-pairs.js'

export type JsonObject = Readonly<Record<string, unknown>>

/**
 * Parses the object in a JSON text.
 *
 * @throws BadRequest if the text is not JSON, not an object, or over the budget of bodies
 */
export function parseJsonObject(text: string): JsonObject {
  let value: unknown
  try {
    value = parseWithin(text)
  } catch (error) {
    if (error instanceof ItsmError) throw error
    throw new BadRequest('Invalid JSON string posted', error)
  }
  return cleanObject(value)
}

/** The fields of a URL-encoded form. If a name occurs twice, the last value wins. @throws BadRequest for too many fields */
export function parseForm(text: string): JsonObject {
  // Counted before they are decoded, each of which costs more than the counting of all.
  checkForm(text)
  return cleanObject(Object.fromEntries(formPairs(text)))
}

/** @throws BadRequest for a form with too many fields */
export function checkForm(text: string): void {
  for (let names = 1, end = text.indexOf('&'); end >= 0; end = text.indexOf('&', end + 1)) checkNames(++names)
}

/**
 * The object without keys of its own that could change prototypes.
 *
 * @throws BadRequest if it is not an object, or over the budget of bodies; Invalid for such keys within its values
 */
export function cleanObject(value: unknown): JsonObject {
  return cleanCounted(value).object
}

/** The entries of all lists, and the names of all objects together with the number of lists. */
interface Counted {
  entries: number
  names: number
}

/** Like `cleanObject`, and tells how much of the budget the object takes. @throws BadRequest, Invalid */
export function cleanCounted(value: unknown): { readonly object: JsonObject; readonly counted: Counted } {
  if (!isObject(value)) throw new BadRequest('Body should be a JSON object')
  const counted = { entries: 0, names: 0 }
  count(value, 1, counted)
  const poisons: Violation[] = []
  for (const [name, inner] of Object.entries(value)) {
    if (isPoison(name, inner)) delete (value as Record<string, unknown>)[name]
    else {
      // What is within a value may be custom data, of which nothing is lost without a word.
      const refusal = refusePoison(inner)
      if (refusal) poisons.push([name, refusal.refused, refusal.params ?? {}])
    }
  }
  if (poisons.length > 0) throw new Invalid(poisons)
  return { object: value, counted }
}

/** @param counted until now */
function count(value: object, level: number, counted: Counted): void {
  checkLevels(level)
  if (Array.isArray(value)) {
    counted.entries += value.length
    checkEntries(counted.entries)
    checkNames(0, ++counted.names)
  } else {
    const { length } = Object.keys(value)
    counted.names += length
    checkNames(length, counted.names)
  }
  for (const inner of valuesOf(value)) if (isNested(inner)) count(inner, level + 1, counted)
}

/** Bytes of all names and texts in a value that has been cleaned: nearly all of what it was sent with. */
export function bytesOfTexts(value: unknown): number {
  if (typeof value === 'string' || value instanceof SentNumber) return Buffer.byteLength(String(value))
  if (!isNested(value)) return 0
  let bytes = 0
  for (const [name, inner] of Object.entries(value)) bytes += Buffer.byteLength(name) + bytesOfTexts(inner)
  return bytes
}

/**
 * The object that a parser of the host has made of a body.
 *
 * @throws Invalid for numbers that have lost digits in it, BadRequest if it is not an object, or over the budget of bodies
 */
export function cleanParsed(value: unknown): JsonObject {
  const object = cleanObject(value)
  refuseLost(object)
  return object
}

/** @throws Invalid for numbers of which a parser of the host has lost digits */
export function refuseLost(body: JsonObject): void {
  const names = Object.keys(body).filter((name) => holdsLost(body[name]))
  if (names.length > 0) throw new Invalid(names.map((name) => [name, 'inexact_number']))
}

function holdsLost(value: unknown): boolean {
  return isLost(value) || (isNested(value) && Object.values(value).some(holdsLost))
}

/** True for an object that is not a list. */
export function isObject(value: unknown): value is JsonObject {
  return isNested(value) && !Array.isArray(value)
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof SentNumber)
}
