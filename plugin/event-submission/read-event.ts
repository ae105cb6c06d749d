/** Sorts the parameters of an event by what they do. Pure. */
import type { Role } from '../core/call.js'
import { digitsOf } from '../core/sent-number.js'
import { isBlank, lineOf } from '../core/text/blank.js'
import { cut } from '../core/text/cut.js'
import { withPlusRestored } from '../core/time/zoned-time.js'
import { shortSource } from '../schema/kinds/common-fields.js'
import { readId, readText } from '../schema/kinds/values/read-values.js'
import {
  EVENT_FIELD_LIST,
  type EventField,
  type EventFieldName,
  type NamedBy,
  namesOf,
  SUPPORT_DOMAIN,
} from './event-parameters.js'

/** A record, as a parameter names it. */
export interface Mention {
  readonly parameter: string
  /** The value as it was sent, for the note. */
  readonly said: string
  readonly key:
    | { readonly id: number }
    | { readonly name: string; readonly by: readonly NamedBy[] }
    | { readonly sourceID: string; readonly source: string | null }
    /** Cannot name a record. */
    | null
}

/** Values by field. */
export type GivenValues = { readonly [F in EventFieldName]?: unknown }

/** The parameters of an event that count for the caller. */
export interface GivenEvent {
  /** Values of fields that are no references, as they were sent. */
  readonly values: GivenValues
  /** Records that parameters name, by field; the first one that is found counts. */
  readonly mentions: { readonly [F in EventFieldName]?: readonly Mention[] }
  readonly ignored: readonly IgnoredParameter[]
}

/** A parameter without effect: an unknown one, or one that needs a role. */
export interface IgnoredParameter {
  readonly name: string
  readonly code: 'unknown_parameter' | 'cannot_be_set'
}

/** Maximum number of characters of a value in a note. */
const MAX_SAID = 255

/** Parameters by name. Blank ones count as absent, so that their default applies. */
export type Parameters = ReadonlyMap<string, unknown>

/** Reads the parameters that the caller's roles allow. */
export function readEvent(parameters: Parameters, has: (role: Role) => boolean): GivenEvent {
  const values: { -readonly [F in EventFieldName]?: unknown } = {}
  const mentions: { -readonly [F in EventFieldName]?: readonly Mention[] } = {}
  const used = new Set<string>([SUPPORT_DOMAIN])
  const closed = new Set<string>()
  for (const [field, definition] of EVENT_FIELD_LIST) {
    if (definition.role !== null && !has(definition.role)) {
      for (const name of namesOf(field, definition)) closed.add(name)
      continue
    }
    const take = (name: string) => {
      used.add(name)
      const value = parameters.get(name)
      return isBlank(value) ? undefined : value
    }
    if (definition.namedBy) {
      const found = mentionsOf(field, definition, definition.namedBy, take)
      if (found.length > 0) mentions[field] = found
      continue
    }
    const [value] = (definition.names ?? [field]).map(take).filter((one) => one !== undefined)
    if (value !== undefined) values[field] = sentValue(field, definition, value)
  }
  const names = [...parameters.keys()].filter((name) => !used.has(name))
  const ignored = names.map((name) => ({ name, code: closed.has(name) ? 'cannot_be_set' : 'unknown_parameter' }) as const)
  return { values, mentions, ignored }
}

function sentValue(field: EventFieldName, { isTime }: EventField, given: unknown): unknown {
  const value = digitsOf(given)
  // A long name refuses no event.
  if (field === 'source' && ['string', 'number'].includes(typeof value)) return shortSource(lineOf(String(value)))
  if (typeof value !== 'string') return value
  return isTime ? withPlusRestored(value.trim()) : value
}

function mentionsOf(
  field: string,
  { namedBySource }: EventField,
  by: readonly NamedBy[],
  take: (name: string) => unknown,
): readonly Mention[] {
  const found: Mention[] = []
  const mention = (parameter: string, value: unknown, key: Mention['key']) => {
    found.push({ parameter, said: saidOf(value), key })
  }
  const byId = take(`${field}_id`)
  if (byId !== undefined) mention(`${field}_id`, byId, idKey(byId))
  if (namedBySource) {
    const [source, sourceID] = [take(`${field}_source`), take(`${field}_sourceID`)]
    if (sourceID !== undefined) mention(`${field}_sourceID`, sourceID, sourceKey(source, sourceID))
    else if (source !== undefined) mention(`${field}_source`, source, null)
  }
  const value = take(field)
  // A reference as an object is accepted wherever one can be written (behaviour: Writing).
  if (value !== undefined)
    mention(field, value, typeof digitsOf(value) === 'object' || by.length === 0 ? idKey(value) : nameKey(value, by))
  return found
}

function idKey(value: unknown): Mention['key'] {
  const id = readId(typeof value === 'string' ? value.trim() : value)
  return id === null ? null : { id }
}

function nameKey(value: unknown, by: readonly NamedBy[]): Mention['key'] {
  const name = readText(value)
  return typeof name === 'string' ? { name: lineOf(name), by } : null
}

function sourceKey(source: unknown, sourceID: unknown): Mention['key'] {
  const [one, other] = [source === undefined ? null : readText(source), readText(sourceID)]
  if ((one !== null && typeof one !== 'string') || typeof other !== 'string') return null
  return { sourceID: lineOf(other), source: one === null ? null : lineOf(one) }
}

function saidOf(given: unknown): string {
  const value = digitsOf(given)
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const read = readText(text.replaceAll('\0', ''))
  return typeof read === 'string' ? cut(read, MAX_SAID).replace(/\s+/g, ' ').trim() : ''
}
