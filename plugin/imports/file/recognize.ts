/** Recognizes files that are neither CSV nor TSV, or in another encoding, so that the message can say what to do. */
import type { Params } from '../../core/errors.js'

/** Number of bytes that are enough to recognize a file. */
export const HEAD_BYTES = 512

/** Codes of messages by the first bytes of a file. */
const SIGNATURES: readonly (readonly [bytes: readonly number[], code: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'xlsx_file'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'xls_file'],
  [[0x25, 0x50, 0x44, 0x46], 'pdf_file'],
  [[0x1f, 0x8b], 'gzip_file'],
  [[0xfe, 0xff], 'utf16be_file'],
]

/** Minimum shares of NUL bytes in UTF-16: column headers are mostly ASCII, where every other byte is NUL. */
const MIN_NULS = 0.3
const MIN_ALIKE = 0.9

/**
 * Returns the code and values of the message for a file that cannot be imported; null if the file may be readable.
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
