/**
 * Numbers of JSON texts with their digits as they were sent (ADR 84). `JSON.parse` makes other numbers of some of them: ids with
 * 19 digits end in zeros, and `1.0` becomes `1`.
 */
import { withoutEnd, withoutStart } from './text/trim.js'

/** A number that was sent with other digits than JavaScript writes it with: `6543210987654321001`, `1.0`, `1E400`. */
export class SentNumber {
  readonly #digits: string

  /** @param digits a number as JSON has it */
  constructor(digits: string) {
    this.#digits = digits
  }

  /** The number; null if it cannot be kept exactly. */
  get exact(): number | null {
    const number = Number(this.#digits)
    return Number.isFinite(number) && inNormalForm(this.#digits) === inNormalForm(String(number)) ? number : null
  }

  /** The digits as they were sent. */
  toString(): string {
    return this.#digits
  }

  /** Digests of bodies have the digits, so that bodies which differ in nothing else are different ones. */
  toJSON(): string {
    return this.#digits
  }
}

/** The value, or the text of its digits if it is a number that keeps them. */
export function digitsOf(value: unknown): unknown {
  return value instanceof SentNumber ? String(value) : value
}

/** The value, or the number that keeps its digits; NaN if it cannot be kept exactly. */
export function numberOf(value: unknown): unknown {
  return value instanceof SentNumber ? (value.exact ?? Number.NaN) : value
}

/** True for a number in digits that JavaScript keeps exactly: not 9007199254740993. */
export function isExact(digits: string): boolean {
  return new SentNumber(digits).exact !== null
}

/**
 * True for a whole number of which JavaScript does not keep all digits. Bodies have it only if a program or a body parser of the
 * host has made it: nobody knows which number was meant.
 */
export function isLost(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(Number(value)) < WITH_EXPONENT
}

/** From here on JavaScript writes numbers with an exponent: no ids, but sizes. */
const WITH_EXPONENT = 1e21

/** True for digits that a plain number does not tell. */
function isOther(digits: string): boolean {
  const number = Number(digits)
  return String(number) !== digits || isLost(number)
}

/** The shortest text of a decimal number that all its spellings share: `12e1` for 120, 120.0 and 1.2E2. */
function inNormalForm(number: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] = /^([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i.exec(number) ?? []
  const all = withoutStart(whole + fraction, '0')
  const digits = withoutEnd(all, '0')
  if (digits === '') return '0'
  return `${sign === '-' ? '-' : ''}${digits}e${Number(power) - fraction.length + all.length - digits.length}`
}

/**
 * Finds texts that may hold such a number: one of 16 digits or more, with a point or an exponent, or minus zero. Most bodies hold
 * none, and are parsed once.
 */
const MAY_DIFFER = /[[,:\s](?:-0(?=[\s,\]}])|-?(?:\d{16}|\d+[.eE]))/
/** What begins a string, which is left out, or a whole number of JSON. */
const STRING_OR_NUMBER = /"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/g

/** True if the text may hold a number that `JSON.parse` would change. */
export function mayHoldOthers(text: string): boolean {
  return MAY_DIFFER.test(text)
}

/**
 * A JSON text in which numbers that `JSON.parse` would change are strings that begin with a mark.
 *
 * @param text JSON, which was parsed before
 * @param mark a text that no string in it begins with
 * @param endOfString where the string that begins at an index ends
 */
export function markNumbers(text: string, mark: string, endOfString: (text: string, start: number) => number): string {
  let marked = ''
  let copied = 0
  STRING_OR_NUMBER.lastIndex = 0
  for (let found = STRING_OR_NUMBER.exec(text); found; found = STRING_OR_NUMBER.exec(text)) {
    const [digits] = found
    const { index } = found
    if (digits === '"') STRING_OR_NUMBER.lastIndex = endOfString(text, index) + 1
    else if (isOther(digits)) {
      marked += `${text.slice(copied, index)}"${mark}${digits}"`
      copied = index + digits.length
    }
  }
  return copied === 0 ? text : marked + text.slice(copied)
}
