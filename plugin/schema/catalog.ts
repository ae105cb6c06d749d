/**
 * The catalog that all other code works with: definitions and extensions, merged, with defaults filled in. Types only;
 * `compile/compile.ts` makes them.
 */
import type { NextStep } from './language/allowed-moves.js'
import type { Criterion, Scalar } from './language/conditions.js'
import type { Access, Operation, Verb } from './language/define-record.js'
import type { Behavior, Phase, Row } from './language/define-rule.js'
import type { Settling } from './language/define-settling.js'
import type { Renewal, Target, TimerVerb } from './language/define-timer.js'
import type { Field } from './language/field.js'
import type { Import, ImportColumn, PartImport } from './language/import-files.js'
import type { Link } from './language/relations.js'

/** A field of a compiled type. */
export interface RecordField extends Field {
  /** The name in bodies and responses. */
  readonly name: string
  /** The column of the field; null if it is not stored in the record's own table. */
  readonly column: string | null
  /** The references to follow, and the field at their end, for a value of another record; null for all other fields. */
  readonly via: readonly string[] | null
  /** For pairs: the field whose JSON object they list. */
  readonly pairsOf?: string
  /** Key in /enums of an enumeration field. */
  readonly enumeration: string
}

/** Files of a type, with the field of each column. */
export interface RecordImport extends Omit<Import, 'columns'> {
  readonly columns: readonly ImportColumn[]
}

export interface SortKey {
  readonly field: string
  readonly descending: boolean
  /** For references: sorts by ids, not by titles. */
  readonly byId?: boolean
}

/** A list of the records that refer to one. */
export interface RecordChild {
  readonly record: string
  /** Paths over references; one of them has to lead to that record. */
  readonly by: readonly (readonly string[])[]
  /** The reference that is set and cleared here like a link; null if there is none. */
  readonly linkedWith: string | null
  /**
   * The required reference to the parent, if children are created below it because their type has no `create` of its own; else
   * null.
   */
  readonly createdWith: string | null
}

/** A compiled timer. */
export interface RecordTimer {
  /** The field with the timestamp. */
  readonly due: string
  /** The column of that field. */
  readonly column: string
  readonly while: Criterion
  /** The body that is saved when the timestamp is reached. */
  readonly body: { readonly [input: string]: Scalar }
  /** The event when a record goes on because its time has come; null if there is none. */
  readonly raises: TimerVerb | null
  /** The target that this event is about; null for others. */
  readonly target: Target | null
  /** Null unless the timer only has its records computed again: the records that follow from a value of their account. */
  readonly renews: { readonly [name in keyof Renewal]: Criterion } | null
  /** The columns by which the waiting records are found; the timestamp is the last of them. */
  readonly index: readonly string[]
}

/** A rule of a type. */
export interface RecordRule {
  readonly name: string
  readonly behavior: Behavior
}

/** What a key is made of (behaviour: Identity). */
export interface TextKey {
  /** Columns with the texts. Without one of them, there is no key. */
  readonly of: readonly string[]
  /** `folded`: without regard to case. `exact`: the texts together, as they are. */
  readonly form: 'folded' | 'exact'
}

/** A compiled record type: its definition with the additions of extensions, and with defaults. For reading only. */
export interface RecordType {
  /** `request` */
  readonly name: string
  /** `requests` */
  readonly path: string
  /** Without the prefix. */
  readonly table: string
  /** The field that a reference shows in addition to id; null if there is none. */
  readonly title: string | null
  /** Further fields that a reference shows. */
  readonly reference: readonly string[]
  /** In the order of responses. */
  readonly fields: ReadonlyMap<string, RecordField>
  /** Fields that are stored, by column. */
  readonly columns: ReadonlyMap<string, RecordField>
  /** A new record: each column but the id, with its default. Copies have their shape at once, which makes them fast. */
  readonly newRow: Row
  /** Columns with objects or lists, which code could change in place. */
  readonly objectColumns: readonly string[]
  /**
   * Lists of the type: their `fields`, their order (`sort`), and what callers may sort (`sortable`), filter (`filterable`) and
   * count by (`countable`).
   */
  readonly collection: {
    readonly fields: readonly string[]
    readonly sort: readonly SortKey[]
    readonly sortable: ReadonlySet<string>
    readonly filterable: ReadonlySet<string>
    readonly countable: ReadonlySet<string>
    /** The fields and sort order of lists below an owner. */
    readonly below: { readonly fields: readonly string[]; readonly sort: readonly SortKey[] }
  }
  /** Predefined filters by name. */
  readonly lists: ReadonlyMap<string, Criterion>
  /** Many-to-many relations by name. */
  readonly links: ReadonlyMap<string, Link>
  /** Lists of records that refer to one, by name. */
  readonly children: ReadonlyMap<string, RecordChild>
  /** Lists of records (`record`, `where`) that concern a person; only the type of people has them. */
  readonly coverages: ReadonlyMap<string, { readonly record: string; readonly where: Criterion }>
  /** Types of sub-records by their name below this type (`contacts` → `contact`). */
  readonly parts: ReadonlyMap<string, string>
  /** Types that own these records; empty for other types than sub-records. */
  readonly partOf: readonly string[]
  /** Operations at `/<path>`. */
  readonly operations: ReadonlySet<Operation>
  /** Operations below an owner; empty for other types than sub-records. */
  readonly nested: ReadonlySet<Operation>
  /** Permissions. */
  readonly access: Access
  /** The records that callers without the roles of `see` see. */
  readonly seenByOthers: Criterion
  /** By field, by its present value: the values that callers may choose next. Fields without a table are free. */
  readonly moves: ReadonlyMap<string, ReadonlyMap<string, readonly NextStep[]>>
  /** In the order in which they run. */
  readonly rules: readonly RecordRule[]
  /** The rules that have a function for a phase, in the same order; a phase without any is missing. */
  readonly rulesIn: ReadonlyMap<Phase, readonly RecordRule[]>
  /** Values that are saved at a stored time. */
  readonly timers: readonly RecordTimer[]
  /** Columns whose change alone leaves no trace: those of timers that renew, and of fields with the option `mark`. */
  readonly marks: ReadonlySet<string>
  /** Columns of secrets, with their fields. */
  readonly secrets: ReadonlyMap<string, RecordField>
  /** Settlings: values that follow from other records. */
  readonly settle: readonly Settling[]
  /** Verbs of its events. */
  readonly events: ReadonlySet<Verb>
  /** Verbs of events that the host's own code causes. */
  readonly emits: ReadonlySet<string>
  /** Columns that are unique together within an account (sub-records: within their owner). */
  readonly unique: readonly (readonly string[])[]
  /** Columns with keys of texts, by which records are found and are unique; written with the texts, never shown. */
  readonly keys: ReadonlyMap<string, TextKey>
  /** The import file of the type; null if there is none. */
  readonly import: RecordImport | null
  /** Import files of its sub-records. */
  readonly partImports: readonly PartImport[]
  /** True if changes leave audit lines. */
  readonly audit: boolean
  /** See `Definition.refusesMisspelled`. */
  readonly refusesMisspelled: boolean
  /** True if records of the directory account belong to the collection. */
  readonly withDirectory: boolean
  /** True for the type of people. */
  readonly holdsRoles: boolean
  /** The field in which callers name the account of a new record; null if it is always that of the call. */
  readonly registeredIn: string | null
  /** Condition that a record must meet to be visible at all. */
  readonly existsWhile: Criterion
  /** The records of trusted accounts that are seen along with those of the account; null if none. */
  readonly fromTrusted: Criterion | null
  /** The field that removing a record sets to true; null if removing deletes the record. */
  readonly softDeleteField: string | null
  /** The type of sub-records that translate this one (`record`), and the `fields` that it translates; null if there is none. */
  readonly translations: { readonly record: string; readonly fields: ReadonlySet<string> } | null
}

/** A step from a record towards its owner. */
export interface SettlingStep {
  /** The column with the id of the record that it leads to. */
  readonly column: string
  /** The type of that record. */
  readonly type: string
  /** True for sub-records, which may belong to records of several types. */
  readonly isPart: boolean
}

/** The way from records of a type to the owner that is settled when they change; no steps from the owner itself. */
export interface SettlingPath {
  readonly owner: string
  readonly steps: readonly SettlingStep[]
}

/** Links whose change settles an owner. */
export interface SettlingLinks extends SettlingPath {
  /** The type that the links start from. */
  readonly base: string
  readonly link: Link
}

/** All paths to owners. */
export interface SettlingPaths {
  /** By the type of the record that changes. */
  readonly records: ReadonlyMap<string, readonly SettlingPath[]>
  readonly links: readonly SettlingLinks[]
}

/** All record types of the plugin and the host. */
export interface Catalog {
  /** Record types by name. */
  readonly types: ReadonlyMap<string, RecordType>
  /** Record types by the first segment of their URL; sub-records are not among them. */
  readonly byPath: ReadonlyMap<string, RecordType>
  /** Every enumeration by its key, values in order. */
  readonly enumerations: ReadonlyMap<string, readonly string[]>
  /** Names of all events, `request.create` …, in catalog order. */
  readonly events: readonly string[]
  /** The owners that have to be settled when records change. */
  readonly settling: SettlingPaths
  /** A record type by name; an unknown name is a programming mistake and throws. */
  type(name: string): RecordType
}
