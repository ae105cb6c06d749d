/** The life of a record as data: which values of an enumeration may follow which, and who may choose them. */
import type { Who } from './who.js'

/** A value that may follow; with `by` only these people may choose it. */
export type NextValue = string | LimitedValue

/** A value that only some people may choose. */
export interface LimitedValue {
  /** The value. */
  readonly to: string
  /** The people: roles, or those whom a field of the record names. */
  readonly by: readonly Who[]
}

/**
 * By field, by its present value: the values that callers may choose next. A value that is not listed has no way out. Rules,
 * settlings, timers and the system are free, and so is the value of a new record.
 *
 *     moves: { status: { new: ['ready'], ready: ['in_use', { to: 'retired', by: ['account_administrator'] }] } }
 */
export interface AllowedMoves {
  readonly [field: string]: { readonly [from: string]: readonly NextValue[] }
}

/** A next value, as the catalog has it. */
export interface NextStep {
  /** The value. */
  readonly to: string
  /** The people who may choose it; null for everybody who may change the field. */
  readonly by: readonly Who[] | null
}

/** The next step of what an author has written. */
export function nextStep(next: NextValue): NextStep {
  return typeof next === 'string' ? { to: next, by: null } : { to: next.to, by: next.by }
}

/** Tables of several authors as one: each adds next values, and none can take one away. */
export function joinedMoves(tables: readonly (AllowedMoves | undefined)[]): AllowedMoves {
  const all: Record<string, Record<string, NextValue[]>> = {}
  for (const table of tables) {
    for (const [field, moves] of Object.entries(table ?? {})) {
      const ofField = all[field] ?? {}
      all[field] = ofField
      for (const [from, next] of Object.entries(moves)) ofField[from] = [...(ofField[from] ?? []), ...next]
    }
  }
  return all
}
