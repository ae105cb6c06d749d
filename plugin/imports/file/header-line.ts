/** The first lines of a file: what other programs write above the column headers, and how these are separated. */

/** `sep=;` as spreadsheets write it, perhaps saved once more with empty cells behind it. */
const SEPARATOR_LINE = /^"?sep=([,;\t]?)[^\p{L}\p{N}]{0,2000}$/iu
/** `#TYPE Selected.System.Object`, from Export-Csv of Windows PowerShell. */
const TYPE_LINE = /^"?#TYPE\s/i

/** A line with cells, all of them empty. */
const EMPTY_LINE = /^[\s,;"]*$/

/** True for a line above the header that is none, nor data (behaviour: Import files). */
export function isAboveHeader(line: string): boolean {
  return [EMPTY_LINE, SEPARATOR_LINE, TYPE_LINE].some((pattern) => pattern.test(line.trimStart()))
}

/** The separator that a line above the header declares; null for other lines. */
export function declaredSeparator(line: string): string | null {
  return SEPARATOR_LINE.exec(line.trimStart())?.[1] || null
}

/** The separators of headers, those that count first among as many of each. */
export const SEPARATORS = [',', '\t', ';'] as const

/**
 * Returns the separator of the cells: the declared one if the header has it, else the character of which it has most outside
 * quotation marks; a comma if it has none.
 */
export function separatorOf(header: string, declared: string | null): string {
  if (declared !== null && header.includes(declared)) return declared
  // Text between quotation marks is at an odd index; a doubled quotation mark adds an empty text between.
  const bare = header.split('"').filter((_, index) => index % 2 === 0)
  const count = (character: string) => bare.reduce((sum, text) => sum + text.split(character).length - 1, 0)
  const counted = SEPARATORS.map((character) => ({ character, times: count(character) }))
  const most = Math.max(...counted.map(({ times }) => times))
  return counted.find(({ times }) => times === most)?.character ?? ','
}
