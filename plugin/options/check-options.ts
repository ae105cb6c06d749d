/**
 * Checks the options of `createPlugin` by their table, and lists all mistakes at once: first in names and kinds, then in
 * values.
 */
import { InvalidOptions } from '../core/errors.js'
import { suggestion } from '../core/text/nearest.js'
import type { Rows } from './option.js'
import { OPTIONS } from './table.js'

type Given = { readonly [name: string]: unknown }

/** New names of options, for old names that are not similar to them. */
const RENAMED: { readonly [name: string]: string } = {
  mysql: 'database',
  rules: 'records, whose definitions hold rules',
  'files.addressesLast': 'files.urlLifetimeMs, in milliseconds',
  'rateLimit.burstSeconds': 'rateLimit.burstMs, in milliseconds',
}

/**
 * Checks everything that can be checked without I/O and without the definitions.
 *
 * @throws InvalidOptions with all mistakes
 */
export function checkOptions(options: unknown): void {
  if (!isGroup(options)) throw new InvalidOptions(['the options must be an object'])
  const mistakes = [...mistakesInNames('', options, OPTIONS), ...mistakesInValues('', options, OPTIONS, options)]
  if (mistakes.length > 0) throw new InvalidOptions(mistakes)
}

/** Mistakes in the names and kinds of these options, then in those of the groups among them. */
function mistakesInNames(path: string, given: Given, rows: Rows): string[] {
  const mistakes: string[] = []
  // Inherited options are read like own ones.
  for (const name in given) {
    const value = given[name]
    const kind = Object.hasOwn(rows, name) ? rows[name]?.kind : undefined
    if (kind === undefined) {
      if (Object.hasOwn(given, name)) mistakes.push(`${path}${name}: there is no such option${hint(path, name, rows)}`)
      continue
    }
    const fits = kind.split(' or ').some((one) => isOfKind(value, one))
    if (value !== undefined && !fits) mistakes.push(`${path}${name}: must be ${nounOf(kind, value)}`)
  }
  const inGroups = groupsIn(given, rows).flatMap(([name, group, inner]) => mistakesInNames(`${path}${name}.`, group, inner))
  return [...mistakes, ...inGroups]
}

/** Mistakes in the values. Those of a wrong kind are mostly passed over. */
function mistakesInValues(path: string, given: Given, rows: Rows, options: Given): string[] {
  const groups = new Map(groupsIn(given, rows).map(([name, ...group]) => [name, group]))
  return Object.entries(rows).flatMap(([name, { check }]) => {
    const own = check ? check(given[name], `${path}${name}`, options) : []
    const group = groups.get(name)
    return group ? [...own, ...mistakesInValues(`${path}${name}.`, ...group, options)] : own
  })
}

/** The groups that are given, with their rows. */
function groupsIn(given: Given, rows: Rows): (readonly [name: string, group: Given, rows: Rows])[] {
  return Object.entries(rows).flatMap(([name, row]) => {
    const value = given[name]
    return row.rows && isGroup(value) ? [[name, value, row.rows] as const] : []
  })
}

function hint(path: string, name: string, rows: Rows): string {
  const key = `${path}${name}`
  return Object.hasOwn(RENAMED, key) ? `; it is called ${RENAMED[key]}` : suggestion(name, Object.keys(rows))
}

function nounOf(kind: string, value: unknown): string {
  if (kind === 'group') return typeof value === 'object' && value !== null ? 'a plain object' : 'an object'
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`
}

function isOfKind(value: unknown, kind: string): boolean {
  if (kind === 'array') return Array.isArray(value)
  if (kind === 'group') return isGroup(value)
  return typeof value === kind && value !== null
}

/** True for objects with named options. Refuses lists, maps and dates: their content would be ignored. */
function isGroup(value: unknown): value is Given {
  if (typeof value !== 'object' || value === null) return false
  return ['[object Object]', '[object Module]'].includes(Object.prototype.toString.call(value))
}
