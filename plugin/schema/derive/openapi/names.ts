/** Names of components: what generators make types of. */
import type { Catalog, RecordField, RecordType } from '../../compile.js'

export type JsonSchema = { readonly [keyword: string]: unknown }

/** The forms in which a record type has a schema, besides its name alone: the single record. */
export type Form = 'below' | 'listed' | 'listed_below' | 'reference' | 'create' | 'update'

/** The name of a component: `RequestCreate` of `request_create`. Underscores stay before digits, so that names stay different. */
export function componentName(name: string): string {
  return name.replace(/(^|[_.])([a-z])/g, (_, _before: string, letter: string) => letter.toUpperCase()).replace(/\./g, '_')
}

/** A schema among the components of the document. */
export function schemaNamed(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${componentName(name)}` }
}

/** The name of the schema of a record type in one of its forms. */
export function formOf(type: string, form: Form): string {
  return `${type}_${form}`
}

/** The schema of references to records of a type. */
export function referenceTo(record: string): JsonSchema {
  return schemaNamed(formOf(record, 'reference'))
}

/** The name of the schema with the values of an enumeration, different from those of record types. */
export function enumerationName(key: string, catalog: Catalog): string {
  const name = key.replaceAll('.', '_')
  const isForm = name.includes('_inside') || /_(below|listed|reference|create|update)$/.test(name)
  const isTaken = catalog.types.has(name) || isForm
  return isTaken ? `${name}_value` : name
}

/** The name of the schema of parts inside an owner that shows some of their fields. */
export function insideName(part: RecordType, shows: readonly string[], catalog: Catalog): string {
  const choices = choicesInside(part, catalog)
  return choices.size < 2 ? `${part.name}_inside` : `${part.name}_inside_${choices.get(shows.join())?.owner ?? ''}`
}

/** The choices of fields of a part type that owners show, each with the first owner that does. */
export function choicesInside(
  part: RecordType,
  catalog: Catalog,
): ReadonlyMap<string, { shows: readonly string[]; owner: string }> {
  const choices = new Map<string, { shows: readonly string[]; owner: string }>()
  for (const owner of catalog.types.values()) {
    for (const { record, shows } of owner.fields.values()) {
      if (record !== part.name || !shows || choices.has(shows.join())) continue
      choices.set(shows.join(), { shows, owner: owner.name })
    }
  }
  return choices
}

/** True when the field is an enumeration with values, which have a schema of their own. */
export function isEnumeration({ kind, values = [] }: RecordField): boolean {
  return kind === 'enum' && values.length > 0
}
