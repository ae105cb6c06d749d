/**
 * Rules: behavior of records. A rule is a value in a definition or an extension; the plugin's and those of hosts are written in
 * the same way. Rules are pure where they can be, and get their dependencies as arguments. ADR 0020.
 */
import { shown } from '../../core/text/shown.js'
import type { Keeps } from './keeps.js'
import type { LookUp } from './look-up.js'
import type { Move } from './moves.js'
import type { FillContext, OtherRecords, Row, RuleContext, WrittenContext } from './rule-context.js'

export type {
  Attempt,
  DraftRow,
  FillContext,
  OtherRecords,
  Row,
  RuleContext,
  RuleItem,
  WrittenContext,
} from './rule-context.js'

/** What functions of rules return: nothing, or a promise of nothing. */
type Result = void | Promise<void>

/**
 * The functions of a rule by phase. A rule runs for all records of a batch before the next rule begins. Functions for one
 * record run concurrently, so that their lookups share statements. Functions named `…All` get the batch; they run in the same
 * phase, before the function for one record if a rule has both.
 */
export interface Behavior<R extends object = Row> {
  /** Fields in the settings; one that the type does not have is a mistake of the definition. */
  readonly fields?: readonly string[]
  /** Fields that the rule may set if the caller omits them. Create bodies need not contain them. */
  readonly fills?: readonly string[]
  /** Changes of the status that the rule makes, in its own records or in others. For state diagrams. */
  readonly moves?: readonly Move[]
  /** Stored values that the rule keeps, in its own records or in others, with everything that they follow from. */
  readonly keeps?: Keeps
  /**
   * What it looks up of records that its own one begins to refer to: `load` of a reference of theirs, `linked` from one of them. For a
   * single record this is read with them, by the same statement. It has no other effect: what is not listed takes a statement more.
   */
  readonly looksUp?: readonly LookUp[]
  /**
   * True if the rule also follows when the undo of an import puts an earlier state of a record back: it only counts, or computes
   * values of other records anew. Other rules do not run then, because the undo puts back what they have changed.
   */
  readonly alsoOnUndo?: true
  /**
   * True if what it does after the write begins work, or is part of it: new tasks, copied notes, clocks. It is left out for records
   * of the past (behaviour: History).
   */
  readonly begins?: true

  /** Sets values of the record. All rules fill before the host's hooks run, and these run before any rule checks. */
  fill?(context: FillContext<R>): Result
  /** `fill` for all records of a batch at once. */
  fillAll?(contexts: readonly FillContext<R>[]): Result
  /** Refuses invalid records. Required and unique fields and references are checked afterwards, without any rule. */
  check?(context: RuleContext<R>): Result
  /** `check` for all records of a batch at once. */
  checkAll?(contexts: readonly RuleContext<R>[]): Result
  /**
   * Sets values that need the id of the record, or of a sub-record that is created here; all other values are stored by now.
   * They are part of the same audit line and event as the rest. Such fields cannot be required.
   */
  fillWithId?(context: FillContext<R>): Result
  /** `fillWithId` for all records of a batch at once; `others` saves further records with the statements of one. */
  fillWithIdAll?(contexts: readonly FillContext<R>[], others: OtherRecords): Result
  /** Changes other records that follow from this one: mirrors, versions, counters. Runs for one record after the other. */
  written?(context: WrittenContext<R>): Result
  /** `written` for all records of a batch at once; `others` saves further records with the statements of one. */
  writtenAll?(contexts: readonly RuleContext<R>[], others: OtherRecords): Result

  /** Refuses to remove a record. */
  remove?(context: RuleContext<R>): Result
  /** Refuses to remove all sub-records of an owner at once. `next` has only `owner_type` and `owner_id`. */
  removeAll?(context: RuleContext<R>): Result
  /** Changes other records after a record was removed; `next` is the row as it was. Runs for one record after the other. */
  removed?(context: WrittenContext<R>): Result
}

/** Phases of rules; each `…All` function runs in the phase of the function for one record. */
export type Phase = 'fill' | 'check' | 'fillWithId' | 'written' | 'remove' | 'removeAll' | 'removed'

/** The names of the functions of rules. */
export const PHASES = [
  'fill',
  'fillAll',
  'check',
  'checkAll',
  'fillWithId',
  'fillWithIdAll',
  'written',
  'writtenAll',
  'remove',
  'removeAll',
  'removed',
] as const satisfies readonly (keyof Behavior)[]

/** Properties of a rule that describe its settings. */
export const TELLS = [
  'fields',
  'fills',
  'moves',
  'keeps',
  'looksUp',
  'alsoOnUndo',
  'begins',
] as const satisfies readonly (keyof Behavior)[]

/**
 * A rule with its settings, as written in a definition: `stamp('completed_at', { … })`. As JSON it is its name and its
 * settings; its functions are omitted.
 */
export interface Rule<Filled extends string = string> {
  /** The name of the rule. */
  readonly rule: string
  /** The settings, frozen. */
  readonly settings: readonly unknown[]
  /** Runs directly after all rules of this name. Default: its place in the list. */
  readonly after?: string
  /** Runs directly before all rules of this name. */
  readonly before?: string
  /** Creates the functions of the rule with its settings. @throws if the settings are invalid */
  readonly does: () => Behavior
  /** The fields in `fills`. Only for inference. */
  readonly filled?: Filled
}

/** The place of a rule among those of its type: directly `after` all rules of a name, or directly `before` them. */
export type Place = { readonly after: string } | { readonly before: string }

/** Writes a rule whose rows have the columns of R. */
export type WriteRule<R extends object> = <S extends readonly unknown[], Filled extends string = never>(
  name: string,
  make: (...settings: S) => Behavior<R> & { readonly fills?: readonly Filled[] },
) => (...settings: S) => Rule<Filled>

/**
 * Writes a rule: a name, and a function from settings to the functions of the rule. The result takes the settings and returns
 * the value for definitions. Settings are data that JSON can represent; they are copied and frozen.
 *
 * ```ts
 * import { rule } from 'koa-itsm'
 *
 * export const stamp = rule('stamp', (column: string, { field, values }: { field: string; values: readonly unknown[] }) => ({
 *   fields: [column, field],
 *   fill({ call, next }) {
 *     if (values.includes(next[field])) next[column] ??= call.now
 *   },
 * }))
 * ```
 *
 * `rule.for<{ seats: number | null }>()` writes rules for records with these columns: a misspelled one does not compile.
 *
 * @throws TypeError for a name that is not a text, or without a function
 */
export const rule: WriteRule<Row> & { for<R extends object>(): WriteRule<R> } = Object.assign(writeRule, {
  // The columns exist only for the compiler.
  for: <R extends object>() => writeRule as unknown as WriteRule<R>,
})

function writeRule<S extends readonly unknown[], Filled extends string = never>(
  name: string,
  make: (...settings: S) => Behavior,
): (...settings: S) => Rule<Filled> {
  if (typeof name !== 'string' || name === '') throw new TypeError(`rule(): the name must be a text, not ${shown(name)}`)
  if (typeof make !== 'function') throw new TypeError(`rule('${name}'): must have a function, not ${shown(make)}`)
  return (...settings) => {
    const kept = frozen(settings) as S
    return asData({ rule: name, settings: kept, does: () => make(...kept) })
  }
}

/**
 * Places a rule among those of its type, regardless of its place in the list:
 * `placed(stamp('sold_at', …), { after: 'fillFrom' })`. Extensions place their rules among the plugin's. A name that no rule of
 * the type has, and rules that wait for each other, are mistakes of the definition.
 *
 * ```ts
 * import { extendRecord, placed, rule } from 'koa-itsm'
 *
 * const shout = rule('shout', (field: string) => ({
 *   fields: [field],
 *   fill({ next }) {
 *     next[field] = String(next[field] ?? '').toUpperCase()
 *   },
 * }))
 * export const loud = extendRecord('site', { rules: [placed(shout('name'), { before: 'stamp' })] })
 * ```
 */
export function placed<Filled extends string>(one: Rule<Filled>, place: Place): Rule<Filled> {
  const { rule: name, settings, does } = one
  return asData({ rule: name, settings, ...place, does })
}

function asData<Filled extends string>(value: Rule<Filled>): Rule<Filled> {
  // A definition that is printed or compared must consist of data only.
  return Object.freeze(Object.defineProperty(value, 'does', { enumerable: false }))
}

/** A frozen copy of lists and objects. An object that contains itself is not copied, and reported with the definition. */
function frozen(value: unknown, within: readonly unknown[] = []): unknown {
  if (typeof value !== 'object' || value === null || within.includes(value)) return value
  const path = [...within, value]
  if (Array.isArray(value)) return Object.freeze(value.map((one) => frozen(one, path)))
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, frozen(one, path)])))
}
