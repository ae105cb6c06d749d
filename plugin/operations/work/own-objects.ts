/**
 * Objects and lists in rows (`json`, `strings`). Functions can change them in place, so rows that are shared have frozen ones, and
 * rows that a function may change have their own.
 */
import type { RecordType } from '../../schema/catalog.js'
import { isDeeper, isPlainJson, MAX_JSON_DEPTH, valuesOf } from '../../schema/kinds/values/json-values.js'
import type { Row } from '../../schema/language/define-rule.js'

/** Freezes the row with its objects and lists. */
export function frozenRow<R extends Row>(type: RecordType, row: R): Readonly<R> {
  for (const column of type.objectColumns) freeze(row[column])
  return Object.freeze(row)
}

/** Replaces objects and lists that the row shares with others by copies. @param given values of the body */
export function giveOwnObjects(type: RecordType, row: { [column: string]: unknown }, given: Row): void {
  for (const column of type.objectColumns) {
    const value = row[column]
    if (Object.isFrozen(value) || value === given[column]) row[column] = copyOf(value)
  }
}

/** A copy of the row, with objects and lists of its own. */
export function withCopies(type: RecordType, row: Row): Row {
  const own = type.objectColumns.map((column) => [column, copyOf(row[column] ?? null)])
  return { ...row, ...Object.fromEntries(own) }
}

/** The value, or its copy if it can be changed in place. What is no JSON stays as it is: it will be refused. */
export function copyOf<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  return isDeeper(value, MAX_JSON_DEPTH) || !isPlainJson(value) ? value : (copied(value) as T)
}

/** True for the same value, and for objects and lists with the same content. */
export function isSame(one: unknown, other: unknown): boolean {
  return Object.is(one, other) || isSameJson(one, other, MAX_JSON_DEPTH)
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const inner of valuesOf(value)) freeze(inner)
}

// By hand: the functions of Node cost ten times as much, and saves of many records call these for each of them.
function copied(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copied)
  const copy: { [name: string]: unknown } = {}
  // `__proto__` would set the prototype of the copy instead: stored values have no such name.
  for (const name of Object.keys(value)) if (name !== '__proto__') copy[name] = copied((value as typeof copy)[name])
  return copy
}

function isSameJson(one: unknown, other: unknown, levels: number): boolean {
  if (Object.is(one, other)) return true
  if (levels === 0 || !isPlain(one) || !isPlain(other) || Array.isArray(one) !== Array.isArray(other)) return false
  if (Array.isArray(one) && Array.isArray(other)) return areSameLists(one, other, levels - 1)
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  return names.every((name) => Object.hasOwn(other, name) && isSameJson(one[name], other[name], levels - 1))
}

function areSameLists(one: readonly unknown[], other: readonly unknown[], levels: number): boolean {
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index++) if (!isSameJson(one[index], other[index], levels)) return false
  return true
}

function isPlain(value: unknown): value is { readonly [name: string]: unknown } {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}
