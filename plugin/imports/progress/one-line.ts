/** Line ends, other control characters, and those that change the direction of the text around them. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/**
 * Returns the beginning of a text without line breaks and control characters, so that values of a file cannot forge log lines.
 *
 * @param max characters; a longer text ends with `…`
 */
export function oneLine(text: string, max: number): string {
  // Only twice the maximum is processed, so that leading blanks do not use it up and long texts cost nothing.
  const single = text
    .slice(0, 2 * max)
    .replace(UNPRINTABLE, ' ')
    .split(' ')
    .filter((word) => word !== '')
    .join(' ')
  const isCut = single.length > max || text.length > 2 * max
  return isCut ? `${single.slice(0, max)}…` : single
}
