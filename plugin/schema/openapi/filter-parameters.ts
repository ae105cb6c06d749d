/** The parameters by which lists are filtered, described by kind (behaviour: Filters). */
import type { Catalog, RecordField, RecordType } from '../catalog.js'
import { type JsonSchema, nameOfValues, TEXT } from '../kinds/json-schema.js'
import { kindOf } from '../kinds/kinds.js'
import { withNamesForGo } from './names-for-go.js'
import { component, type Described } from './shared-components.js'

/** Longer lists of values are in /enums only. */
const MAX_VALUES = 40
/** The group of enumerations, each of which has values of its own. */
const VALUES = 'values'

interface FilterText {
  /** Part of the name of the component: types share a filter of the same name, if it takes the same values. */
  readonly group: string
  readonly text: string
}

/** The components of all filters. */
export function filterParameters(catalog: Catalog): { readonly [name: string]: Described } {
  const all = [...catalog.types.values()].flatMap((type) =>
    filtersOf(type).map((field) => {
      const { group, text } = textOf(field, catalog)
      const parameter: Described = { name: field.name, in: 'query', description: text, schema: TEXT }
      return [nameOf(field, group), parameter] as const
    }),
  )
  return withNamesForGo(Object.fromEntries(all))
}

/** The filters of a type, as references to their components. */
export function filtersAt(type: RecordType, catalog: Catalog): readonly Described[] {
  return filtersOf(type).map((field) => component('parameters', nameOf(field, textOf(field, catalog).group)))
}

function filtersOf(type: RecordType): readonly RecordField[] {
  return [...type.collection.filterable].flatMap((name) => type.fields.get(name) ?? [])
}

/** `by_subject_text`; `by_request_status` for the values of `request.status`. */
function nameOf({ name, enumeration }: RecordField, group: string): string {
  if (group !== VALUES) return `by_${name}_${group}`
  const values = nameOfValues(enumeration)
  return enumeration.endsWith(`.${name}`) ? `by_${values}` : `by_${name}_of_${values}`
}

function textOf(field: RecordField, catalog: Catalog): FilterText {
  const { document, filter, isEnumeration } = kindOf(field)
  if (isEnumeration) return ofValues(field)
  if (field.record !== undefined) return ofRecords(field)
  const schema = document.shown(field, catalog)
  if (schema['type'] === 'boolean') return { group: 'flag', text: 'true or false.' }
  if (filter?.isOrdered) return ofOrder(schema, field, filter.takesSets === true)
  const cases = field.ignoreCase ? 'whatever the case of its letters' : 'exactly'
  return {
    group: field.ignoreCase ? 'word' : 'text',
    text: `A text, ${cases}; with ! in front, all others. A backslash escapes a comma, and a leading <, > or !.`,
  }
}

/** Lists of values differ between types, and each has a key of its own. */
function ofValues({ enumeration, values = [] }: RecordField): FilterText {
  const list = values.length > MAX_VALUES ? `in /enums/${enumeration}` : values.join(', ')
  return {
    group: VALUES,
    text: `Values, with commas; with ! in front, all others: ${list}.`,
  }
}

function ofRecords({ name, shownAs }: RecordField): FilterText {
  if (shownAs === undefined) {
    return { group: 'ids', text: 'Ids, with commas; with ! in front, all others. Empty for none.' }
  }
  return {
    group: 'name',
    text: `A text, as in the record; ${name}_id takes ids. A backslash escapes a comma, and a leading <, > or !.`,
  }
}

function ofOrder({ type, format }: JsonSchema, { keywords }: RecordField, takesSets: boolean): FilterText {
  const [group, what] =
    format === 'date'
      ? ['date', 'A date']
      : type === 'integer' || type === 'number'
        ? ['number', 'A number']
        : ['time', 'A time']
  const words = keywords ? `, or one of ${keywords.join(', ')}` : ''
  const several = takesSets ? ', or several with commas' : ''
  return {
    group: keywords ? 'time_or_word' : takesSets ? `${group}s` : group,
    text: `${what}${several}${words}; with <, <=, > or >= in front, those before or after it, and with both, a range: >=1<9. With ! in front, all others.`,
  }
}
