/** Reports mistakes in lists of fields: those that lists show, and that they are sorted and filtered by. */
import { suggestion } from '../../core/nearest.js'
import type { Collection, Definition } from '../define-record.js'
import type { Field } from '../fields.js'
import { kindOf } from '../kinds/index.js'
import type { Say } from './check-names.js'
import { fieldOf, hasColumn, hasField } from './check-paths.js'

/**
 * Query parameters that are not filters (behaviour: Filters), apart from `locale` in lists that are filtered by it (behaviour:
 * Translations).
 */
export const RESERVED_PARAMETERS = new Set([
  'page',
  'per_page',
  'sort',
  'fields',
  'callback',
  'api_token',
  'state',
  'locale',
  '_',
  'attachment_upload_token',
  'format',
])

/** Reports every mistake in the fields, sort order and filters of lists. */
export function checkCollection(definition: Definition, collection: Collection, say: Say): void {
  const keysOf = (sort: string) => sort.split(',').flatMap((key) => (key === '' ? [] : [key.replace(/^-/, '')]))
  const lists = {
    '.collection.fields': collection.fields,
    '.collection.sortable': collection.sortable === 'same' ? [] : collection.sortable,
    '.collection.filterable': collection.filterable,
  }
  const known = (name: string) => hasField(definition, name)
  mustBeFields(say, definition, '.collection.fields', collection.fields)
  mustBeFields(say, definition, '.collection.below.fields', collection.below?.fields ?? [])
  for (const [where, names] of [
    ['.collection.fields', collection.fields],
    ['.collection.below.fields', collection.below?.fields ?? []],
  ] as const) {
    const secret = names.filter((name) => fieldOf(definition, name)?.writeOnly || fieldOf(definition, name)?.hidden)
    for (const name of secret) say(where, `'${name}' is never shown`, partOf(where, name))
  }
  mustBeComparable(
    say,
    definition,
    '.collection.sortable',
    collection.sortable === 'same' ? collection.fields.filter(known) : collection.sortable,
  )
  mustBeComparable(say, definition, '.collection.filterable', collection.filterable)
  for (const field of collection.filterable) {
    if (RESERVED_PARAMETERS.has(field) && field !== 'locale')
      say(
        '.collection.filterable',
        `'${field}' is a parameter of every list, so it cannot be a filter`,
        partOf('.collection.filterable', field),
      )
  }
  for (const [where, names] of Object.entries(lists)) {
    const twice = names.filter((name, index) => names.indexOf(name) < index)
    for (const name of twice) say(where, `'${name}' occurs twice`, partOf(where, name))
  }
  mustBeComparable(say, definition, '.collection.sort', keysOf(collection.sort))
  mustBeComparable(say, definition, '.collection.below.sort', keysOf(collection.below?.sort ?? ''))
}

/** Reports names that are not fields. */
export function mustBeFields(say: Say, definition: Definition, where: string, names: readonly string[]): void {
  for (const name of names) {
    if (hasField(definition, name)) continue
    say(where, `there is no field '${name}'${suggestion(name, Object.keys(definition.fields))}`, partOf(where, name))
  }
}

/** The name of a list element in `merge.ts`, if an extension has added it. */
function partOf(where: string, name: string): string {
  return `${where.slice(1)}=${name}`
}

/** Reports names that are not fields readable by all: references show these fields to all callers who see the reference. */
export function mustBeOpen(say: Say, definition: Definition, where: string, names: readonly string[]): void {
  mustBeFields(say, definition, where, names)
  for (const name of names) if (fieldOf(definition, name)?.read) say(where, `'${name}' must be readable by all callers`)
}

/** Reports names that are not fields stored in the record's own table. */
export function mustBeStored(say: Say, definition: Definition, where: string, names: readonly string[]): void {
  mustBeFields(say, definition, where, names)
  for (const name of names) {
    const field = fieldOf(definition, name)
    if (field && (!hasColumn(field) || !isComparable(field))) say(where, `'${name}' cannot be compared`, partOf(where, name))
  }
}

/** Reports names that are not fields which the database can compare, in any table. */
function mustBeComparable(say: Say, definition: Definition, where: string, names: readonly string[]): void {
  mustBeFields(say, definition, where, names)
  for (const name of names) {
    const field = fieldOf(definition, name)
    if (field && !isComparable(field)) say(where, `'${name}' cannot be compared`, partOf(where, name))
  }
}

function isComparable(field: Field): boolean {
  return !field.writeOnly && kindOf(field).filter !== null
}
