/** Names of components: generators create types from them. */

/** A JSON schema. */
import type { Catalog, RecordType } from '../catalog.js'
export type JsonSchema = { readonly [keyword: string]: unknown }

/** The id of a record. */
export const ID: JsonSchema = { type: 'integer', minimum: 1 }

/** A text. */
export const TEXT: JsonSchema = { type: 'string' }

/** The forms in which a record type has a schema, in addition to its name alone: the single record. */
export type Form = (typeof FORMS)[number]
const FORMS = ['below', 'listed', 'listed_below', 'reference', 'owner', 'create', 'update', 'attributes'] as const

/** Schemas, responses and bodies that do not belong to a record type. */
export const SHARED_NAMES: readonly string[] = [
  ...[
    'account_reference',
    'any_reference',
    'api_error',
    'custom_field',
    'delivery_headers',
    'file_change',
    'file_changes',
    'ids',
    'json_object',
  ],
  ...['mentioned_record', 'problem_details', 'problem_error', 'record_result', 'storage_upload', 'validation_error'],
  ...['counted', 'done', 'invalid', 'linked', 'refused', 'limited', 'busy'],
  ...['delivery_attempt', 'delivery_count', 'delivery_figures', 'delivery_replay', 'delivery_request', 'sent_headers'],
  ...['delivery_webhook', 'logged_delivery', 'webhook_health', 'webhook_reason'],
  ...['account_details', 'account_roles', 'counted_minutes', 'dissatisfaction', 'empty_object', 'enumerations'],
  ...[
    'enumeration_value',
    'event_submission',
    'feed',
    'feed_gone',
    'feed_message',
    'file_upload',
    'export_progress',
    'export_request',
    'export_token',
    'import_change',
    'import_entry',
    'import_mapping',
    'import_person',
    'import_progress',
    'import_token',
    'import_undo',
    'import_upload',
    'myself',
    'new_session',
    'session_password',
    'system_state',
    'job_that_runs',
    'health_checks',
  ],
  ...['new_oauth_client', 'new_personal_token', 'oauth_client', 'oauth_client_create', 'oauth_grant', 'oauth_refusal'],
  ...['oauth_token_form', 'personal_token', 'personal_token_create', 'roles_given', 'roles_given_form'],
  ...['storage_form', 'storage_form_entries', 'import_results', 'uploaded_file'],
  ...['record_catalog', 'catalog_field', 'catalog_list', 'catalog_name', 'catalog_owner', 'catalog_type'],
  ...['allowance', 'record_allowance', 'type_allowance', 'type_allowances', 'record_count', 'record_counts'],
]

/** Endings of schemas, responses and bodies of a type. */
const ENDINGS = [
  ...[...FORMS, 'inside', 'response', 'list_page', 'create_body', 'update_body', 'id'],
  ...['below_response', 'below_list_page'],
]

/** Beginnings of components that are made of other names than those of types: filters, shared parameters, times or words. */
const BEGINNINGS = /^(by|in|time_or)_/
/** Beginnings of components of a type. */
const BEFORE_TYPES = ['added', 'counted', 'sort', 'state']

/**
 * True if a type with this name would have a schema, response, body or parameter of the same name as another type, or as a
 * shared one. Generators make one name of each, whatever it is.
 */
export function isReservedName(name: string, types: { has(name: string): boolean }): boolean {
  const inside = name.indexOf('_inside_')
  const others = [
    ...ENDINGS.flatMap((ending) => (name.endsWith(`_${ending}`) ? [name.slice(0, -ending.length - 1)] : [])),
    ...BEFORE_TYPES.flatMap((word) => (name.startsWith(`${word}_`) ? [name.slice(word.length + 1)] : [])),
    name.slice(0, Math.max(inside, 0)),
  ]
  return SHARED_NAMES.includes(name) || BEGINNINGS.test(name) || others.some((other) => types.has(other))
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

/** The name of the schema for a time in whose place one of these words may be. */
export function timeOrWords(words: readonly string[]): string {
  return ['time', ...words].join('_or_')
}

/** The schema of references to records of a type. */
export function referenceTo(record: string): JsonSchema {
  return schemaNamed(formOf(record, 'reference'))
}

/** The name of the schema with the values of an enumeration, different from those of record types. */
export function enumerationName(key: string, catalog: Catalog): string {
  let name = nameOfValues(key)
  while (catalog.types.has(name) || isReservedName(name, catalog.types)) name += '_value'
  return name
}

/** True if the values of two enumerations, by their keys, would have one name. */
export function enumerationsAlike(one: string, other: string): boolean {
  return componentName(nameOfValues(one)) === componentName(nameOfValues(other))
}

/** The name of the values of an enumeration in components: `request_status` of `request.status`. */
export function nameOfValues(key: string): string {
  return key.replaceAll('.', '_')
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
