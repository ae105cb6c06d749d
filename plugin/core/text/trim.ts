/** Removes repeated characters at the ends of texts in linear time: `/x+$/` is quadratic for a text of many `x`. */

/** The text without these characters at its end. */
export function withoutEnd(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}

/** The text without these characters at its beginning. */
export function withoutStart(text: string, character: string): string {
  let start = 0
  while (start < text.length && text[start] === character) start++
  return text.slice(start)
}
