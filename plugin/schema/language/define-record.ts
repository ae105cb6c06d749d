/** Definition of a record type, as its author writes it: data, and rules. */
import type { Role } from '../../core/call.js'
import type { AllowedMoves } from './allowed-moves.js'
import type { Collection } from './collection.js'
import type { Condition } from './conditions.js'
import type { Rule } from './define-rule.js'
import type { Settling } from './define-settling.js'
import { TIMER_VERBS, type Timer } from './define-timer.js'
import type { Field } from './field.js'
import type { Import, PartImport } from './import-files.js'
import type { Chosen, DefinitionFacts, Facts, LinkedChildren, LinkIds, LinkPaths, ListedNames } from './known-facts.js'
import type { KnownFields } from './known-field.js'
import type { Child, CoverageList, Link } from './relations.js'
import type { Grant } from './who.js'

/** Fields by name, in the order of responses. */
export type Fields = { readonly [name: string]: Field }

/** Events of a record type (behaviour: Events); `<type>.<verb>` is the name that receivers and hosts subscribe to. */
export const VERBS = [
  'create',
  'update',
  'note-added',
  'status-changed',
  'manager-changed',
  'team-changed',
  'member-changed',
  ...TIMER_VERBS,
  'disabled',
  'delete',
] as const
/** Verbs of events. */
export type Verb = (typeof VERBS)[number]

/** The event of an import that has ended, the only one that is not about a record of a type (behaviour: Events). */
export const IMPORT_COMPLETED = { name: 'import.completed', type: 'import' } as const

/**
 * Verbs for the change of a single column, with that column; in the order of their deliveries (behaviour: Events). A flag counts
 * only when it is set.
 */
export const WATCHED_COLUMNS: readonly (readonly [verb: Verb, column: string])[] = [
  ['status-changed', 'status'],
  ['team-changed', 'team_id'],
  ['member-changed', 'member_id'],
  ['manager-changed', 'manager_id'],
  ['disabled', 'disabled'],
]

/** Permissions for records of a type. */
export interface Access {
  /** Only callers with one of these roles get other responses than 403. Default: all signed-in people. */
  readonly use?: readonly Role[]
  /**
   * Callers with one of these `roles` see all records of the account; other callers see those that match `otherwise`. Default:
   * no restriction.
   */
  readonly see?: { readonly roles: readonly Role[]; readonly otherwise: Condition }
  /** Records of trusted accounts that people of this account also see in the collection (behaviour: Broadcasts). */
  readonly fromTrusted?: Condition
  /**
   * References show the title of the record to all callers, even those who do not see the record. Default: they show only its
   * id to them (behaviour: References).
   */
  readonly publicTitle?: true
  /** People who may create records. */
  readonly create: readonly Grant[]
  /** People who may change records. */
  readonly update: readonly Grant[]
  /** People who may remove records. Default: nobody. */
  readonly remove?: readonly Grant[]
}

/**
 * A record type, as its author writes it for `defineRecord`. Only `fields`, `collection`, `access` and the path are required.
 */
export interface Definition<F extends object = Fields, T extends DefinitionFacts = DefinitionFacts> {
  /** The first argument of `defineRecord`. */
  readonly name: T['name']
  /** Last segment of the collection's URL. For sub-records: the name below their owners. */
  readonly path: string
  /** Table without the prefix; default: the path. */
  readonly table?: string
  /** Fields, made by `string()`, `oneOf()`, `ref()` …, in the order of responses. */
  readonly fields: F
  /** The field that a reference shows in addition to id; default: name, or null if the type has no such field. */
  readonly title?: string | null
  /** Further fields that a reference shows. */
  readonly reference?: readonly string[]
  /** Columns, order, sorting and filters of lists. */
  readonly collection: Collection
  /** Predefined filters and special lists: `/requests/open`, `/tasks/managed_by_me`. */
  readonly lists?: { readonly [name: string]: Condition }
  /** Many-to-many relations, by the name below a record. */
  readonly links?: { readonly [name: string]: Link }
  /** Lists of the records that refer to this one: `/sites/:id/people` is `people: { record: 'person', by: 'site' }`. */
  readonly children?: { readonly [name: string]: Child }
  /** For people: `/people/:id/sla_coverages`. A list is omitted if its record type is absent from the catalog. */
  readonly coverages?: { readonly [name: string]: CoverageList }
  /** For sub-records: the types that own records of this type; `*` means every audited type that is not a sub-record itself. */
  readonly partOf?: readonly string[] | '*'
  /** Types of the sub-records of this type; those with `partOf: '*'` need not be listed. */
  readonly parts?: readonly string[]
  /** Operations at its own URL, `/<path>`; default: all but remove, and none for sub-records. */
  readonly operations?: readonly Operation[]
  /** Operations below an owner, `/<owner path>/:id/<path>`; default for sub-records: all. */
  readonly nested?: readonly Operation[]
  /** The name below an owner when it differs from the path (`audit`). */
  readonly pathBelow?: string
  /** Permissions. */
  readonly access: Access
  /** Values of enumerations that may follow each other, for callers: a table for each field; others are free. */
  readonly moves?: AllowedMoves
  /** Rules, in the order in which they run. */
  readonly rules?: readonly Rule[]
  /** Values that are saved when a timestamp is reached; each needs an index. */
  readonly timers?: readonly Timer[]
  /** Values that follow from other records: created with `follow`. */
  readonly settle?: readonly Settling[]
  /** Verbs of the events that its records cause: `create`, `update`, `status-changed` … */
  readonly events?: readonly Verb[]
  /** Verbs of events that the host's own code causes: `emits: ['towed']`, `itsm.as(…).emit('vehicle.towed', 17)`. */
  readonly emits?: readonly string[]
  /** Groups of fields that must be unique within the account. source + sourceID is always unique (behaviour: Writing). */
  readonly unique?: readonly (readonly string[])[]
  /** Files that records are imported from; `'all'` has the path as its type, and a column for each field and link. */
  readonly import?: Import | 'all'
  /** Files that sub-records are imported from. */
  readonly partImports?: readonly PartImport[]
  /** Condition that a record must meet to be visible at all. Records that fail it are treated as deleted. */
  readonly existsWhile?: Condition
  /** Removing a record sets this field to true and keeps the record (time entries). */
  readonly softDeleteField?: string
  /** Sub-records that translate fields of their owner with the same name: one per language, in the field locale. */
  readonly translates?: true
  /** False for records whose changes leave no audit line; default: true, but false for parts. */
  readonly audit?: boolean
  /** Bodies with a name that is nearly the one of a field are refused, in place of ignoring the name: a part of them would be lost. */
  readonly refusesMisspelled?: boolean
  /** Records of this type hold roles: adds the filter `roles` and the list `all_with_roles` (behaviour: Roles). */
  readonly holdsRoles?: boolean
  /** A write-only text field in which callers name the account of a new record (behaviour: Requests). */
  readonly registeredIn?: string
  /** Records of the account's directory account belong to the collection as well (behaviour: Accounts). */
  readonly withDirectory?: boolean
  /** Only for inference. */
  readonly told?: T
}

/** Operations on records at a URL; `remove` below an owner without an id removes all of its sub-records. */
export const OPERATIONS = ['list', 'single', 'create', 'update', 'remove'] as const
/** Operations on records at a URL. */
export type Operation = (typeof OPERATIONS)[number]

/** Reports names in the values of a record that the values do not have, as the compiler does for plain objects. */
export type Only<Given, Part> = {
  readonly [Name in keyof Given]: { readonly [Key in keyof Given[Name]]: Key extends keyof Part ? unknown : never }
}

/** Lists whose type says what is in them. An intersection with the plain list would have all functions of both to compare. */
export type Listed = 'events' | 'emits' | 'rules' | 'settle'

/**
 * Defines a record type. The result is frozen data and rules; all mistakes are reported at once, when the catalog is compiled.
 *
 * ```ts
 * import { common, defineRecord, me, oneOf, ref, string } from 'koa-itsm'
 *
 * export const vehicle = defineRecord('vehicle', {
 *   path: 'vehicles',
 *   fields: { ...common, name: string(80, { required: true }), fuel: oneOf(['electric', 'diesel']), driver: ref('person') },
 *   collection: { fields: 'id name driver', sort: 'name', filterable: { also: 'fuel' } },
 *   lists: { driven_by_me: { driver: me } },
 *   access: { create: ['account_administrator'], update: ['account_administrator', { person: 'driver' }] },
 *   events: ['create', 'update'],
 * })
 * ```
 *
 * @param name singular, lower case with underscores: the noun of events and the prefix of enumeration keys
 */
export function defineRecord<
  const N extends string,
  const F extends Fields,
  L extends string = never,
  const K extends { readonly [name: string]: Link } = { readonly [Link in never]: never },
  const C extends { readonly [name: string]: Child } = { readonly [Child in never]: never },
  const G extends Collection = Collection,
  V extends string = never,
  E extends string = never,
  R extends string = never,
  S extends string = never,
  H extends boolean = false,
>(
  name: N,
  definition: Omit<Definition<F>, 'name' | 'told' | Listed> & {
    readonly lists?: { readonly [List in L]: Condition }
    readonly links?: K & Only<K, Link>
    readonly children?: C & Only<C, Child>
    readonly collection: G & { readonly [Key in keyof G]: Key extends keyof Collection ? unknown : never }
    readonly events?: readonly (V & Verb)[]
    readonly emits?: readonly E[]
    readonly rules?: readonly Rule<R>[]
    readonly settle?: readonly Settling<S>[]
    readonly holdsRoles?: H
  },
): Definition<
  F,
  Facts<
    N,
    L | (H extends true ? 'all_with_roles' : never),
    keyof K & string,
    LinkIds<K>[keyof K],
    LinkPaths<K>[keyof K] | LinkedChildren<C>[keyof C],
    Chosen<G['filterable'], ListedNames<F, G['fields']>> | (H extends true ? 'roles' : never),
    Chosen<G['sortable'], ListedNames<F, G['fields']>>,
    `${N}.${V | E}`,
    R | S
  >
> {
  return Object.freeze({ ...definition, name })
}

/**
 * The row of a definition, or of its fields alone, for rules, listeners and the host's own code. References are `<field>_id`.
 */
export type RowOf<D extends Definition | Fields> = FieldRow<Extract<D extends Definition ? D['fields'] : D, KnownFields>>

/** The columns of fields: `driver_id` for the reference `driver`. */
export type FieldRow<F extends KnownFields> = {
  readonly [K in keyof F & string as `${K}${F[K]['rowEnd']}`]: F[K]['row']
}
