/** Which fields a form has first, and which must be filled in. */
import type { Field } from './read-catalog.js'

/** Fields that a short form of a new record has although nobody must fill them in. */
const FIRST: ReadonlySet<string> = new Set([
  'name',
  'subject',
  'title',
  'description',
  'note',
  'impact',
  'category',
  'requested_for',
  'secret',
])
/** Where a record came from. */
const ORIGIN: ReadonlySet<string> = new Set(['source', 'sourceID'])

/** True for fields that a short form of a new record has. */
export function isFirst(field: Field, isNew: boolean): boolean {
  return isNeededIn(field, isNew) || FIRST.has(field.name)
}

export function isNeededIn(field: Field, isNew: boolean): boolean {
  return field.needed === true || (field.required === true && !(isNew && mayBeFilledIn(field)))
}

/** What a new record needs first, and where it came from last. */
export function inOrder(fields: readonly Field[], isNew: boolean): readonly Field[] {
  return inPlaces(fields, (field) => (ORIGIN.has(field.name) ? 2 : isNew && !isFirst(field, isNew) ? 1 : 0))
}

/** The fields by their place: first, then, or last. In the same place they keep their order. */
export function inPlaces(fields: readonly Field[], placeOf: (field: Field) => 0 | 1 | 2): readonly Field[] {
  return fields.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** True if a rule or a default may know what a new record is about. */
function mayBeFilledIn({ default: value, kind }: Field): boolean {
  return value !== undefined || kind === 'ref' || kind === 'boolean'
}
