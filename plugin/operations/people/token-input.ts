/** Reads what callers send to make a token, or an OAuth client. Strict: a misspelled limit must not become a token without it. */
import { FEED } from '../../access/tokens/token-limits.js'
import type { Call } from '../../core/call.js'
import { Invalid, type Violation } from '../../core/errors.js'
import { numberOf } from '../../core/sent-number.js'
import { isBlank } from '../../core/text/blank.js'
import { parseInstant, withPlusRestored } from '../../core/time/zoned-time.js'
import type { Catalog } from '../../schema/catalog.js'
import { isBooleanWord, readBoolean, readText } from '../../schema/kinds/values/read-values.js'

/** Name and limits of a new token or client. */
export interface LimitsInput {
  readonly name: string
  readonly readOnly: boolean
  /** Null for all record types. */
  readonly recordTypes: readonly string[] | null
}

/** Name, limits and end of a new token. */
export interface TokenInput extends LimitsInput {
  /** Null for a token without an end. */
  readonly expiresAt: Date | null
}

export const MAX_TOKEN_NAME = 128
/** Maximum of `expires_in_days`: ten years. */
export const MAX_TOKEN_DAYS = 3_650
/** Maximum number of unknown names that a response lists. */
const MAX_UNKNOWN = 10
const DAY = 24 * 3600_000
const LIMITS = ['name', 'read_only', 'record_types']
const KNOWN = new Set([...LIMITS, 'expires_at', 'expires_in_days'])
const KNOWN_OF_CLIENTS = new Set(LIMITS)

type Body = Readonly<Record<string, unknown>>
type Refuse = (...violation: Violation) => void

/** Reads the body of a new token. @throws Invalid with all violations */
export function readTokenInput(catalog: Catalog, call: Call, body: Body): TokenInput {
  return reading(body, KNOWN, (refuse) => ({ ...readLimits(catalog, body, refuse), expiresAt: readEnd(call, body, refuse) }))
}

/** Reads the body of a new OAuth client, which has no end. @throws Invalid with all violations */
export function readClientInput(catalog: Catalog, body: Body): LimitsInput {
  return reading(body, KNOWN_OF_CLIENTS, (refuse) => readLimits(catalog, body, refuse))
}

function reading<T>(body: Body, known: ReadonlySet<string>, read: (refuse: Refuse) => T): T {
  const violations: Violation[] = []
  const refuse: Refuse = (...violation) => void violations.push(violation)
  const unknown = Object.keys(body).filter((name) => !known.has(name))
  for (const name of unknown.slice(0, MAX_UNKNOWN)) refuse(name.slice(0, MAX_TOKEN_NAME), 'unknown_field')
  const input = read(refuse)
  if (violations.length > 0) throw new Invalid(violations)
  return input
}

function readLimits(catalog: Catalog, body: Body, refuse: Refuse): LimitsInput {
  return {
    name: readName(body['name'], refuse),
    readOnly: readFlag(body['read_only'], refuse),
    recordTypes: readTypes(catalog, body['record_types'], refuse),
  }
}

/** Names that `record_types` may contain: sub-records follow the records that they belong to. The scope of the feed is the last one. */
export function typesForTokens(catalog: Catalog): readonly string[] {
  return [...[...catalog.types.values()].filter(({ partOf }) => partOf.length === 0).map(({ name }) => name), FEED]
}

function readName(given: unknown, refuse: Refuse): string {
  const text = isBlank(given) ? '' : readText(given)
  // Shown in lists and audit lines, where a line break or a change of direction would disguise it.
  if (typeof text !== 'string' || /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text)) refuse('name', 'invalid')
  else if (text.trim() === '') refuse('name', 'blank')
  else if ([...text.trim()].length > MAX_TOKEN_NAME) refuse('name', 'too_long', { max: MAX_TOKEN_NAME })
  else return text.trim()
  return ''
}

function readFlag(given: unknown, refuse: Refuse): boolean {
  if (isBlank(given)) return false
  if (!isBooleanWord(given)) refuse('read_only', 'invalid')
  return readBoolean(given)
}

/** A list, or names separated by commas. An empty list is refused: it could mean all types, or none. */
function readTypes(catalog: Catalog, given: unknown, refuse: Refuse): readonly string[] | null {
  if (given === undefined || given === null) return null
  const names: readonly unknown[] = typeof given === 'string' ? given.split(',').map((name) => name.trim()) : [given].flat()
  const known = typesForTokens(catalog)
  if (names.length === 0 || names.every(isBlank)) refuse('record_types', 'blank')
  else if (names.length > known.length || !names.every((name) => known.includes(name as string)))
    refuse('record_types', 'inclusion')
  return known.filter((name) => names.includes(name))
}

function readEnd(call: Call, body: Body, refuse: Refuse): Date | null {
  const { expires_at: at, expires_in_days: days } = body
  if (!isBlank(at) && !isBlank(days)) refuse('expires_in_days', 'expiry_twice')
  const now = new Date(call.now)
  if (!isBlank(at)) {
    const instant =
      typeof at === 'string' && at.length <= MAX_TOKEN_NAME ? parseInstant(withPlusRestored(at.trim()), call.zone) : null
    if (instant === null) refuse('expires_at', 'invalid_datetime')
    else if (instant <= call.now) refuse('expires_at', 'not_in_future')
    else return new Date(instant)
  } else if (!isBlank(days)) {
    const number = typeof days === 'string' && /^\s*\d{1,6}\s*$/.test(days) ? Number(days) : numberOf(days)
    if (typeof number !== 'number' || !Number.isInteger(number)) refuse('expires_in_days', 'not_an_integer')
    else if (number < 1) refuse('expires_in_days', 'less_than', { min: 1 })
    else if (number > MAX_TOKEN_DAYS) refuse('expires_in_days', 'greater_than', { max: MAX_TOKEN_DAYS })
    else return new Date(now.getTime() + number * DAY)
  }
  return null
}
