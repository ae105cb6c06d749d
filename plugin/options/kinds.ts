/**
 * The kinds of options: each makes a row of the table. The docstring of a row is what hosts read, in their editor and in the
 * README.
 */
import { all, among, amountWith, type Limit, MAX_TIMER, oneOfTwo, timeWithin, wholeFromOne } from './checks.js'
import type { Check, Earlier, FilledOptions, GivenOptions, Kind, Option, Rows } from './option.js'

interface HasCheck {
  readonly check?: Check
}
interface IsRequired extends HasCheck {
  readonly required: true
}
interface HasDefault<Value> extends HasCheck {
  readonly default: Exclude<Value, (...given: never[]) => unknown> | ((earlier: Earlier) => Value)
}

export function text(about: IsRequired): Option<string, string, true>
export function text(about: HasDefault<string>): Option<string, string, false>
export function text(about: IsRequired | HasDefault<string>): Option<string, string> {
  return { kind: 'string', required: false, ...about }
}

export function flag(value: boolean): Option<boolean, boolean, false> {
  return { kind: 'boolean', required: false, default: value }
}

export function oneOf<const Value extends string>(
  values: readonly Value[],
  value: NoInfer<Value>,
): Option<Value, Value, false> {
  return { kind: 'string', required: false, default: value, check: among(values) }
}

/** Whole milliseconds, at least 1 and as many as a timer can have. */
export function duration(
  about: HasDefault<number> & { readonly min?: number; readonly max?: number },
): Option<number, number, false> {
  const { min = 1, max = MAX_TIMER, check, ...more } = about
  const within = timeWithin(min, max)
  return { kind: 'number', required: false, unit: 'ms', ...more, check: check ? all(within, check) : within }
}

/** A whole number of things, 1 or more. */
export function count(value: number): Option<number, number, false> {
  return { kind: 'number', required: false, default: value, check: wholeFromOne }
}

/** A number that may be 0. */
export function amount(
  about: { readonly default: number; readonly unit?: 'ms' | 'bytes' },
  ...limits: readonly Limit[]
): Option<number, number, false> {
  return { kind: 'number', required: false, ...about, check: amountWith(limits) }
}

export function list<Item>(about: HasDefault<readonly Item[]>): Option<readonly Item[], readonly Item[], false> {
  return { kind: 'array', required: false, ...about }
}

/** A value whose type only the row can say: a function, or an object with methods. */
export function typed<Value>(kind: Kind, about: IsRequired): Option<Value, Value, true>
export function typed<Value>(kind: Kind, about: HasDefault<Value>): Option<Value, Value, false>
export function typed<Value>(kind: Kind, about?: HasCheck): Option<Value, Value | undefined, false>
export function typed<Value>(kind: Kind, about: HasCheck = {}): Option<Value, Value | undefined> {
  return { kind, required: false, ...about }
}

/** Options within an option. They have their defaults even if the host gives no group. */
export interface Group<R> extends Option<GivenOptions<R>, FilledOptions<R>, false> {
  readonly rows: R & Rows
}

export function group<R extends Rows>(rows: R): Group<R> {
  return { kind: 'group', required: false, rows, filled: 'always' }
}

/** A group that switches something on. Without it, it stays undefined. */
export interface Feature<R> extends Option<GivenOptions<R>, FilledOptions<R> | undefined, false> {
  readonly rows: R & Rows
}

export function feature<R extends Rows>(rows: R): Feature<R> {
  return { kind: 'group', required: false, rows, filled: 'if given' }
}

/** A group that `true` switches on with all its defaults. Without it, and by `false`, it stays undefined. */
export interface Switch<R> extends Option<boolean | GivenOptions<R>, FilledOptions<R> | undefined, false> {
  readonly rows: R & Rows
}

export function switchable<R extends Rows>(rows: R): Switch<R> {
  return { kind: 'boolean or group', required: false, rows, filled: 'if given' }
}

/** A group of one of two forms, which differ in the first option of each. It stays as it is given. */
export interface Either<One, Other, Needed extends boolean>
  extends Option<
    GivenOptions<One> | GivenOptions<Other>,
    GivenOptions<One> | GivenOptions<Other> | (Needed extends true ? never : undefined),
    Needed
  > {
  readonly rows: One & Other & Rows
}

export function either<One extends Rows, Other extends Rows>(
  one: One,
  other: Other,
  needed: { readonly required: true },
): Either<One, Other, true>
export function either<One extends Rows, Other extends Rows>(one: One, other: Other): Either<One, Other, false>
export function either<One extends Rows, Other extends Rows>(
  one: One,
  other: Other,
  { required }: { readonly required: boolean } = { required: false },
): Either<One, Other, boolean> {
  const [first = ''] = Object.keys(one)
  const [second = ''] = Object.keys(other)
  const check = oneOfTwo(first, second)
  return {
    kind: 'group',
    required,
    rows: { ...one, ...other },
    check: (value, ...place) => (value === undefined && !required ? [] : check(value, ...place)),
  }
}
