import { type FieldOptions, makeField } from '../language/field.js'
import type { Kind } from './kind.js'
import { stringsKind } from './strings.js'

/** Maximum number of names in one field. */
const MAX_EVENTS = 50
/** Maximum number of characters of a name. */
const MAX_NAME = 128
/** After the name of a record type: all of its events. */
const ANY = '.*'

const NAMES = { maxItems: MAX_EVENTS, items: { type: 'string', maxLength: MAX_NAME } } as const

/** Names of events, such as `request.create`, and `request.*` for all events of a record type. In order, each once. */
export const eventsKind: Kind = {
  ...stringsKind,
  options: {},
  holdsEvents: true,
  mistakes: () => [],
  input: {
    read(value, _zone, { values = [] }) {
      if (!Array.isArray(value) || !value.every((name) => typeof name === 'string')) return { refused: 'invalid' }
      const names = [...new Set<string>(value)]
      if (names.length > MAX_EVENTS) return { refused: 'too_many', params: { max: MAX_EVENTS } }
      const unknown = names.find((name) => !isEvent(name, values))
      if (unknown !== undefined) return { refused: 'no_event', params: { name: unknown.slice(0, MAX_NAME).toWellFormed() } }
      return { value: names.length > 0 ? names : null }
    },
    check: () => ({ type: ['array', 'null'], ...NAMES }),
  },
  document: {
    shown: () => ({ type: 'array', ...NAMES }),
    hint: () => ' Such as request.create, or request.* for all of a type.',
  },
}

function isEvent(name: string, values: readonly string[]): boolean {
  if (!name.endsWith(ANY)) return values.includes(name)
  const type = name.slice(0, -ANY.length)
  return values.some((value) => value.startsWith(`${type}.`) && value.indexOf('.') === type.length)
}

/** Names of events of any record types, and `request.*` for all events of one. */
export function eventNames<const O extends FieldOptions = object>(options?: O) {
  return makeField<readonly string[], O, 'events'>('events', {}, options)
}
