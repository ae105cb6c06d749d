/** Filters of a list, as its URL has them and as people read them (behaviour: Filters). */
import type { Field, RecordType } from '../../core/read-catalog.js'
import type { TextKey } from '../../core/texts.js'

export type Operator = 'is' | 'is_not' | 'empty' | 'not_empty' | 'less' | 'greater'

export interface Filter {
  readonly field: Field
  readonly operator: Operator
  /** Of the values that it names; none for `empty` and `not_empty`. */
  readonly values: readonly string[]
}

/** Parameters of a list that are no filters. */
export const NO_FILTERS: ReadonlySet<string> = new Set(['page', 'per_page', 'sort', 'fields', 'state', 'locale'])

export const OPERATOR_TEXTS: Readonly<Record<Operator, TextKey>> = {
  is: 'op_is',
  is_not: 'op_is_not',
  empty: 'op_empty',
  not_empty: 'op_not_empty',
  less: 'op_less',
  greater: 'op_greater',
}

/** Kinds whose filters may name several values. */
const MANY: ReadonlySet<string> = new Set(['enum', 'ref', 'integer'])

/** The operators of a field. */
export function operatorsOf(field: Field): readonly Operator[] {
  const compared: readonly Operator[] = field.ordered ? ['greater', 'less'] : []
  const isTime = field.kind === 'datetime' || field.kind === 'localDatetime'
  const equal: readonly Operator[] = isTime ? [] : ['is', 'is_not']
  return [...equal, ...compared, ...(field.required ? [] : (['empty', 'not_empty'] as const))]
}

/** The value of the parameter that stands for a filter. */
export function textOf({ field, operator, values }: Filter): string {
  const joined = values.map((value) => escaped(field, value)).join(',')
  const forms: Readonly<Record<Operator, string>> = {
    is: joined,
    is_not: `!${joined}`,
    empty: '',
    not_empty: '!',
    less: `<${joined}`,
    greater: `>=${joined}`,
  }
  return forms[operator]
}

/** The filter in a parameter; null if it is none that people can edit here. */
export function filterIn(type: RecordType, name: string, text: string): Filter | null {
  const wanted = name.replace(/(_id)?!?$/, '')
  const field = type.fields.find((one) => one.name === wanted && one.filterable)
  if (!field || NO_FILTERS.has(name)) return null
  const isNot = name.endsWith('!') || text.startsWith('!')
  const rest = text.startsWith('!') ? text.slice(1) : text
  if (rest === '') return { field, operator: isNot ? 'not_empty' : 'empty', values: [] }
  if (!isNot && rest.startsWith('<') && !rest.startsWith('<=')) return { field, operator: 'less', values: [rest.slice(1)] }
  if (!isNot && rest.startsWith('>=') && !rest.includes('<')) return { field, operator: 'greater', values: [rest.slice(2)] }
  if (/^[<>=]/.test(rest)) return null
  const values = MANY.has(field.kind) ? rest.split(',') : [rest.replace(/\\(.)/g, '$1')]
  return { field, operator: isNot ? 'is_not' : 'is', values }
}

/** A backslash keeps characters that mean something in a filter. */
function escaped(field: Field, value: string): string {
  if (MANY.has(field.kind) || field.kind === 'boolean') return value
  return value.replace(/[\\,]/g, '\\$&').replace(/^[<>!]/, '\\$&')
}
