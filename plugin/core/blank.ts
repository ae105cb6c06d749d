/** Blanks that `trim()` does not remove: next line, and blanks without a width. */
const MORE_BLANKS = '\u0085\u180e\u200b\u2060'

/** True for an empty value: undefined, null, or text that consists of blanks. */
export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && trimmed(value) === '')
}

/** Removes the blanks around a text, also those of other alphabets. Takes linear time. */
export function trimmed(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isBlankAt(text, start)) start += 1
  while (end > start && isBlankAt(text, end - 1)) end -= 1
  return text.slice(start, end)
}

function isBlankAt(text: string, index: number): boolean {
  const character = text.charAt(index)
  return MORE_BLANKS.includes(character) || character.trim() === ''
}
