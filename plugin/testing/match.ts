/** Compares a response with the expectations of a case, and describes each difference in a sentence. */
import { isDeepStrictEqual } from 'node:util'

/** Whether additional keys are allowed, or which ones. */
export type Additional = boolean | ReadonlySet<string>

/**
 * The differences between a value and the expected one; empty if they match.
 *
 * Texts for a kind of value: `@id` a positive integer, `@datetime` a timestamp with offset, `@text` a text with at least one
 * character, `@any` any value, null included, `@absent` no value. Objects with one of these keys test instead of comparing:
 * `$contains` (each of its elements matches one of the list's), `$each` (matches all elements, at least one), `$matches` (a
 * regular expression), `$length`.
 *
 * @param partial true if additional keys are allowed, at any depth; or the names of those that are
 */
export function differencesIn(expected: unknown, actual: unknown, partial: Additional, at = 'body'): readonly string[] {
  if (typeof expected === 'string' && expected.startsWith('@')) {
    const test = TESTS[expected]
    if (test) return test(actual) ? [] : [`${at} is ${shown(actual)}, not ${expected}`]
  }
  if (isObject(expected)) {
    const special = Object.keys(expected).filter((key) => key.startsWith('$'))
    if (special.length > 0) return special.flatMap((key) => specialDifferences(key, expected[key], actual, partial, at))
    if (!isObject(actual)) return [`${at} is ${shown(actual)}, not an object`]
    return objectDifferences(expected, actual, partial, at)
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [`${at} is ${shown(actual)}, not a list`]
    if (actual.length !== expected.length) {
      return [`${at} has ${actual.length} elements, not ${expected.length}: ${shown(actual)}`]
    }
    return expected.flatMap((one, index) => differencesIn(one, actual[index], partial, `${at}[${index}]`))
  }
  return isDeepStrictEqual(actual, expected) ? [] : [`${at} is ${shown(actual)}, not ${shown(expected)}`]
}

const TESTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  '@id': (value) => Number.isSafeInteger(value) && Number(value) > 0,
  '@datetime': (value) =>
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
  '@any': (value) => value !== undefined,
  '@text': (value) => typeof value === 'string' && value !== '',
  '@absent': (value) => value === undefined,
}

function objectDifferences(
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
  partial: Additional,
  at: string,
): readonly string[] {
  const isTolerated = (key: string) => partial === true || (partial !== false && partial.has(key))
  const unexpected = Object.keys(actual).filter((key) => !(key in expected) && !isTolerated(key))
  return [
    ...Object.entries(expected).flatMap(([key, one]) => differencesIn(one, actual[key], partial, `${at}.${key}`)),
    ...unexpected.map((key) => `${at}.${key} was not expected: ${shown(actual[key])}`),
  ]
}

function specialDifferences(
  key: string,
  expected: unknown,
  actual: unknown,
  partial: Additional,
  at: string,
): readonly string[] {
  if (key === '$matches') {
    const fits = typeof actual === 'string' && new RegExp(String(expected), 's').test(actual)
    return fits ? [] : [`${at} is ${shown(actual)} and does not match ${expected}`]
  }
  if (!Array.isArray(actual)) return [`${at} is ${shown(actual)}, not a list`]
  if (key === '$length') return actual.length === expected ? [] : [`${at} has ${actual.length} elements, not ${expected}`]
  if (key === '$each') {
    if (actual.length === 0) return [`${at} has no elements`]
    return actual.flatMap((one, index) => differencesIn(expected, one, partial, `${at}[${index}]`))
  }
  if (key === '$contains' && Array.isArray(expected)) {
    const missing = expected.filter((one) => !actual.some((other) => differencesIn(one, other, partial).length === 0))
    return missing.map((one) => `${at} contains nothing like ${shown(one)}: ${shown(actual)}`)
  }
  return [`${at}: unknown test ${key}`]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shown(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value)
  return text.length > 600 ? `${text.slice(0, 600)}…` : text
}
