/** Files that are recognizably neither CSV nor TSV, or not in an encoding that we read, with what to do about them. */

/** Bytes that are enough to recognize a file by. */
export const HEAD_BYTES = 512

const EXPORT = 'export the table as a CSV file in UTF-8 and upload that'
const SIGNATURES: readonly (readonly [bytes: readonly number[], message: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], `The file is a ZIP archive or an Excel workbook (.xlsx): ${EXPORT}`],
  [[0xd0, 0xcf, 0x11, 0xe0], `The file is an Excel workbook (.xls): ${EXPORT}`],
  [[0x25, 0x50, 0x44, 0x46], `The file is a PDF document: ${EXPORT}`],
  [[0x1f, 0x8b], 'The file is compressed with gzip: decompress it and upload the CSV file'],
  [[0xfe, 0xff], 'The file is in UTF-16BE: save it in UTF-8, or in UTF-16LE with a byte order mark'],
]

/** Shares of bytes, and of NULs, that show UTF-16: column headers are mostly ASCII, which has a NUL in every other byte there. */
const MIN_NULS = 0.3
const MIN_ALIKE = 0.9

/**
 * The message for a file that cannot be imported whatever its rows are; null when nothing speaks against reading it.
 *
 * @param head the first bytes of the file: all of them, or at least `HEAD_BYTES`
 */
export function mistakenFormat(head: Uint8Array): string | null {
  const known = SIGNATURES.find(([bytes]) => bytes.every((byte, index) => head[index] === byte))
  if (known) return known[1]
  const isMarked = head[0] === 0xff && head[1] === 0xfe
  if (isMarked || head.length === 0) return null
  const bytes = [...head.subarray(0, HEAD_BYTES)]
  const nulsAt = (rest: number) => bytes.filter((byte, index) => byte === 0 && index % 2 === rest).length
  const [even, odd] = [nulsAt(0), nulsAt(1)]
  const most = Math.max(even, odd)
  if (most < MIN_NULS * bytes.length || most < MIN_ALIKE * (even + odd)) return null
  const encoding = odd > even ? 'UTF-16LE' : 'UTF-16BE'
  return `The file is in ${encoding} without a byte order mark: save it in UTF-8, or in UTF-16LE with a byte order mark`
}
