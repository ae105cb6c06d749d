/**
 * Reads JSON texts of callers within a budget of names, entries and levels. It is checked before the text is parsed: a text that
 * is nothing but names or brackets takes many times longer to parse than to look at (ADR 0048).
 */
import { randomUUID } from 'node:crypto'
import { BadRequest } from './errors.js'
import { markNumbers, mayHoldOthers, SentNumber } from './sent-number.js'

/** Maximum number of names in an object, be it the body or one inside of it. */
export const MAX_NAMES = 1_000
/**
 * Maximum number of lists, and of names in all objects, of a body together: several times as many as the largest lists of
 * sub-records have.
 */
const MAX_NAMES_AND_LISTS = 5_000
/** Maximum number of entries in all lists of a body together: as many as it may link under one name. */
const MAX_ENTRIES = 10_000
/** Maximum number of objects and lists within each other. */
const MAX_LEVELS = 32

/** What a text may have in all. */
export interface Budget {
  readonly namesAndLists: number
  readonly entries: number
  readonly levels: number
}

/** The budget of an object, and of any JSON text that is within one. */
const OF_OBJECT: Budget = { namesAndLists: MAX_NAMES_AND_LISTS, entries: MAX_ENTRIES, levels: MAX_LEVELS }

/**
 * The budget of an array of records (ADR 0057): each of them has that of an object, but all together only four times as many names
 * and lists, which is forty for each of 500 records.
 */
export const OF_ARRAY: Budget = {
  namesAndLists: 4 * MAX_NAMES_AND_LISTS,
  entries: 2 * MAX_ENTRIES,
  levels: MAX_LEVELS + 1,
}

/**
 * The value of a JSON text. Numbers that JavaScript would write with other digits are a `SentNumber` (ADR 84).
 *
 * @param revive as for `JSON.parse`
 * @param budget default: that of an object
 * @throws BadRequest if the text is over the budget, SyntaxError if it is not JSON
 */
export function parseWithin(text: string, revive?: (key: string, value: unknown) => unknown, budget?: Budget): unknown {
  checkBudget(text, budget)
  const value: unknown = JSON.parse(text, revive)
  return mayHoldOthers(text) ? withDigits(text, value, revive) : value
}

/** @param value of the text, which is therefore JSON: it is parsed a second time only if its numbers have changed */
function withDigits(
  text: string,
  value: unknown,
  revive: (key: string, value: unknown) => unknown = (_key, one) => one,
): unknown {
  // Nobody who wrote the text can have known it.
  const mark = randomUUID()
  const marked = markNumbers(text, mark, endOfString)
  if (marked === text) return value
  const isMarked = (one: unknown): one is string => typeof one === 'string' && one.startsWith(mark)
  return JSON.parse(marked, (key, one) => revive(key, isMarked(one) ? new SentNumber(one.slice(mark.length)) : one))
}

/**
 * @param all those of all objects until now, of this one too, and all lists
 * @throws BadRequest for an object with too many names, or a body with too many names and lists
 */
export function checkNames(count: number, all = count, { namesAndLists } = OF_OBJECT): void {
  if (count > MAX_NAMES) throw new BadRequest(`Body should not have more than ${MAX_NAMES} names in an object`)
  if (all > namesAndLists) throw new BadRequest(`Body should not have more than ${namesAndLists} names and lists`)
}

/** @throws BadRequest for a body with too many entries in its lists */
export function checkEntries(count: number, { entries } = OF_OBJECT): void {
  if (count > entries) throw new BadRequest(`Body should not have more than ${entries} entries in its lists`)
}

/** @throws BadRequest for an object or list that is too deep inside of others */
export function checkLevels(count: number, { levels } = OF_OBJECT): void {
  if (count > levels) throw new BadRequest(`Body should not be nested deeper than ${levels} levels`)
}

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
/** Stands in place of the names of an object, for a list. */
const IS_LIST = -1

/** Signs that are looked at one by one; then the next one that matters is searched for, which is faster in numbers and blanks. */
const ONE_BY_ONE = 32
const COUNTED = /["[\]{},:]/g
const NOT_BLANK = /[^\0- ]/g
const IN_STRING = /["\\]/g

/**
 * Counts without checking that the text is JSON: whatever it is, it is parsed only if these signs are few.
 *
 * @param budget default: that of an object
 * @throws BadRequest if the text is over the budget
 */
export function checkBudget(text: string, budget: Budget = OF_OBJECT): void {
  /** The number of names so far, of each object that is open. */
  const open: number[] = []
  let [entries, all] = [0, 0]
  let isNewList = false
  for (let [index, turn] = [0, 1]; index < text.length; index++, turn++) {
    if (turn % ONE_BY_ONE === 0) index = next(isNewList ? NOT_BLANK : COUNTED, text, index)
    const sign = text.charCodeAt(index)
    if (sign <= SPACE) continue
    if (isNewList && sign !== CLOSE_LIST) checkEntries(++entries, budget)
    isNewList = sign === OPEN_LIST
    if (isNewList) checkNames(0, ++all, budget)
    const last = open.length - 1
    if (sign === QUOTE) index = endOfString(text, index)
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) checkLevels(open.push(isNewList ? IS_LIST : 0), budget)
    else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) open.pop()
    else if (sign === COMMA && open[last] === IS_LIST) checkEntries(++entries, budget)
    else if (sign === COLON && (open[last] ?? IS_LIST) !== IS_LIST) {
      const names = (open[last] ?? 0) + 1
      checkNames(names, ++all, budget)
      open[last] = names
    }
  }
}

function endOfString(text: string, start: number): number {
  // Long texts rarely contain quotes: searching is many times faster than looking at each character.
  const quote = text.indexOf('"', start + 1)
  if (quote < 0 || text.charCodeAt(quote - 1) !== BACKSLASH) return quote < 0 ? text.length : quote
  let index = start + 1
  for (let turn = 1; index < text.length; index++, turn++) {
    if (turn % ONE_BY_ONE === 0) index = next(IN_STRING, text, index)
    const sign = text.charCodeAt(index)
    if (sign === BACKSLASH) index++
    else if (sign === QUOTE) break
  }
  return index
}

/** Where the next of the signs is; the end of the text if there is none. */
function next(signs: RegExp, text: string, from: number): number {
  signs.lastIndex = from
  return signs.test(text) ? signs.lastIndex - 1 : text.length
}
