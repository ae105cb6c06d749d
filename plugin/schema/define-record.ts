/** What a record type is, as its author writes it: data, and rules. */
import type { Role } from '../core/call.js'
import type { Condition, Scalar } from './conditions.js'
import type { Rule } from './define-rule.js'
import type { Settling } from './define-settling.js'
import type { Field } from './fields.js'
import type { Timer } from './timers.js'
import type { Grant } from './who.js'

export type Fields = { readonly [name: string]: Field }

/** Events of a record type (behaviour: Webhook events); `<type>.<verb>` is the name that webhooks and hosts subscribe to. */
export const VERBS = [
  'create',
  'update',
  'note-added',
  'status-changed',
  'manager-changed',
  'team-changed',
  'member-changed',
] as const
export type Verb = (typeof VERBS)[number]

/**
 * Verbs that tell the change of a single column, with that column; in the order of their deliveries
 * (behaviour: Webhook events).
 */
export const WATCHED_COLUMNS: readonly (readonly [verb: Verb, column: string])[] = [
  ['status-changed', 'status'],
  ['team-changed', 'team_id'],
  ['member-changed', 'member_id'],
  ['manager-changed', 'manager_id'],
]

export interface Collection {
  /** Fields of a list when the caller does not choose. */
  readonly fields: readonly string[]
  /** Default order: `name`, `-id`, `protocol,label`. */
  readonly sort: string
  /** Names that `sort` accepts; `same` means the default fields. updated_at is always accepted (behaviour: Sorting). */
  readonly sortable: 'same' | readonly string[]
  readonly filterable: readonly string[]
  /** For parts: what differs in lists below their owner, such as the changes of an audit line (behaviour: Notes, Audit). */
  readonly below?: { readonly fields?: readonly string[]; readonly sort?: string }
}

/**
 * Many-to-many relation: `GET /teams/:id/members`, `POST` and `DELETE /teams/:id/members/:person_id`
 * (behaviour: Linked records).
 */
export interface Link {
  readonly record: string
  /** Table of pairs, without the prefix. */
  readonly table: string
  readonly from: string
  readonly to: string
  /** Who may link and unlink; default: whoever may update the record. `none` makes the list read-only. */
  readonly write?: 'update' | 'none'
  /** The name of one of them in inputs, when it is not the link's without its last letter: `person` for `person_ids`. */
  readonly singular?: string
  /** Only records that agree in this field may be linked (tasks of one change); `code` tells whoever tries otherwise. */
  readonly within?: { readonly field: string; readonly code: string }
  /** Nothing may be linked to itself, over however many others. */
  readonly acyclic?: true
  /** Only records with these values have such links: inputs of others are ignored, and links do not outlast the values. */
  readonly onlyWhile?: { readonly [field: string]: Scalar }
}

/** A list of the records that refer to this one. */
export interface Child {
  readonly record: string
  /**
   * The referring field, a path over references, or a list of those, of which one has to refer. A single field that must not
   * be empty is also how records without a create of their own are made here: `POST /changes/:id/tasks`. One in a list is not.
   */
  readonly by: string | readonly string[]
  /**
   * The reference is set and cleared here like a link: `POST /changes/:id/requests/:request_id` (behaviour: Linked records).
   */
  readonly link?: true
}

/** A list of the records that concern a person: `me` and the like mean that person, whoever asks (behaviour: People). */
export interface CoverageList {
  readonly record: string
  readonly where: Condition
}

/** Who may do what with records of a type. */
export interface Access {
  /** Only people with one of these roles get beyond 403, whatever they ask for. Default: every signed-in person. */
  readonly use?: readonly Role[]
  /** People with one of these roles see all records of the account, others those of `otherwise`. Default: everyone all. */
  readonly see?: { readonly roles: readonly Role[]; readonly otherwise: Condition }
  /** Records of trusted accounts that people of this account see in the collection, too (behaviour: Broadcasts). */
  readonly fromTrusted?: Condition
  /**
   * References show the title of the record to everybody, also to callers that do not see the record. Default: references show
   * nothing but its id to them (behaviour: References).
   */
  readonly publicTitle?: true
  readonly create: readonly Grant[]
  readonly update: readonly Grant[]
  readonly remove?: readonly Grant[]
}

/** A column of an import file (behaviour: Import columns). */
export interface ImportColumn {
  readonly header: string
  /** The field it fills; a link name for columns such as Members. */
  readonly field: string
}

export interface Import {
  /** Value of `type` in POST /import. */
  readonly type: string
  readonly columns: readonly ImportColumn[]
  /** Headers of exported files that are accepted and ignored. */
  readonly ignored?: readonly string[]
  /** The field whose column identifies a record besides ID and Source + Source ID. */
  readonly key?: string
  /** The place in the order in which dependent files have to be imported (behaviour: Import types). */
  readonly order: number
}

/**
 * Files whose rows are sub-records of records of this type: contact details of people (behaviour: Import types, Import files,
 * Import rows, Import columns). All rows of one record follow each other in the file, and are stored together.
 */
export interface PartImport {
  /** Value of `type` in POST /import. */
  readonly type: string
  /** The place in the order in which dependent files have to be imported (behaviour: Import types). */
  readonly order: number
  /** The column that names the record, besides ID and Source + Source ID, and the field that it is compared with. */
  readonly owner: ImportColumn
  /** What one row may hold, by the field that shows these sub-records. Without a value in any of its columns there is none. */
  readonly parts: { readonly [field: string]: PartColumns }
  /**
   * The column with a boolean field of all these sub-records: when a record has a row with the value true, its rows with true
   * replace all of its sub-records with true. Those with false are only added to and updated.
   */
  readonly replaces?: ImportColumn
  /** Headers of exported files that are accepted and ignored. */
  readonly ignored?: readonly string[]
}

export interface PartColumns {
  readonly columns: readonly ImportColumn[]
  /** The fields by which a row finds the sub-record that it changes; one that is equal in all columns is found before. */
  readonly key: readonly string[]
}

export interface Definition<F extends Fields = Fields> {
  readonly name: string
  /** Last segment of the collection's address. Parts have it too: it is the name below their owners. */
  readonly path: string
  /** Table without the prefix; default: the path. */
  readonly table?: string
  readonly fields: F
  /** The field that a reference shows beside id; default: name, or null when there is no such field. */
  readonly title?: string | null
  /** Further fields that a reference shows. */
  readonly reference?: readonly string[]
  readonly collection: Collection
  /** Predefined filters and special lists: `/requests/open`, `/tasks/managed_by_me`. */
  readonly lists?: { readonly [name: string]: Condition }
  readonly links?: { readonly [name: string]: Link }
  /** Lists of the records that refer to this one: `/sites/:id/people` is `people: { record: 'person', by: 'site' }`. */
  readonly children?: { readonly [name: string]: Child }
  /** For people: `/people/:id/sla_coverages`. A list whose record type is absent from the catalog is not there. */
  readonly coverages?: { readonly [name: string]: CoverageList }
  /** For sub-records: the types that own records of this type; `*` means every audited type that is no part itself. */
  readonly partOf?: readonly string[] | '*'
  /** Record types that are parts of this one; those that say `partOf: '*'` need not be named. */
  readonly parts?: readonly string[]
  /** Operations offered at its own address, `/<path>`; default: all but remove, and none for parts. */
  readonly operations?: readonly Operation[]
  /** Operations offered below an owner, `/<owner path>/:id/<path>`; default for parts: all. */
  readonly nested?: readonly Operation[]
  /** The name below an owner when it differs from the path (`audit`). */
  readonly pathBelow?: string
  readonly access: Access
  readonly rules?: readonly Rule[]
  /** What is saved when a moment has come; each demands an index. */
  readonly timers?: readonly Timer[]
  /** What follows from other records: made with `follow`. */
  readonly settle?: readonly Settling[]
  readonly events?: readonly Verb[]
  /** Groups of fields that must be unique within the account. source + sourceID is always unique (behaviour: Writing). */
  readonly unique?: readonly (readonly string[])[]
  readonly import?: Import
  readonly partImports?: readonly PartImport[]
  /** What holds for every record that is there for anybody; the others are as good as removed. */
  readonly existsWhile?: Condition
  /** Removing a record sets this field to true and keeps the record (time entries). */
  readonly softDeleteField?: string
  /** Parts that translate fields of their owner of the same name: one for each language, in the field locale. */
  readonly translates?: true
  /** False for records whose changes leave no audit line; default: true, but false for parts. */
  readonly audit?: boolean
  /** Records of this type hold roles: adds the filter `roles` and the list `all_with_roles` (behaviour: Roles). */
  readonly holdsRoles?: boolean
  /** Records of the account's directory account belong to the collection as well (behaviour: Accounts). */
  readonly withDirectory?: boolean
}

/** What can be done with records at an address; `remove` below an owner without an id means all of its parts. */
export const OPERATIONS = ['list', 'single', 'create', 'update', 'remove'] as const
export type Operation = (typeof OPERATIONS)[number]

/**
 * Defines a record type. The result is frozen data and rules; mistakes are reported, all at once, when the catalog is compiled.
 *
 * @param name singular, lower case with underscores: it is the noun of events and the prefix of enumeration keys
 */
export function defineRecord<const F extends Fields>(name: string, definition: Omit<Definition<F>, 'name'>): Definition<F> {
  return Object.freeze({ ...definition, name })
}

/**
 * The row of a definition, or of its fields alone: what rules, listeners and the host's own code work with. References are
 * `<field>_id`.
 */
export type RowOf<D extends Definition | Fields> = RowOfFields<D extends Definition ? D['fields'] : D>

type RowOfFields<F> = {
  readonly [K in keyof F as F[K] extends { readonly kind: 'ref' } ? `${string & K}_id` : K]: F[K] extends Field<infer V>
    ? V
    : never
}
