import { createHash } from 'node:crypto'

/**
 * The first `max` characters of a text, counted as databases count them. `slice` counts an emoji as two, and may leave half of
 * one, which cannot be stored.
 */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : [...text].slice(0, max).join('')
}

/** Number of characters of the checksum at the end of a text that is cut, and what separates it. */
const CHECKSUM_LENGTH = 8
const SEPARATOR = '~'

/** The text; one with more than `max` characters is cut, and ends with a checksum of the whole, so that different texts stay different. */
export function cutWithChecksum(text: string, max: number): string {
  if (cut(text, max) === text) return text
  const checksum = createHash('sha256').update(text).digest('hex').slice(0, CHECKSUM_LENGTH)
  return cut(text, max - CHECKSUM_LENGTH - SEPARATOR.length) + SEPARATOR + checksum
}

/** The beginning of a text that has at most `max` bytes in UTF-8, without half a character at its end. */
export function cutToBytes(text: string, max: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= max) return text
  let end = max
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end).toString()
}
