/** Parameters of lists, and conditions, as the compiler knows them. Types only. */
import type { Compared, Criterion, Not, Placeholder, Scalar, Test } from '../language/conditions.js'
import type { KnownFields } from '../language/known-field.js'

/** Filters by field. */
export type FiltersOf<F extends KnownFields, Filterable> = {
  readonly [K in keyof F & string & Filterable as `${K}${F[K]['filterEnd']}`]?: F[K]['filter']
}

/**
 * The record below which a list is: `{ request: 7 }`. If several of its lists have the type, `path` says which:
 * `{ type: 'ci', id: 3, path: 'users' }`.
 */
export type Within<Type extends string = string> =
  | { readonly [Name in Type]?: number }
  | {
      /** The type of the record. */
      readonly type: Type
      /** The id of the record. */
      readonly id: number
      /** The name of the list below it. */
      readonly path?: string
    }

type Listed<Name extends string> = Name | `${Name},${string}`

/** Other parameters of a list. */
export interface ListOptions<F, Sortable extends string, Lists, Types extends string> {
  /** Names of fields, separated by commas. */
  readonly fields?: Listed<keyof F & string>
  /** Names of fields, separated by commas; a minus before a name sorts in descending order. */
  readonly sort?: Listed<Sortable | `-${Sortable}`>
  /** Ids, separated by commas. */
  readonly ids?: string | number
  /** From 1. */
  readonly page?: number
  /** At most 100; default: 20. */
  readonly per_page?: number
  /** The name of a predefined list. */
  readonly state?: Lists
  /** The record below which the list is. */
  readonly within?: Within<Types>
}

/** A test of a field in a condition. */
type TestOf<V> = V extends Scalar ? V | Placeholder | Not | Compared | readonly V[] : Test

type References<F extends KnownFields> = {
  [K in keyof F & string]: F[K]['kind'] extends 'ref' | 'part' | 'parts' ? K : never
}[keyof F & string]

/** Tests of the fields of a type, of its links and sub-records, and of what is behind references. */
type TestsOf<F extends KnownFields, Path extends string> = {
  readonly [K in keyof F & string as `${K}${F[K]['testEnd']}`]?: TestOf<F[K]['value']> | null
} & {
  readonly [K in Path | 'account']?: Test
} & { readonly [P in `${References<F> | Path}.${string}`]?: Test }

/** A condition on records of a type. `Path` has the names of links. */
export type ConditionOf<F extends KnownFields, Path extends string = never> =
  | TestsOf<F, Path>
  | Criterion
  | { readonly anyOf: readonly ConditionOf<F, Path>[] }
  | { readonly allOf: readonly ConditionOf<F, Path>[] }
