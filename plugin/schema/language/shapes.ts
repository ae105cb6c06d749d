/**
 * The shape of data that authors may write without TypeScript: its names and kinds of values. Reports all differences at once,
 * each with its path.
 */
import { SentNumber } from '../../core/sent-number.js'
import { suggestion } from '../../core/text/nearest.js'
import { shown } from '../../core/text/shown.js'

/** The shape that a value must have. */
export type Shape =
  | 'text'
  | 'number'
  | 'boolean'
  /** Data that JSON can represent. */
  | 'json'
  /** A list of these. */
  | { readonly list: Shape }
  /** An object whose names its author chooses. */
  | { readonly named: Shape }
  /** An object with these names; `noun` is its name in messages. */
  | { readonly parts: { readonly [name: string]: Shape }; readonly required?: readonly string[]; readonly noun: string }
  /** One of these texts. */
  | { readonly words: readonly string[] }
  /** The first one that fits by its kind; `called` is their name in messages. */
  | { readonly either: readonly Shape[]; readonly called: string }
  /** A shape with a check of its own. */
  | { readonly check: (value: unknown, path: string, report: ReportAt) => void }

/** A list of texts. */
export const TEXTS: Shape = { list: 'text' }

/**
 * Reports a mistake at a path: `fields.name.max`.
 *
 * @param harmless true if the rest of the data can be checked nevertheless: an unknown name or word
 */
export type ReportAt = (path: string, text: string, harmless?: boolean) => void

/** Reports all places where the value does not have this shape. */
export function checkShape(value: unknown, shape: Shape, path: string, report: ReportAt): void {
  if (shape === 'json') {
    const wrong = unwritable(value)
    if (wrong !== null) report(path, `must be data that JSON can represent, without ${wrong}`)
  } else if (typeof shape === 'string') {
    if (!isPlain(value, shape)) report(path, `must be a ${shape}, not ${shown(value)}`)
  } else if ('list' in shape) {
    checkList(value, shape.list, path, report)
  } else if ('named' in shape) {
    checkNamed(value, shape.named, path, report)
  } else if ('parts' in shape) {
    checkParts(value, shape, path, report)
  } else if ('words' in shape) {
    checkWord(value, shape.words, path, report)
  } else if ('either' in shape) {
    const fit = shape.either.find((one) => fits(value, one))
    if (fit) checkShape(value, fit, path, report)
    else report(path, `must be ${shape.called}, not ${shown(value)}`)
  } else {
    shape.check(value, path, report)
  }
}

/** True for objects with names; false for lists and functions. */
export function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof SentNumber)
}

/** A path with one more name. */
export function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function checkList(value: unknown, shape: Shape, path: string, report: ReportAt): void {
  if (!Array.isArray(value)) report(path, `must be a list, not ${shown(value)}`)
  // Not entries(): in lists with holes it yields undefined.
  else for (let index = 0; index < value.length; index += 1) checkShape(value[index], shape, `${path}[${index}]`, report)
}

function checkNamed(value: unknown, shape: Shape, path: string, report: ReportAt): void {
  if (!isObject(value)) {
    report(path, `must be an object, not ${shown(value)}`)
    return
  }
  for (const [name, one] of Object.entries(value)) {
    if (name === '__proto__') report(below(path, name), 'this name is reserved')
    else checkShape(one, shape, below(path, name), report)
  }
}

function checkParts(value: unknown, shape: Extract<Shape, { parts: unknown }>, path: string, report: ReportAt): void {
  if (!isObject(value)) {
    report(path, `must be an object, not ${shown(value)}`)
    return
  }
  const { parts, required = [], noun } = shape
  for (const name of required) if (value[name] === undefined) report(below(path, name), 'is missing')
  for (const [name, one] of Object.entries(value)) {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined
    if (!part) report(path, `there is no '${name}' in ${noun}${suggestion(name, Object.keys(parts))}`, true)
    else if (one !== undefined) checkShape(one, part, below(path, name), report)
  }
}

function checkWord(value: unknown, words: readonly string[], path: string, report: ReportAt): void {
  if (words.some((word) => word === value)) return
  const isText = typeof value === 'string'
  report(path, `${shown(value)} is not one of ${words.join(', ')}${isText ? suggestion(value, words) : ''}`, isText)
}

/** The part of the value that JSON cannot represent; null if there is none. */
function unwritable(value: unknown, within: readonly unknown[] = []): string | null {
  if (value === null || ['string', 'boolean', 'undefined'].includes(typeof value)) return null
  if (typeof value !== 'object') return isPlain(value, 'number') ? null : shown(value)
  if (within.includes(value)) return 'an object that contains itself'
  for (const one of Object.values(value)) {
    const found = unwritable(one, [...within, value])
    if (found !== null) return found
  }
  return null
}

/** True if the value is of the kind of the shape, regardless of its content. */
function fits(value: unknown, shape: Shape): boolean {
  if (typeof shape === 'string') return shape === 'json' || isPlain(value, shape)
  if ('list' in shape) return Array.isArray(value)
  if ('named' in shape || 'parts' in shape) return isObject(value)
  if ('words' in shape) return shape.words.some((word) => word === value)
  return !('either' in shape) || shape.either.some((one) => fits(value, one))
}

function isPlain(value: unknown, kind: 'text' | 'number' | 'boolean'): boolean {
  if (kind === 'number') return typeof value === 'number' && Number.isFinite(value)
  return typeof value === (kind === 'text' ? 'string' : kind)
}
