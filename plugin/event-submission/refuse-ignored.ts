/** Parameters without effect that are refused instead of ignored (behaviour: Ignored fields). */
import type { Violation } from '../core/errors.js'
import { nearest } from '../core/text/nearest.js'
import type { SaveItem } from '../operations/contract.js'
import { EVENT_FIELD_LIST, EVENT_NAMES, namesOf } from './event-parameters.js'
import type { IgnoredParameter, Parameters } from './read-event.js'

/** Handling of parameters that have no effect. */
export type EventHandling = Pick<SaveItem, 'handling' | 'onlyKnown'>

/** Maximum number of names in one refusal, and of characters of each; an event may have any number. */
const MAX_NAMES = 20
const MAX_NAME_LENGTH = 100

/** Violations for what strict handling refuses; programs of the host are told of unknown names in both handlings. */
export function refusalsOf(ignored: readonly IgnoredParameter[], { handling, onlyKnown }: EventHandling): readonly Violation[] {
  const isRefused = ({ code }: IgnoredParameter) => handling === 'strict' || (onlyKnown && code === 'unknown_parameter')
  return ignored
    .filter(isRefused)
    .slice(0, MAX_NAMES)
    .map(({ code, name }): Violation => {
      const near = code === 'unknown_parameter' ? nearest(name, EVENT_NAMES) : undefined
      const short = name.slice(0, MAX_NAME_LENGTH)
      return near === undefined ? [short, code] : [short, code, { near }]
    })
}

/** Violations for parameters whose fields the save has ignored, because the host has closed them to the caller. */
export function refusalsOfSave(
  names: readonly string[],
  parameters: Parameters,
  { handling }: EventHandling,
): readonly Violation[] {
  if (handling !== 'strict') return []
  const ofField = EVENT_FIELD_LIST.filter(([field]) => names.includes(field) || names.includes(`${field}_id`))
  const sent = ofField.flatMap(([field, definition]) => namesOf(field, definition).filter((name) => parameters.has(name)))
  return sent.map((name) => [name, 'cannot_be_set'])
}
