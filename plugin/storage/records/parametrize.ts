/**
 * Separates a criterion from its values. Criteria that differ only in values have the same key and share one statement: where
 * it binds a parameter, the value of each call is encoded.
 */
import { encode } from '../../schema/derive/columns.js'
import type { Column } from '../../schema/kinds/kind.js'
import type { Criterion, Placeholder, Scalar } from '../../schema/language/conditions.js'

/** Placeholder in a criterion for the value at an index in the list of values. */
export class Parameter {
  readonly at: number

  constructor(at: number) {
    this.at = at
  }
}

/** A value of a criterion while its statement is written. */
export type ParametricValue = Scalar | Placeholder | Parameter

/** A binding of a statement: a constant value, or the value at an index, encoded for its column. */
export type Binding = string | number | null | { readonly at: number; readonly column: Column }

/** A criterion whose values have been replaced by parameters. */
export interface Parametrized {
  /** Equal for criteria that differ only in values. */
  readonly key: string
  readonly values: readonly Scalar[]
  readonly criterion: Criterion<ParametricValue>
}

/** Separates a criterion from its values. @throws Error for a placeholder that was not resolved */
export function parametrize(criterion: Criterion): Parametrized {
  const values: Scalar[] = []
  let key = ''
  const take = (value: Scalar | Placeholder): Parameter => {
    if (typeof value === 'object' && value !== null) throw unresolved(value)
    return new Parameter(values.push(value) - 1)
  }
  const list = (criteria: readonly Criterion[]) => {
    key += '('
    const taken = criteria.map(walk)
    key += ')'
    return taken
  }
  const walk = (one: Criterion): Criterion<ParametricValue> => {
    if ('all' in one) {
      key += '&'
      return { all: list(one.all) }
    }
    if ('any' in one) {
      key += '|'
      return { any: list(one.any) }
    }
    if ('owner' in one) {
      key += `^${one.owner} `
      return { owner: one.owner, where: walk(one.where) }
    }
    if ('part' in one) {
      key += `/${one.part} `
      return { part: one.part, where: walk(one.where) }
    }
    if ('linkedBy' in one) {
      const { table, from, to } = one.linkedBy
      key += `@${table} ${from} ${to};`
      return { linkedBy: one.linkedBy, id: take(one.id) }
    }
    key += `${one.path.join('.')} ${one.op}`
    if (one.op === 'in' || one.op === 'not in') {
      const present = padded(one.values.filter((value) => value !== null)).map(take)
      const withNull = one.values.includes(null)
      key += ` ${one.text ?? ''}${present.length}${withNull ? 'n' : ''};`
      return { ...one, values: withNull ? [...present, null] : present }
    }
    const [value] = one.values
    key += value === null ? 'n;' : ';'
    return { ...one, values: [value === null ? null : take(value)] }
  }
  const taken = walk(criterion)
  return { key, values, criterion: taken }
}

/** The binding of a value for a column. @throws Error for a placeholder that was not resolved */
export function encodeScalar(column: Column, value: ParametricValue): Binding {
  if (value instanceof Parameter) return { at: value.at, column }
  if (typeof value === 'object' && value !== null) throw unresolved(value)
  return encode(column, value)
}

/** The bindings of one call. */
export function bound(bindings: readonly Binding[], values: readonly Scalar[]): readonly (string | number | null)[] {
  return bindings.map((binding) =>
    typeof binding === 'object' && binding !== null ? encode(binding.column, values[binding.at]) : binding,
  )
}

/** A text that is the same for the same values, and different for all others: texts are written with their length. */
export function keyOfValues(values: readonly Scalar[]): string {
  let key = ''
  for (const value of values) key += typeof value === 'string' ? `${value.length}:${value}` : `${typeof value} ${value};`
  return key
}

/** Repeats the last value up to a power of two, so that lists of many lengths share few statements. */
export function padded<T>(values: readonly T[]): readonly T[] {
  const last = values.at(-1)
  if (last === undefined || values.length > MAX_PADDED) return values
  const length = 2 ** Math.ceil(Math.log2(values.length))
  return length === values.length ? values : [...values, ...Array<T>(length - values.length).fill(last)]
}

/** Longer lists are rare, and their statements are not kept. */
const MAX_PADDED = 128

function unresolved({ placeholder }: Placeholder): Error {
  return new Error(`The placeholder '${placeholder}' was not resolved`)
}
