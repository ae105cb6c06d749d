import { type FieldOptions, makeField } from '../language/field.js'
import { enumKind } from './enum.js'
import type { Kind } from './kind.js'

const { mistakeInTest: _, mistakes: __, ...likeEnum } = enumKind

/** The name of an event, such as `request.create`: an enumeration whose values are all events of the catalog. */
export const eventKind: Kind = { ...likeEnum, options: {}, holdsEvents: true }

/** The name of an event of any record type: `request.create`. Types and extensions of hosts add theirs. */
export function eventName<const O extends FieldOptions = object>(options?: O) {
  return makeField<string, O, 'event'>('event', {}, options)
}
