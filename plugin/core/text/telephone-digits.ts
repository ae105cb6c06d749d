/** Compares telephone numbers by their digits, from the last one on (behaviour: Telephone lookup). */

/** Minimum number of digits: fewer would match too many people. */
export const MIN_DIGITS = 5

/** Maximum number of digits that are compared. Telephone numbers have at most 15. */
export const MAX_DIGITS = 32

/**
 * The digits of a number in reverse order, at most 32: two numbers with the same end then begin alike. Zeros at the beginning
 * of the number are omitted, because they are a dialing prefix: 06 1234 5678 is +31 6 1234 5678.
 */
export function reversedDigits(number: string): string {
  const digits = number.replace(/[^0-9]/g, '').replace(/^0+/, '')
  return [...digits.slice(-MAX_DIGITS)].reverse().join('')
}
