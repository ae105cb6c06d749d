/** Additions to a record type, as their author writes them. */
import type { Role } from '../../core/call.js'
import { shown } from '../../core/text/shown.js'
import type { AllowedMoves } from './allowed-moves.js'
import type { Names } from './collection.js'
import type { Condition } from './conditions.js'
import type { Fields, Listed, Only, Verb } from './define-record.js'
import type { Rule } from './define-rule.js'
import type { Settling } from './define-settling.js'
import type { Timer } from './define-timer.js'
import type { GivenColumn, PartImport } from './import-files.js'
import type { Chosen, DefinitionFacts, Facts, LinkedChildren, LinkIds, LinkPaths } from './known-facts.js'
import type { Child, CoverageList, Link } from './relations.js'
import { isObject } from './shapes.js'
import type { Grant } from './who.js'

/**
 * Additions to an existing type. Extensions cannot replace or remove anything; a repeated name is a mistake that names both.
 * Additions may rely on those of other extensions. All parts mean what they mean in a definition: `fields`, `lists`, `links`,
 * `children`, `coverages`, `parts`, `rules`, `timers`, `settle`, `events`, `emits`, `unique`, `partImports`.
 */
export interface Extension<T extends ExtensionFacts = ExtensionFacts> {
  /** The first argument of `extendRecord`. */
  readonly extends: T['name']
  readonly fields?: Fields
  /** Further values of enumerations, by field. They come after the existing ones. */
  readonly values?: { readonly [field: string]: readonly string[] }
  /** More columns, sorting and filters of lists. */
  readonly collection?: MoreCollection
  readonly lists?: { readonly [name: string]: Condition }
  readonly links?: { readonly [name: string]: Link }
  readonly children?: { readonly [name: string]: Child }
  readonly coverages?: { readonly [name: string]: CoverageList }
  readonly parts?: readonly string[]
  /** More permissions; never fewer. */
  readonly access?: MoreAccess
  /** More values that may follow each other; a field without a table gets one. */
  readonly moves?: AllowedMoves
  readonly rules?: readonly Rule[]
  readonly timers?: readonly Timer[]
  readonly settle?: readonly Settling[]
  readonly events?: readonly Verb[]
  readonly emits?: readonly string[]
  readonly unique?: readonly (readonly string[])[]
  /** More columns of the import; `'all'` has one for each field and link of the extension. */
  readonly importColumns?: readonly GivenColumn[] | 'all'
  readonly partImports?: readonly PartImport[]
  /** Required fields that become optional. */
  readonly relax?: readonly string[]
  /** Only for inference. */
  readonly told?: T
}

/** What the compiler knows of an extension. Only for inference: as values, all of it is in the extension. */
export interface ExtensionFacts {
  readonly name: string
  /** Names, as those of a definition. */
  readonly facts: DefinitionFacts
  readonly fields: Fields
  readonly values: { readonly [field: string]: readonly string[] }
  /** Required fields that become optional. */
  readonly relaxed: string
}

/** The facts of one extension. */
export interface MoreFacts<Name, F, Values, Relaxed, Added> {
  readonly name: Name
  readonly facts: Added
  readonly fields: F
  readonly values: Values
  readonly relaxed: Relaxed
}

/** Additions to the lists of a type: names in one string, separated by spaces. */
export interface MoreCollection {
  /**
   * Fields of a list if the caller does not select any. They are sortable and filterable only if they are also in `sortable`
   * and `filterable`.
   */
  readonly fields?: Names
  /** Fields that callers may sort by. */
  readonly sortable?: Names
  /** Fields that callers may filter by. */
  readonly filterable?: Names
  /** Fields by whose values callers may count records; each needs an index. */
  readonly countable?: Names
}

/** Additional permissions to use, see, `create`, `update` and `remove` records. */
export interface MoreAccess {
  /** Additional roles for types that are restricted to some roles. */
  readonly use?: readonly Role[]
  /**
   * Additional `roles` that see all records, and additional records that all callers see (`otherwise`), for types with
   * restricted visibility.
   */
  readonly see?: { readonly roles?: readonly Role[]; readonly otherwise?: Condition }
  readonly create?: readonly Grant[]
  readonly update?: readonly Grant[]
  readonly remove?: readonly Grant[]
}

/**
 * Extends a record type of the plugin or the host.
 *
 * ```ts
 * import { extendRecord, ref } from 'koa-itsm'
 *
 * export const tasks = extendRecord('task', {
 *   fields: { vehicle: ref('vehicle') },
 *   collection: { fields: 'vehicle', filterable: 'vehicle' },
 *   values: { status: ['parked'] },
 * })
 * ```
 *
 * @throws TypeError for additions that are not an object, and would be lost
 */
export function extendRecord<
  const N extends string,
  const F extends Fields = { readonly [Name in never]: never },
  const X extends ExtensionFacts['values'] = { readonly [Name in never]: never },
  L extends string = never,
  const K extends { readonly [name: string]: Link } = { readonly [Name in never]: never },
  const C extends { readonly [name: string]: Child } = { readonly [Name in never]: never },
  const G extends MoreCollection = { readonly [Name in never]: never },
  V extends string = never,
  E extends string = never,
  R extends string = never,
  S extends string = never,
  M extends string = never,
>(
  name: N,
  additions: Omit<Extension, 'extends' | 'told' | 'relax' | Listed> & {
    readonly fields?: F
    readonly values?: X
    readonly lists?: { readonly [List in L]: Condition }
    readonly links?: K & Only<K, Link>
    readonly children?: C & Only<C, Child>
    readonly collection?: G & { readonly [Key in keyof G]: Key extends keyof MoreCollection ? unknown : never }
    readonly events?: readonly (V & Verb)[]
    readonly emits?: readonly E[]
    readonly rules?: readonly Rule<R>[]
    readonly settle?: readonly Settling<S>[]
    readonly relax?: readonly M[]
  },
): Extension<
  MoreFacts<
    N,
    F,
    X,
    M,
    Facts<
      N,
      L,
      keyof K & string,
      LinkIds<K>[keyof K],
      LinkPaths<K>[keyof K] | LinkedChildren<C>[keyof C],
      Chosen<G['filterable'], never>,
      Chosen<G['sortable'], never>,
      `${N}.${V | E}`,
      R | S
    >
  >
> {
  if (!isObject(additions))
    throw new TypeError(`extendRecord('${String(name)}'): the additions must be an object, not ${shown(additions)}`)
  return Object.freeze({ ...additions, extends: name })
}
