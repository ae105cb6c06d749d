import { createHash } from 'node:crypto'

/**
 * The same for texts that differ only in line ends and in blanks at the ends of lines, so that equal notes are found by an index
 * (behaviour: Event submission). 64 characters.
 */
export function textDigest(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const plain = lines.map((line) => line.trimEnd()).join('\n')
  return createHash('sha256').update(plain.trimEnd()).digest('hex')
}
