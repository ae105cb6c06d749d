/** Schemas of objects, in the form that every generator reads. */
import type { JsonSchema } from '../kinds/json-schema.js'
import { withNamesForGo } from './names-for-go.js'

/** The schemas of fields by their names. */
export type Properties = { readonly [name: string]: JsonSchema }

/**
 * A schema that has more properties, or requires more of them, than the one that it is based on. Some generators read `required`
 * beside `allOf`, some only properties with their own `required`, and some take a list of one schema for that schema. So the
 * second part is never empty, and repeats what is required, as far as there is room for it.
 */
export function extended(base: JsonSchema, properties: Properties, { required = [], ...rest }: Extension): JsonSchema {
  const own = required.filter((name) => name in properties)
  const part = { type: 'object', properties, ...(own.length > 0 ? { required: own } : {}) }
  return { allOf: [base, part], ...(required.length > 0 ? { required } : {}), ...rest }
}

interface Extension {
  readonly required?: readonly string[]
  readonly description?: string
}

/** The properties of these names. */
export function pick(properties: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name)))
}

/** The properties of these names, for an extension that repeats them: the schema that it is based on has described them. */
export function repeated(properties: Properties, names: readonly string[]): Properties {
  const chosen = Object.entries(pick(properties, names))
  return Object.fromEntries(chosen.map(([name, { description: _, ...schema }]) => [name, schema]))
}

/** An object with these properties and no others. */
export function objectOf(properties: Properties, required: readonly string[]): JsonSchema {
  return { type: 'object', properties: withNamesForGo(properties), required, additionalProperties: false }
}
