/**
 * Settling: keeps a record and the records around it consistent, by a function of all of them. The status of a change follows
 * from its tasks, and a task is assigned when the tasks before it are finished. ADR 0019.
 */
import type { Instant } from '../../core/clock.js'
import { shown } from '../../core/text/shown.js'
import type { Calendar } from '../../core/time/working-time.js'
import type { Condition } from './conditions.js'
import type { Row } from './define-rule.js'
import type { Json } from './field.js'
import type { Keeps } from './keeps.js'
import type { Move } from './moves.js'

/**
 * Records that a settling reads and follows: when one of them is saved, removed or linked, its owner is settled. `of` names
 * another source, whose records are used in place of the owner.
 *
 * - `type` and `by`: records that refer to the owner through the field, `{ type: 'task', by: 'change' }`; with a condition
 * `where`, those that meet it when they are read. The others are followed like them.
 * - `part`: its sub-records of this type
 * - `link`: its links of this name, as pairs of ids
 * - `refersTo`: the records that its field refers to, `{ refersTo: 'team', of: 'tasks' }`. They, and sources based on them, are
 *   read and not followed, because many owners share them; a settling cannot set their values.
 * - `calendars`: the calendars in one or several fields, by id: `{ calendars: 'work_hours', of: 'teams' }`. Read and not
 *   followed, too.
 */
export type SettlingSource =
  | { readonly type: string; readonly by: string; readonly of?: string; readonly where?: Condition }
  | { readonly part: string; readonly of?: string }
  | { readonly link: string; readonly of?: string }
  | { readonly refersTo: string; readonly of?: string }
  | { readonly calendars: string | readonly string[]; readonly of?: string }

/** One link: ids of the record that it starts `from`, and of the record that it leads `to`. */
export interface LinkPair {
  readonly from: number
  readonly to: number
}

/** Values by column or field, as in the body of a save. */
export type SettledValues = { readonly [name: string]: Json }

/** Arguments of a settling: the owner, the records of each source by its name (lowest id first), the time of the call, and the zone of the account. */
export type SettlingFacts<O extends SettlingSources = SettlingSources> = {
  /** The row of the owner. A record that is being created has no id yet, and no other records refer to it. */
  readonly owner: Row
  /** The time of the call. */
  readonly now: Instant
  /** The time zone of the account, for times that are counted in calendars. */
  readonly zone: string
} & { readonly [N in keyof O]: FactsOf<O[N]> }

/** What a settling gets of a source: pairs of a `link`, calendars by id for `calendars`, rows for all others. */
type FactsOf<S> = S extends { readonly link: string }
  ? readonly LinkPair[]
  : S extends { readonly calendars: unknown }
    ? ReadonlyMap<number, Calendar>
    : readonly Row[]

/**
 * Result of a settling: values of the `owner`, and of records of a source by their id. Values that are right already may be
 * omitted.
 */
export type SettlingDecision<O extends SettlingSources = SettlingSources> = {
  readonly owner?: SettledValues
} & { readonly [N in keyof O]?: ReadonlyMap<number, SettledValues> }

/** Sources by name. */
export type SettlingSources = { readonly [name: string]: SettlingSource }

/** A settling of a definition. `JSON.stringify` writes its data, without the function. */
export interface Settling<Filled extends string = string> {
  /** The name of the settling. */
  readonly settle: string
  /** What it reads and follows, by name. */
  readonly of: SettlingSources
  /**
   * All fields of the owner that the function reads or sets: a save of the owner that changes none of them does not run it. A wrong
   * name is reported at start. None: each save of the owner runs it.
   */
  readonly fields: readonly string[]
  /** Fields that a new owner gets from the function if the caller omits them. Create bodies need not contain them. */
  readonly fills: readonly Filled[]
  /** Changes of the status that the function decides, by source; `owner` for those of the owner. For state diagrams. */
  readonly moves: { readonly [source: string]: readonly Move[] }
  /** Stored values that it keeps, with everything that they follow from. */
  readonly keeps: Keeps
  /** Values by source for its records that cannot be saved with the decided ones. */
  readonly otherwise: { readonly [source: string]: SettledValues }
  /** The function. Not part of the JSON. */
  readonly decide: (facts: SettlingFacts<never>) => unknown
}

/** Argument of `follow`. */
export interface FollowSettings<O extends SettlingSources, Filled extends string = string> {
  /** What it reads and follows, by names of your choice. */
  readonly of: O
  /**
   * All fields of the owner that `decide` reads or sets: other changes of the owner do not run it. Default: each save runs it.
   */
  readonly fields?: readonly string[]
  /** Fields that a new owner gets from `decide` if the caller omits them. Create bodies need not contain them. */
  readonly fills?: readonly Filled[]
  /**
   * Values by source, for its records whose rules or hooks refuse the decided values; records that refuse these as well stay as
   * they are. Without it, a refused record refuses the whole call.
   */
  readonly otherwise?: { readonly [N in keyof O]?: SettledValues }
  /** Changes of the status that it decides, by source, or of the `owner`. */
  readonly moves?: { readonly [N in keyof O | 'owner']?: readonly Move[] }
  /** Stored values that it keeps, with everything that they follow from: `{ impact: ['tasks', 'tasks.impact'] }`. */
  readonly keeps?: Keeps
  /** Pure: the same facts lead to the same decision, regardless of the order of saves. Runs again until nothing differs. */
  decide(facts: SettlingFacts<O>): SettlingDecision<O> | null | undefined
}

/**
 * Creates a settling, for `settle` in a definition or an extension.
 *
 * ```ts
 * import { extendRecord, follow } from 'koa-itsm'
 *
 * export const trips = extendRecord('trip', {
 *   settle: [
 *     follow('legs', {
 *       of: { legs: { type: 'leg', by: 'trip' } },
 *       fills: ['status'],
 *       decide: ({ legs }) => ({ owner: { status: legs.every(({ status }) => status === 'done') ? 'over' : 'planned' } }),
 *     }),
 *   ],
 * })
 * ```
 *
 * @param name its name in errors, unique for the type
 * @throws TypeError for settings that do not have this shape
 */
export function follow<const O extends SettlingSources, Filled extends string = never>(
  name: string,
  settings: FollowSettings<O, Filled>,
): Settling<Filled> {
  if (typeof name !== 'string' || name === '') throw new TypeError(`follow: the name must be a text, not ${shown(name)}`)
  const given: Partial<FollowSettings<O, Filled>> | null | undefined = settings
  if (typeof given?.decide !== 'function')
    throw new TypeError(`follow('${name}'): decide must be a function, not ${shown(given?.decide)}`)
  const { decide, of, fields = [], fills = [], keeps = {}, moves = {}, otherwise = {} } = settings
  const value = { settle: name, of, fields, fills, moves, keeps, otherwise }
  Object.defineProperty(value, 'decide', { value: decide, enumerable: false })
  return Object.freeze(value as typeof value & Pick<Settling<Filled>, 'decide'>)
}
