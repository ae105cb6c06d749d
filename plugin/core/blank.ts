/** Blanks that `trim()` leaves: next line, and those without a width. */
const MORE_BLANKS = '\u0085\u180e\u200b\u2060'

/** True for a value that says nothing: a missing one, null, and text without any character but blanks. */
export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && trimmed(value) === '')
}

/** The text without the blanks around it, those of other alphabets too. Looks at each of them once, however many there are. */
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
