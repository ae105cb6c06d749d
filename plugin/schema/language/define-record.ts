/** Definition of a record type, as its author writes it: data, and rules. */
import type { Role } from '../../core/call.js'
import type { AllowedMoves } from './allowed-moves.js'
import type { Collection } from './collection.js'
import type { Condition, Scalar } from './conditions.js'
import type { Rule } from './define-rule.js'
import type { Settling } from './define-settling.js'
import { TIMER_VERBS, type Timer } from './define-timer.js'
import type { Field } from './field.js'
import type { Import, PartImport } from './import-files.js'
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

/**
 * Many-to-many relation: `GET /teams/:id/members`, `POST` and `DELETE /teams/:id/members/:person_id`
 * (behaviour: Linked records).
 */
export interface Link {
  /** The type of the linked records. */
  readonly record: string
  /** Table of pairs, without the prefix. */
  readonly table: string
  /** The column with the id of the record that has the link. */
  readonly from: string
  /** The column with the id of the linked record. */
  readonly to: string
  /** Callers who may link and unlink; default: those who may update the record. `none` makes the list read-only. */
  readonly write?: 'update' | 'none'
  /** The singular of the name in inputs, if it is not the name without its last letter: `person` for `person_ids`. */
  readonly singular?: string
  /** Only records that agree in this `field` may be linked (tasks of one change); `code` is the violation otherwise. */
  readonly within?: { readonly field: string; readonly code: string }
  /** Forbids cycles: a record must not be linked to itself, directly or over any number of others. */
  readonly acyclic?: true
  /**
   * Only records with these field values can have this link. For other records link input is ignored, and existing links are
   * removed.
   */
  readonly onlyWhile?: { readonly [field: string]: Scalar }
  /**
   * Type of the sub-records that put the linked records in an order, by two references to them: the one before, and the one
   * after it. With a link they are removed, too. Files have them in one cell, by the path of the sub-records.
   */
  readonly orderedBy?: string
}

/** Maximum number of sub-records of one record that order the records of a link. */
export const MAX_ORDERED = 1_000

/** A list of the records that refer to this one. */
export interface Child {
  /** The type of the records that refer to this one. */
  readonly record: string
  /**
   * The reference back to this record: a field, a path, or a list of them (one match is enough). If it is a single required
   * field and the child type has no `create`, children are created here: `POST /changes/:id/tasks`.
   */
  readonly by: string | readonly string[]
  /**
   * The reference is set and cleared here like a link: `POST /changes/:id/requests/:request_id` (behaviour: Linked records).
   */
  readonly link?: true
}

/**
 * A list of the records (`record`) that meet a condition (`where`) about a person: `me` and similar placeholders stand for that
 * person, not for the caller (behaviour: People).
 */
export interface CoverageList {
  readonly record: string
  readonly where: Condition
}

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
export interface Definition<F extends Fields = Fields> {
  /** The first argument of `defineRecord`. */
  readonly name: string
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
}

/** Operations on records at a URL; `remove` below an owner without an id removes all of its sub-records. */
export const OPERATIONS = ['list', 'single', 'create', 'update', 'remove'] as const
/** Operations on records at a URL. */
export type Operation = (typeof OPERATIONS)[number]

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
export function defineRecord<const F extends Fields>(name: string, definition: Omit<Definition<F>, 'name'>): Definition<F> {
  return Object.freeze({ ...definition, name })
}

/**
 * The row of a definition, or of its fields alone, for rules, listeners and the host's own code. References are `<field>_id`.
 */
export type RowOf<D extends Definition | Fields> = RowOfFields<D extends Definition ? D['fields'] : D>

/** The columns of fields: `driver_id` for the reference `driver`. */
type RowOfFields<F> = {
  readonly [K in keyof F as F[K] extends { readonly kind: 'ref' } ? `${string & K}_id` : K]: F[K] extends Field<infer V>
    ? V
    : never
}
