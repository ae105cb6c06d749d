import { createHash, hash } from 'node:crypto'

/**
 * Returns a digest of 64 characters, by which an index finds equal notes (behaviour: Event submission). Texts that differ only
 * in line ends, and in blanks at the ends of lines, have the same digest.
 */
export function textDigest(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const plain = lines.map((line) => line.trimEnd()).join('\n')
  return createHash('sha256').update(plain.trimEnd()).digest('hex')
}

/** Stands for the digest of a text that is not there, so that an index finds records without one. */
const NO_TEXT = 'none'

/** The digest of a text, or `none` without one. */
export function textDigestOrNone(text: string | null): string {
  return text === null ? NO_TEXT : textDigest(text)
}

/** A digest of values: the same for values that are the same as JSON. */
export function digestOf(...values: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(values))
}
