/** Names of components: generators create types from them. */
import type { Catalog, RecordType } from '../../compile/compile.js'

/** A JSON schema. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** The id of a record. */
export const ID: JsonSchema = { type: 'integer', minimum: 1 }

/** The forms in which a record type has a schema, in addition to its name alone: the single record. */
export type Form = 'below' | 'listed' | 'listed_below' | 'reference' | 'create' | 'update'

/** Schemas and responses that do not belong to a record type. */
export const SHARED_NAMES: readonly string[] = [
  ...['id_only', 'account_reference', 'storage_upload', 'file_changes', 'ids', 'api_error', 'validation_error'],
  ...['invalid', 'refused', 'done', 'linked', 'upload_form', 'account_roles', 'event_submission', 'personal_token'],
]

/** Endings of schemas and responses of a type. */
const ENDINGS = ['below', 'listed', 'listed_below', 'reference', 'create', 'update', 'saved', 'below_saved', 'inside']

/** True if a type with this name would overwrite a schema or response of another type, or a shared one. */
export function isReservedName(name: string, types: { has(name: string): boolean }): boolean {
  const inside = name.indexOf('_inside_')
  const others = ENDINGS.flatMap((ending) => (name.endsWith(`_${ending}`) ? [name.slice(0, -ending.length - 1)] : []))
  return SHARED_NAMES.includes(name) || [...others, name.slice(0, Math.max(inside, 0))].some((other) => types.has(other))
}

/**
 * The name of a component: `RequestCreate` of `request_create`. Keeps underscores before digits, so that names stay different.
 */
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
  let name = key.replaceAll('.', '_')
  while (catalog.types.has(name) || isReservedName(name, catalog.types)) name += '_value'
  return name
}

/** The name of the schema of sub-records inside an owner that shows some of their fields. */
export function insideName(part: RecordType, shows: readonly string[], catalog: Catalog): string {
  const choices = choicesInside(part, catalog)
  return choices.size < 2 ? `${part.name}_inside` : `${part.name}_inside_${choices.get(shows.join())?.owner ?? ''}`
}

/** The selections of fields of a type of sub-records that owners show, each with the first owner that does. */
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
