/** Blanks that `trim()` does not remove: next line, and blanks without a width. */
const MORE_BLANKS = '\u0085\u180e\u200b\u2060'

/** True for an empty value: undefined, null, or text that consists of blanks. */
export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && trimmed(value) === '')
}

/** Removes the blanks around a text, also those of other alphabets. Takes linear time. */
export function trimmed(text: string): string {
  // The engine does most of it, many times as fast; a loop of it alone could take as many turns as there are kinds of blanks.
  const inner = text.trim()
  let [start, end] = [0, inner.length]
  while (start < end && isBlankAt(inner, start)) start += 1
  while (end > start && isBlankAt(inner, end - 1)) end -= 1
  return inner.slice(start, end)
}

function isBlankAt(text: string, index: number): boolean {
  const character = text.charAt(index)
  return MORE_BLANKS.includes(character) || character.trim() === ''
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
