/**
 * Rules: behavior of records. A rule is a value that stands in a definition or an extension; ours and those of hosts are
 * written alike. Rules are pure where they can be; what they need comes as an argument. ADR 0020.
 */
import { shown } from '../core/shown.js'
import type { FillContext, OtherRecords, Row, RuleContext, WrittenContext } from './rule-context.js'

export type { DraftRow, FillContext, OtherRecords, Row, RuleContext, RuleItem, WrittenContext } from './rule-context.js'

type Result = void | Promise<void>

/**
 * What a rule does, and when. A rule runs for all records of a batch before the next rule begins; functions for one record run
 * side by side, so that what they ask is asked together. Those with `All` get the batch; they run where the others run, before
 * the function for one record when a rule has both.
 */
export interface Behavior<R extends object = Row> {
  /** Fields that the settings name; one that the type does not have is a mistake of the definition. */
  readonly fields?: readonly string[]
  /** Fields that the rule may set when the caller sends none. Create bodies need not contain them. */
  readonly fills?: readonly string[]

  /** Sets values of the record. All rules fill before the host's hooks run, and these run before any rule checks. */
  fill?(context: FillContext<R>): Result
  fillAll?(contexts: readonly FillContext<R>[]): Result
  /** Refuses what must not be stored. What is required, unique or refers to nothing is found afterwards, without any rule. */
  check?(context: RuleContext<R>): Result
  checkAll?(contexts: readonly RuleContext<R>[]): Result
  /**
   * Sets values that need the id of the record, or of a sub-record that is made here; all others are stored by now. They are
   * told together with the rest: the same audit line, the same event. Such fields cannot be required.
   */
  fillWithId?(context: FillContext<R>): Result
  fillWithIdAll?(contexts: readonly FillContext<R>[], others: OtherRecords): Result
  /** Works on other records that follow from this one: mirrors, versions, counters. Runs for one record after the other. */
  written?(context: WrittenContext<R>): Result
  writtenAll?(contexts: readonly RuleContext<R>[], others: OtherRecords): Result

  /** Refuses to remove a record. */
  remove?(context: RuleContext<R>): Result
  /** Refuses to remove all sub-records of an owner at once. `next` has only `owner_type` and `owner_id`. */
  removeAll?(context: RuleContext<R>): Result
  /** Works on other records once a record is gone; `next` is the row as it was. Runs for one record after the other. */
  removed?(context: WrittenContext<R>): Result
}

/** When rules do something: the names of their functions. */
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

/** What rules tell about their settings. */
export const TELLS = ['fields', 'fills'] as const satisfies readonly (keyof Behavior)[]

/**
 * A rule with its settings, as it stands in a definition: `stamp('completed_at', { … })`. Written as JSON it is its name and
 * its settings; what it does cannot be written.
 */
export interface Rule {
  readonly rule: string
  readonly settings: readonly unknown[]
  /** Runs directly behind all rules of this name, or directly before them. Default: where it stands in the list. */
  readonly after?: string
  readonly before?: string
  /** What the rule does with its settings. @throws when it cannot read them */
  readonly does: () => Behavior
}

/** The place of a rule among the others of its type: directly behind all rules of a name, or directly before them. */
export type Place = { readonly after: string } | { readonly before: string }

/** Writes a rule whose rows have the columns of R. */
export type WriteRule<R extends object> = <S extends readonly unknown[]>(
  name: string,
  make: (...settings: S) => Behavior<R>,
) => (...settings: S) => Rule

/**
 * Writes a rule: a name, and a function from settings to what the rule does. The result takes the settings and answers the
 * value for definitions. Settings are data that JSON can hold; they are copied and frozen.
 *
 *     const stamp = rule('stamp', (column: string, { field, values }: StatusTest) => ({
 *       fields: [column, field],
 *       fill({ call, next }) { if (values.includes(next[field])) next[column] ??= call.now },
 *     }))
 *
 * `rule.for<{ seats: number | null }>()` writes rules for records with these columns: a misspelt one does not compile.
 *
 * @throws TypeError for a name that is no text, and for no function
 */
export const rule: WriteRule<Row> & { for<R extends object>(): WriteRule<R> } = Object.assign(writeRule, {
  // The columns are there for the compiler alone.
  for: <R extends object>() => writeRule as unknown as WriteRule<R>,
})

function writeRule<S extends readonly unknown[]>(name: string, make: (...settings: S) => Behavior): (...settings: S) => Rule {
  if (typeof name !== 'string' || name === '') throw new TypeError(`rule(): the name must be a text, not ${shown(name)}`)
  if (typeof make !== 'function') throw new TypeError(`rule('${name}'): must have a function, not ${shown(make)}`)
  return (...settings) => {
    const kept = frozen(settings) as S
    return asData({ rule: name, settings: kept, does: () => make(...kept) })
  }
}

/**
 * Puts a rule at a place among those of its type, whatever the list says: `placed(stamp('sold_at', …), { after: 'fillFrom' })`.
 * Extensions place their rules among ours. A name that no rule of the type has, and rules that wait for each other, are mistakes
 * of the definition.
 */
export function placed(one: Rule, place: Place): Rule {
  const { rule: name, settings, does } = one
  return asData({ rule: name, settings, ...place, does })
}

function asData(value: Rule): Rule {
  // Who prints or compares a definition sees data.
  return Object.freeze(Object.defineProperty(value, 'does', { enumerable: false }))
}

/** A frozen copy of lists and objects; what contains itself is left as it is, and reported with the definition. */
function frozen(value: unknown, within: readonly unknown[] = []): unknown {
  if (typeof value !== 'object' || value === null || within.includes(value)) return value
  const path = [...within, value]
  if (Array.isArray(value)) return Object.freeze(value.map((one) => frozen(one, path)))
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, frozen(one, path)])))
}
