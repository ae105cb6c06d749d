/**
 * Settling: what a record and the records around it must be, as a function of all of them. The status of a change follows from
 * its tasks, and a task is assigned when the tasks before it are finished. ADR 0019.
 */
import type { Moment } from '../core/clock.js'
import { shown } from '../core/shown.js'
import type { Row } from './define-rule.js'
import type { Json } from './fields.js'

/**
 * Records that a settling reads, and follows: when one of them is saved, removed or linked, its owner is settled. `of` names
 * another source, whose records are meant in the place of the owner.
 *
 * - `type` and `by`: records that refer to the owner through the field, `{ type: 'task', by: 'change' }`
 * - `part`: its sub-records of this type
 * - `link`: its links of this name, as pairs of ids
 */
export type SettlingSource =
  | { readonly type: string; readonly by: string; readonly of?: string }
  | { readonly part: string; readonly of?: string }
  | { readonly link: string; readonly of?: string }

/** One link: ids of the record that it starts from, and of the record that it leads to. */
export interface LinkPair {
  readonly from: number
  readonly to: number
}

/** Values by column or field, as a save takes them. */
export type SettledValues = { readonly [name: string]: Json }

/** What a settling may look at: the owner, the records of each source by its name (lowest id first), and the time of the call. */
export type SettlingFacts<O extends SettlingSources = SettlingSources> = {
  /** The row of the owner. A record that is being created has no id yet, and no records around it. */
  readonly owner: Row
  readonly now: Moment
} & { readonly [N in keyof O]: O[N] extends { readonly link: string } ? readonly LinkPair[] : readonly Row[] }

/** What has to be: values of the owner, and of records of a source by their id. What is as it should be may be left out. */
export type SettlingDecision<O extends SettlingSources = SettlingSources> = {
  readonly owner?: SettledValues
} & { readonly [N in keyof O]?: ReadonlyMap<number, SettledValues> }

export type SettlingSources = { readonly [name: string]: SettlingSource }

/** A settling of a definition. Its data survives `JSON.stringify`; the function does not show there. */
export interface Settling {
  readonly settle: string
  readonly of: SettlingSources
  /** Fields of the owner that the function reads or sets, so that a wrong name is reported at start. */
  readonly fields: readonly string[]
  /** Fields that a new owner gets from the function when the caller sends none. Create bodies need not contain them. */
  readonly fills: readonly string[]
  readonly decide: (facts: SettlingFacts<never>) => unknown
}

/** What `follow` takes. */
export interface FollowSettings<O extends SettlingSources> {
  readonly of: O
  readonly fields?: readonly string[]
  readonly fills?: readonly string[]
  /** Pure: the same facts give the same decision, whatever was saved first. Runs again until nothing differs. */
  decide(facts: SettlingFacts<O>): SettlingDecision<O> | null | undefined
}

/**
 * A settling, for the part `settle` of a definition or an extension.
 *
 * @param name what errors call it; no other settling of the type has it
 * @throws TypeError for settings that are not of this shape
 */
export function follow<const O extends SettlingSources>(name: string, settings: FollowSettings<O>): Settling {
  if (typeof name !== 'string' || name === '') throw new TypeError(`follow: the name must be a text, not ${shown(name)}`)
  const given: Partial<FollowSettings<O>> | null | undefined = settings
  if (typeof given?.decide !== 'function')
    throw new TypeError(`follow('${name}'): decide must be a function, not ${shown(given?.decide)}`)
  const { decide, of, fields = [], fills = [] } = settings
  const value = { settle: name, of, fields, fills }
  Object.defineProperty(value, 'decide', { value: decide, enumerable: false })
  return Object.freeze(value as typeof value & Pick<Settling, 'decide'>)
}
