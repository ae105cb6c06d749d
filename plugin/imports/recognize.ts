/** Files that are recognizably neither CSV nor TSV, or not in an encoding that we read, with what to do about them. */
import type { Params } from '../core/errors.js'

/** Bytes that are enough to recognize a file by. */
export const HEAD_BYTES = 512

/** What a file is mistaken for, as the code of a sentence, by its first bytes. */
const SIGNATURES: readonly (readonly [bytes: readonly number[], code: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'xlsx_file'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'xls_file'],
  [[0x25, 0x50, 0x44, 0x46], 'pdf_file'],
  [[0x1f, 0x8b], 'gzip_file'],
  [[0xfe, 0xff], 'utf16be_file'],
]

/** Shares of bytes, and of NULs, that show UTF-16: column headers are mostly ASCII, which has a NUL in every other byte there. */
const MIN_NULS = 0.3
const MIN_ALIKE = 0.9

/**
 * The code and values of the sentence for a file that cannot be imported whatever its rows are; null when nothing speaks against reading it.
 *
 * @param head the first bytes of the file: all of them, or at least `HEAD_BYTES`
 */
export function mistakenFormat(head: Uint8Array): readonly [code: string, params: Params] | null {
  const known = SIGNATURES.find(([bytes]) => bytes.every((byte, index) => head[index] === byte))
  if (known) return [known[1], {}]
  const isMarked = head[0] === 0xff && head[1] === 0xfe
  if (isMarked || head.length === 0) return null
  const bytes = [...head.subarray(0, HEAD_BYTES)]
  const nulsAt = (rest: number) => bytes.filter((byte, index) => byte === 0 && index % 2 === rest).length
  const [even, odd] = [nulsAt(0), nulsAt(1)]
  const most = Math.max(even, odd)
  if (most < MIN_NULS * bytes.length || most < MIN_ALIKE * (even + odd)) return null
  return ['unmarked_utf16', { encoding: odd > even ? 'UTF-16LE' : 'UTF-16BE' }]
}
