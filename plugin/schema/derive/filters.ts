/**
 * Reads the query parameters of a collection: fields, sort, paging and the whole filter grammar (behaviour: Pages, Sorting,
 * Selected fields, Filters, Predefined filters).
 */
import { BadRequest } from '../../core/errors.js'
import type { RecordField, RecordType, SortKey } from '../catalog.js'
import { RESERVED_PARAMETERS } from '../check/check-collection.js'
import { parseSort } from '../compile/compile.js'
import { isSource, shortSource } from '../kinds/common-fields.js'
import { kindOf } from '../kinds/kinds.js'
import type { Comparison, Criterion, Scalar } from '../language/conditions.js'

export interface ListParameters {
  readonly page: number
  readonly perPage: number
  /** Names given with `fields`; null for the default set. */
  readonly fields: readonly string[] | null
  readonly sort: readonly SortKey[]
  readonly where: readonly Criterion[]
  /** Value of `state`, a predefined filter. */
  readonly list: string | null
}

const DEFAULT_PER_PAGE = 20
const MAX_PER_PAGE = 100
/** Maximum number of conditions in one call; databases limit them. */
const MAX_FILTERS = 100

/**
 * @param mayRead true if the caller may read a field; others can be neither filtered nor sorted by
 * @param zone IANA zone for times without offset
 * @param defaultSort the order if the caller does not request one
 * @throws BadRequest with a message that names the parameter
 */
export function readListParameters(
  type: RecordType,
  parameters: readonly (readonly [name: string, value: string])[],
  mayRead: (field: RecordField) => boolean,
  zone: string,
  defaultSort: readonly SortKey[] = type.collection.sort,
): ListParameters {
  const last = (name: string) => parameters.findLast(([given]) => given === name)?.[1]
  const fields = last('fields')
  return {
    ...readPaging(parameters),
    fields: fields === undefined ? null : splitNames(fields),
    sort: readSort(type, last('sort'), mayRead, defaultSort),
    where: readFilters(type, parameters, mayRead, zone),
    list: last('state') ?? null,
  }
}

/** Reads the number and size of the page (behaviour: Pages). @throws BadRequest with a message that names the parameter */
export function readPaging(
  parameters: readonly (readonly [name: string, value: string])[],
): Pick<ListParameters, 'page' | 'perPage'> {
  const last = (name: string) => parameters.findLast(([given]) => given === name)?.[1]
  return {
    page: readCount('page', last('page'), 1, Number.MAX_SAFE_INTEGER),
    perPage: readCount('per_page', last('per_page'), DEFAULT_PER_PAGE, MAX_PER_PAGE),
  }
}

function splitNames(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

function readCount(name: string, text: string | undefined, fallback: number, most: number): number {
  if (text === undefined) return fallback
  const number = /^\s*\d+\s*$/.test(text) ? Number(text) : 0
  if (number < 1) throw new BadRequest(`Parameter '${name}' cannot be less than 1`)
  if (number > most) throw new BadRequest(`Parameter '${name}' cannot be greater than ${most}`)
  return number
}

function readSort(
  type: RecordType,
  text: string | undefined,
  mayRead: (field: RecordField) => boolean,
  defaultSort: readonly SortKey[],
): readonly SortKey[] {
  if (text === undefined || text.trim() === '') return defaultSort
  // Sort keys may be the input names of references: `person_id` (behaviour: Notes).
  const named = parseSort(text).map((key) => ({ ...key, field: fieldNamed(type, key.field)?.name ?? key.field }))
  if (named.length === 0 || named.some(({ field }) => field === ''))
    throw new BadRequest(`Invalid value '${text.slice(0, 100)}' for parameter 'sort'`)
  const isWithoutTime = ({ field }: SortKey) => field === 'updated_at' && !type.collection.sortable.has(field)
  const refused = named.filter((key) => {
    const known = type.fields.get(key.field)
    return !isWithoutTime(key) && (!known || !type.collection.sortable.has(key.field) || !mayRead(known))
  })
  if (refused.length > 0) {
    throw new BadRequest(`Sorting not allowed on fields: ${refused.map((key) => key.field).join(', ')}`)
  }
  // One client requests this order for every list (behaviour: Sorting). Ids also grow with time.
  const keys = named.map((key) => (isWithoutTime(key) ? { ...key, field: 'id' } : key))
  // A repeated field has no effect.
  return keys.filter(({ field }, index) => keys.findIndex((key) => key.field === field) === index)
}

interface Filter {
  readonly field: RecordField
  /** True if a reference that is shown as a text is filtered by its id: `category_id=4`. */
  readonly byId: boolean
  readonly negated: boolean
  readonly text: string
}

/**
 * Reads filters, one criterion each, in their order. Parameters of every list, such as `sort`, are left out.
 *
 * @param mayRead true if the caller may read a field; others cannot be filtered by
 * @param zone IANA zone for times without offset
 * @throws BadRequest with a message that names the parameter
 */
export function readFilters(
  type: RecordType,
  parameters: readonly (readonly [name: string, value: string])[],
  mayRead: (field: RecordField) => boolean,
  zone: string,
): readonly Criterion[] {
  const unknown: string[] = []
  const refused: string[] = []
  const filters: Filter[] = []
  for (const [given, value] of parameters) {
    // `id!=15` arrives as the parameter `id!`, `created_at>=2020` as `created_at>`.
    const [, bare = given, sign = ''] = /^(.*?)([!<>]?)$/s.exec(given) ?? []
    if (bare.trim() === '') throw new BadRequest(`A parameter has no name: '${`${given}=${value}`.slice(0, 100)}'`)
    if (RESERVED_PARAMETERS.has(bare) && !type.collection.filterable.has(bare)) continue
    const field = fieldNamed(type, bare)
    if (!field) unknown.push(bare)
    else if (!type.collection.filterable.has(field.name) || !mayRead(field)) refused.push(bare)
    else {
      const negated = sign === '!' || value.startsWith('!')
      const rest = value.startsWith('!') ? value.slice(1) : value
      filters.push({ field, byId: bare !== field.name, negated, text: sign === '<' || sign === '>' ? `${sign}=${rest}` : rest })
    }
  }
  if (unknown.length > 0) throw new BadRequest(`Unknown fields: ${[...new Set(unknown)].join(', ')}`)
  if (refused.length > 0) throw new BadRequest(`Filtering not allowed on fields: ${[...new Set(refused)].join(', ')}`)
  if (filters.length > MAX_FILTERS) throw new BadRequest(`At most ${MAX_FILTERS} filters can be given`)
  return filters.map((filter) => criterionOf(filter, zone))
}

/** The field that a parameter means: by its name, or that of a reference with `_id`. */
export function fieldNamed(type: RecordType, name: string): RecordField | undefined {
  if (name === 'ids') return type.fields.get('id')
  const field = type.fields.get(name) ?? type.fields.get(name.replace(/_id$/, ''))
  return field && (field.name === name || field.kind === 'ref') ? field : undefined
}

function criterionOf({ field, byId, negated, text }: Filter, zone: string): Criterion {
  const path = [field.name]
  const { filter, isText } = kindOf(field)
  const [comparison] = /^[<>]=?/.exec(text) ?? []
  if (comparison && isText) throw new BadRequest(`Field '${field.name}' does not support the '=${comparison}' operator`)
  const range = /^([<>]=?)([^<>]*)(?:(<=?)([^<>]*))?$/s.exec(text)
  if (range) {
    const [, first = '', low = '', second, high = ''] = range
    if (!filter?.isOrdered || negated) {
      throw new BadRequest(`Field '${field.name}' does not support the '=${first}' operator`)
    }
    // Keywords in place of a time have no order.
    const ordered = { ...field, keywords: [] }
    const tests: Criterion[] = [{ path, op: first as Comparison, values: [readValue(ordered, low, zone)] }]
    if (second) tests.push({ path, op: second as Comparison, values: [readValue(ordered, high, zone)] })
    return tests.length === 1 && tests[0] ? tests[0] : { all: tests }
  }
  const op = negated ? 'not in' : 'in'
  if (text === '') return { path, op, values: [null] }
  const values = splitValues(text)
  // References that are shown as texts are filtered by these; a text without a record matches nothing.
  if (field.shownAs && !byId) return { path: [field.name, field.shownAs], op, values, text: textOf(field) }
  if (values.length > 1 && !filter?.takesSets) {
    const operator = negated ? '!=' : '='
    const sentence = `Cannot apply the '${operator}' operator to a set of values for field '${field.name}'`
    throw new BadRequest(filter?.refuseSet?.(field.name) ?? sentence)
  }
  return { path, op, values: values.map((value) => readValue(field, value, zone)), text: textOf(field) }
}

function textOf(field: RecordField): 'ignoreCase' | 'exact' {
  return field.ignoreCase ? 'ignoreCase' : 'exact'
}

/** Values between unescaped commas; `\,` is a comma, and a backslash before an operator begins a text. */
function splitValues(text: string): readonly string[] {
  return text
    .replace(/^\\(?=[!<>])/, '')
    .split(/(?<!\\),/)
    .map((value) => value.replace(/\\,/g, ','))
}

function readValue(field: RecordField, text: string, zone: string): Scalar {
  const value = kindOf(field).filter?.read(isSource(field) ? shortSource(text) : text, field, zone) ?? null
  if (value === null) throw new BadRequest(`Invalid value '${text.slice(0, 100)}' for field '${field.name}'`)
  return value
}
