/** Checks of values that rows of the table name. None does I/O, or knows the definitions. */
import type { Check } from './option.js'

/** Maximum milliseconds of a timer; Node.js runs longer ones at once. */
export const MAX_TIMER = 2 ** 31 - 1

/** A test that numbers of an option fail with this text. */
export type Limit = readonly [isWrong: (value: number) => boolean, text: string]

export const WHOLE: Limit = [(value) => !Number.isInteger(value), 'must be a whole number']
export const WITHIN_TIMER: Limit = [(value) => value > MAX_TIMER, `must be at most ${MAX_TIMER} milliseconds`]

/** A finite number, 0 or greater, that passes all tests. */
export function amountWith(limits: readonly Limit[]): Check {
  return (value, path) => {
    if (typeof value !== 'number') return []
    if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) return [`${path}: must be a finite number, 0 or greater`]
    return limits.filter(([isWrong]) => isWrong(value)).map(([, text]) => `${path}: ${text}`)
  }
}

/** A whole number, 1 or more. */
export const wholeFromOne: Check = (value, path) =>
  typeof value !== 'number' || (Number.isSafeInteger(value) && value >= 1) ? [] : [`${path}: must be a whole number, 1 or more`]

/** Whole milliseconds. A `max` of Infinity is for times that are no timers. */
export function timeWithin(min: number, max: number): Check {
  const bounds = max === Number.POSITIVE_INFINITY ? `at least ${min}` : `from ${min} to ${max}`
  return (value, path) =>
    typeof value !== 'number' || isTime(value, min, max) ? [] : [`${path}: must be whole milliseconds, ${bounds}`]
}

export function isTime(value: unknown, min = 1, max = MAX_TIMER): value is number {
  return Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max
}

/** A text that matches. */
export function matching(pattern: RegExp, text: string): Check {
  return (value, path) => (typeof value !== 'string' || pattern.test(value) ? [] : [`${path}: ${text}`])
}

/** One of these texts. */
export function among(values: readonly string[]): Check {
  const list = values.map((value) => `'${value}'`).join(' or ')
  return (value, path) => (value === undefined || values.some((one) => one === value) ? [] : [`${path}: must be ${list}`])
}

/** A list of which the test returns no mistake, which is told after the path. */
export function each(mistakeIn: (one: unknown) => string | null): Check {
  return (value, path) =>
    (Array.isArray(value) ? value : []).flatMap((one: unknown) => {
      const mistake = mistakeIn(one)
      return mistake === null ? [] : [`${path}: ${mistake}`]
    })
}

/** A list of objects that have a text under the key, as those that a function of ours makes. */
export function eachMade(key: string, what: string): Check {
  return (value, path) =>
    (Array.isArray(value) ? value : []).flatMap((one: unknown, index) => {
      const isMade = typeof one === 'object' && one !== null && typeof (one as Record<string, unknown>)[key] === 'string'
      return isMade ? [] : [`${path}[${index}]: must be ${what}`]
    })
}

/** Lists of functions by name: a mistake would otherwise appear only at the first use. */
export const functionsByName: Check = (value, path) =>
  Object.entries(typeof value === 'object' && value !== null ? value : {}).flatMap(
    ([name, list]: readonly [string, unknown]) => {
      const isRight = Array.isArray(list) && list.every((one) => typeof one === 'function')
      return isRight ? [] : [`${path}.${name}: must be an array of functions`]
    },
  )

/** An object with these methods. */
export function withMethods(...methods: readonly string[]): Check {
  return (value, path) =>
    typeof value !== 'object' || value === null
      ? []
      : methods
          .filter((method) => typeof (value as Record<string, unknown>)[method] !== 'function')
          .map((method) => `${path}.${method}: must be a function`)
}

/** A function, or an object of functions. */
export const eachFunction: Check = (value, path) =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value)
        .filter(([, one]) => typeof one !== 'function')
        .map(([name]) => `${path}.${name}: must be a function`)

/** Exactly one of the two options of a group. */
export function oneOfTwo(one: string, other: string): Check {
  return (value, path) => {
    const given = Object(value) as Readonly<Record<string, unknown>>
    return (given[one] === undefined) !== (given[other] === undefined) ? [] : [`${path}: must have either ${one} or ${other}`]
  }
}

export function all(...checks: readonly Check[]): Check {
  return (...given) => checks.flatMap((check) => check(...given))
}
