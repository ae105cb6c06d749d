/** Reports mistakes in lists of fields: those that lists show, and that they are sorted and filtered by. */
import { suggestion } from '../../core/text/nearest.js'
import type { Field } from '../kinds/fields.js'
import { kindOf } from '../kinds/kinds.js'
import type { Definition } from '../language/define-record.js'
import type { Report } from './check-names.js'
import { fieldOf, hasColumn, hasField } from './check-paths.js'
import { type CollectionNames, collectionNames, namesIn } from './collection-names.js'

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
export function checkCollection(definition: Definition, report: Report): void {
  const { collection } = definition
  const names = collectionNames(definition)
  for (const [where, shown] of [
    ['.collection.fields', names.fields],
    ['.collection.below.fields', names.below.fields ?? []],
  ] as const) {
    mustBeFields(report, definition, where, shown)
    const secret = shown.filter((name) => fieldOf(definition, name)?.writeOnly || fieldOf(definition, name)?.hidden)
    for (const name of secret) report(where, `'${name}' is never shown`, partOf(where, name))
  }
  mustNotBeTwice(report, '.collection.fields', names.fields)
  for (const part of ['sortable', 'filterable'] as const) {
    const where = `.collection.${part}`
    const list = typeof collection[part] === 'string' ? [] : names.fields
    const own = names[part].filter((name) => !list.includes(name))
    mustBeComparable(report, definition, where, own)
    mustNotBeTwice(report, where, own)
    for (const name of new Set(names[part])) {
      const field = list.includes(name) ? fieldOf(definition, name) : undefined
      if (field && !isComparable(field)) report(where, `'${name}' cannot be compared; leave it out with { except: '${name}' }`)
    }
  }
  for (const name of names.filterable) {
    if (RESERVED_PARAMETERS.has(name) && name !== 'locale')
      report(
        '.collection.filterable',
        `'${name}' is a parameter of every list, so it cannot be a filter`,
        partOf('.collection.filterable', name),
      )
  }
  mustBeCountable(report, definition, names)
  const bare = (keys: readonly string[]) => keys.map((key) => key.replace(/^-/, ''))
  mustBeComparable(report, definition, '.collection.sort', bare(names.sort))
  mustNotBeTwice(report, '.collection.sort', bare(names.sort))
  if (names.sort.length === 0) report('.collection.sort', 'must have at least one field')
  mustBeComparable(report, definition, '.collection.below.sort', bare(names.below.sort ?? []))
}

/** Reports names by which records cannot be counted: each value must be one of few, or a time, in an index of the table. */
function mustBeCountable(report: Report, definition: Definition, { countable, filterable }: CollectionNames): void {
  const where = '.collection.countable'
  mustBeFields(report, definition, where, countable)
  mustNotBeTwice(report, where, countable)
  if (definition.partOf && countable.length > 0) report(where, 'is not for sub-records')
  for (const name of new Set(countable)) {
    const field = fieldOf(definition, name)
    if (field && !isCountable(field))
      report(where, `'${name}' is no enumeration, reference, boolean or time of the table`, partOf(where, name))
    else if (field && !filterable.includes(name)) report(where, `'${name}' must be a filter, too`, partOf(where, name))
  }
}

function isCountable(field: Field): boolean {
  const { keywords, shownAs } = field
  return kindOf(field).counted !== undefined && hasColumn(field) && keywords === undefined && shownAs === undefined
}

/**
 * Mistakes in differences to the fields of the list. Needs the definition as its author wrote it: merging extensions replaces
 * differences by names.
 */
export function mistakesInDifferences(definition: Definition): readonly string[] {
  const { fields } = collectionNames(definition)
  const differences = (['sortable', 'filterable'] as const).flatMap((part) => {
    const choice = definition.collection[part]
    return typeof choice === 'object' ? [{ place: `${definition.name}.collection.${part}`, ...choice }] : []
  })
  return differences.flatMap(({ place, also = '', except = '' }) => [
    ...namesIn(except)
      .filter((name) => !fields.includes(name))
      .map((name) => `${place}.except: the list has no field '${name}'${suggestion(name, fields)}`),
    ...namesIn(also)
      .filter((name) => fields.includes(name))
      .map((name) => `${place}.also: the list has the field '${name}' already`),
  ])
}

/** Reports names that occur twice. */
export function mustNotBeTwice(report: Report, where: string, names: readonly string[]): void {
  const twice = names.filter((name, index) => names.indexOf(name) < index)
  for (const name of twice) report(where, `'${name}' occurs twice`, partOf(where, name))
}

/** Reports names that are not fields. */
export function mustBeFields(report: Report, definition: Definition, where: string, names: readonly string[]): void {
  for (const name of names) {
    if (hasField(definition, name)) continue
    report(where, `there is no field '${name}'${suggestion(name, Object.keys(definition.fields))}`, partOf(where, name))
  }
}

/** The name of a list element in `merge.ts`, if an extension has added it. */
function partOf(where: string, name: string): string {
  return `${where.slice(1)}=${name}`
}

/** Reports names that are not fields readable by all: references show these fields to all callers who see the reference. */
export function mustBeOpen(report: Report, definition: Definition, where: string, names: readonly string[]): void {
  mustBeFields(report, definition, where, names)
  for (const name of names) if (fieldOf(definition, name)?.read) report(where, `'${name}' must be readable by all callers`)
}

/** Reports names that are not fields stored in the record's own table. */
export function mustBeStored(report: Report, definition: Definition, where: string, names: readonly string[]): void {
  mustBeFields(report, definition, where, names)
  for (const name of names) {
    const field = fieldOf(definition, name)
    if (field && (!hasColumn(field) || !isComparable(field))) report(where, `'${name}' cannot be compared`, partOf(where, name))
  }
}

/** Reports names that are not fields which the database can compare, in any table. */
export function mustBeComparable(report: Report, definition: Definition, where: string, names: readonly string[]): void {
  mustBeFields(report, definition, where, names)
  for (const name of names) {
    const field = fieldOf(definition, name)
    if (field && !isComparable(field)) report(where, `'${name}' cannot be compared`, partOf(where, name))
  }
}

function isComparable(field: Field): boolean {
  return !field.writeOnly && kindOf(field).filter !== null
}
