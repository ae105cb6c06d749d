/** Rules: behavior that definitions name. Rules are pure where they can be; what they need comes as arguments. */
import type { Call, Role } from '../core/call.js'
import type { Params } from '../core/errors.js'
import type { Condition } from './conditions.js'
import type { RuleUse } from './define-record.js'
import type { Json } from './fields.js'

/** A record as it is stored: one value a column, references as `<field>_id`, moments as `core/clock.ts` says. */
export type Row = { readonly [column: string]: Json }
/** A row that is being made. */
export type DraftRow = { [column: string]: Json }

/** What a rule, or a host's `before` hook, may look at and do. All work happens in the transaction of the save. */
export interface RuleContext {
  readonly call: Call
  /** Name of the record type. */
  readonly type: string
  /** The stored row; null when the record is being created. */
  readonly before: Row | null
  /** The row to be stored: `before` hooks and rules may set columns; afterwards it is the stored row, id included. */
  readonly next: DraftRow
  /** Names of the fields that the caller sent and was allowed to set. */
  readonly given: ReadonlySet<string>
  /** What the caller sent for a write-only field that is not stored (time_spent); null when it sent nothing. */
  input(field: string): Json
  /** True when the column has another value than before (on creation: any value). */
  changed(column: string): boolean
  /** The column of a field, the record type that it refers to (empty for plain fields), and the key of its enumeration. */
  fieldOf(field: string): { readonly column: string; readonly record: string; readonly enumeration: string }
  /**
   * A record by id, as stored; null when there is none. Cached within the save, references come in one query a type. `lock`
   * reads the record anew, and keeps others from changing it until the transaction ends.
   */
  load(type: string, id: Json | undefined, options?: { readonly lock: true }): Promise<Row | null>
  /** True when the two records are linked (`teams` `members`). */
  linked(type: string, id: Json | undefined, link: string, otherId: Json | undefined): Promise<boolean>
  /** True when the person has this very role in the account of the record. A batch asks for all its people in one query. */
  hasRole(personId: Json | undefined, role: Role): Promise<boolean>
  /** Records of the call's account that meet the condition, at most 100, lowest id first. */
  find(type: string, condition: Condition): Promise<readonly Row[]>
  /**
   * Saves another record in the same transaction, with all its rules and events; read-only fields are taken as well. Parts
   * are created with their owner.
   */
  save(type: string, id: number | null, body: object, owner?: { readonly type: string; readonly id: number }): Promise<Row>
  /** Removes another record in the same transaction, with all its rules. */
  remove(type: string, id: number): Promise<void>
  /**
   * Adds to a number of another record when the rules of the batch have run, in the same transaction. It stays 0 or more.
   * Nobody is told: no audit line, no event, the same updated_at.
   */
  addTo(type: string, id: Json | undefined, field: string, step: number): void
  /** Refuses the save; all violations of a record are reported together. `code` is a key of `core/words/` or a sentence. */
  fail(field: string, code: string, params?: Params): void
}

export interface Rule {
  /** Runs before the completeness check: fills, stamps, refuses. */
  readonly before?: (context: RuleContext, use: RuleUse) => void | Promise<void>
  /**
   * Runs after the row is written, inside the transaction: roll-ups. What it sets in `next` of a new record is stored with
   * the creation (values that need the id).
   */
  readonly after?: (context: RuleContext, use: RuleUse) => void | Promise<void>
  /** Runs before a record is removed: refuses. `next` is the row as it is. */
  readonly remove?: (context: RuleContext, use: RuleUse) => void | Promise<void>
  /** Runs before all parts of an owner are removed at once: refuses. `next` has only `owner_type` and `owner_id`. */
  readonly removeAll?: (context: RuleContext, use: RuleUse) => void | Promise<void>
  /** Runs after a record was removed, inside the transaction. `next` is the row as it was. */
  readonly removed?: (context: RuleContext, use: RuleUse) => void | Promise<void>
  /** Columns or fields that the settings name, so that a wrong name is reported at start. */
  readonly fields?: (use: RuleUse) => readonly string[]
  /** Fields of a new record that the rule may set when the caller sends none. Create bodies need not contain them. */
  readonly fills?: (use: RuleUse) => readonly string[]
}

/** When rules do something: the names of their functions. */
export const PHASES = ['before', 'after', 'remove', 'removeAll', 'removed'] as const satisfies readonly (keyof Rule)[]

/** What rules tell about their settings: the names of those functions. */
export const TELLS = ['fields', 'fills'] as const satisfies readonly (keyof Rule)[]

/** All rules by name. */
export type RuleBook = { readonly [name: string]: Rule }
