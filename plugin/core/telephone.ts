/** Telephone numbers as they are compared: by their digits, from the last one on (gaps 2.6). */

/** Fewer digits say too little to find somebody. */
export const FEWEST_DIGITS = 5

/** Of longer numbers only the last digits count; those of the world have 15 at most. */
export const MOST_DIGITS = 32

/**
 * The digits of a number, the last one first, at most 32 of them: two numbers with the same end begin alike. Zeros at the
 * beginning of the number are left away, since they say how to dial it: 06 1234 5678 is +31 6 1234 5678.
 */
export function reversedDigits(number: string): string {
  const digits = number.replace(/[^0-9]/g, '').replace(/^0+/, '')
  return [...digits.slice(-MOST_DIGITS)].reverse().join('')
}
