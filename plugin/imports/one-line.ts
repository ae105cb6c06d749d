/** Line ends, other control characters, and those that change the direction of the text around them. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/**
 * The beginning of a text on one line, without control characters: values of a file must not be able to forge lines of a log.
 *
 * @param max characters; a longer text ends with `…`
 */
export function oneLine(text: string, max: number): string {
  // Twice the length is looked at, so that blanks in front do not use it up. The rest costs nothing, however long it is.
  const single = text
    .slice(0, 2 * max)
    .replace(UNPRINTABLE, ' ')
    .split(' ')
    .filter((word) => word !== '')
    .join(' ')
  const isCut = single.length > max || text.length > 2 * max
  return isCut ? `${single.slice(0, max)}…` : single
}
