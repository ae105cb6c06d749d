/** A type with mistakes, for the specs of this folder. */
import { mistakesIn } from '../../../plugin/schema/check/check.js'
import { type Field, integer, oneOf, string } from '../../../plugin/schema/kinds/fields.js'
import { type Definition, defineRecord } from '../../../plugin/schema/language/define-record.js'
import { rule } from '../../../plugin/schema/language/define-rule.js'
import type { Extension } from '../../../plugin/schema/language/extend-record.js'

export const id = integer({ readOnly: true })
export const NONE = { fields: 'id', sort: 'id', filterable: 'id' } as const
export const CLOSED = { create: [], update: [] }
export const person = defineRecord('person', {
  path: 'people',
  fields: { id, name: string(10), state: oneOf(['on', 'off']) },
  collection: NONE,
  access: CLOSED,
})
export const known = rule('known', (field: string) => ({ fields: [field], fill: () => {} }))

/** The mistakes of a type `thing` that is right apart from what is given. */
export function mistakes(more: object, others: readonly Definition[] = [], extensions: readonly Extension[] = []): string[] {
  const base = { path: 'things', fields: { id, name: string(10) }, collection: NONE, access: CLOSED }
  return mistakesIn([defineRecord('thing', { ...base, ...more }), person, ...others], extensions)
}
export const field = (name: string, spec: Field, more: object = {}) =>
  mistakes({ fields: { id, name: string(10), [name]: spec }, ...more })
export const bad = (spec: object) => spec as Field
