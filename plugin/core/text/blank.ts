/** Finds what is not blank. Blanks that `trim()` does not remove count as well: next line, and blanks without a width. */
const NOT_BLANK = /[^\s\u0085\u180e\u200b\u2060]/

/** Finds what can be seen: no blank, no fillers of Korean and Braille, nothing that is only there for others (behaviour: Identity). */
const SEEN = /[^\s\u0085\u115f\u1160\u2800\u3164\uffa0\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** True for an empty value: undefined, null, or text without any character that can be seen. */
export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && !SEEN.test(value))
}

/** Removes the blanks around a text, also those of other alphabets. Takes linear time. */
export function trimmed(text: string): string {
  const start = text.search(NOT_BLANK)
  if (start < 0) return ''
  let end = text.length
  // Many at once first: there may be millions.
  for (const step of [1_000, 1]) while (!NOT_BLANK.test(text.slice(Math.max(start, end - step), end))) end -= step
  return text.slice(start, end)
}

/** What ends a line in any program: CR, LF, both together, and the rarer signs, that for the next line among them. */
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g

/** The text with a blank in place of each line break. */
export function onOneLine(text: string): string {
  return text.replace(LINE_BREAK, ' ')
}

/** A value of a field with one line: without the blanks around it, and with a blank in place of each line break within it. */
export function lineOf(text: string): string {
  return onOneLine(trimmed(text))
}
