/** A file that somebody has chosen for an import: how it is written, its headers, and the form in which it is sent. */

import type { TextKey } from '../../core/texts.js'
import { lineOf, rowsOf, type Separator, separatorOf } from './csv-text.js'

/** Bytes that the API accepts (behaviour: Import jobs). */
export const MOST_BYTES = 20_971_520

/** Ways of writing characters among which people choose if a file is not UTF-8. */
export const ENCODINGS: readonly string[] = ['windows-1252', 'windows-1250', 'macintosh', 'utf-8']

export interface ImportFile {
  readonly name: string
  readonly size: number
  readonly bytes: ArrayBuffer
  readonly encoding: string
  /** True if the bytes are not UTF-8, and nothing in them says what they are. */
  readonly isGuess: boolean
  readonly separator: Separator
  readonly headers: readonly string[]
  /** The first rows, for people to see what is in a column. */
  readonly samples: readonly (readonly string[])[]
  /** Rows below the headers. */
  readonly rows: number
}

/** A file that cannot be imported; the message is the key of a text. */
export class UnusableFile extends Error {
  readonly text: TextKey
  constructor(text: TextKey) {
    super(text)
    this.text = text
  }
}

const SAMPLES = 3
/** First bytes of files that are something else. */
const OTHERS: readonly (readonly [bytes: readonly number[], text: TextKey])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'file_is_spreadsheet'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'file_is_spreadsheet'],
  [[0x25, 0x50, 0x44, 0x46], 'file_is_other'],
  [[0x1f, 0x8b], 'file_is_other'],
]

/**
 * Reads a file.
 *
 * @param encoding chosen by the person; found out without it
 * @throws UnusableFile for an empty or too large file, and for one that is no text
 */
export async function readFile(file: File, encoding?: string): Promise<ImportFile> {
  if (file.size === 0) throw new UnusableFile('file_is_empty')
  if (file.size > MOST_BYTES) throw new UnusableFile('file_is_large')
  const bytes = await file.arrayBuffer().catch(() => {
    throw new UnusableFile('file_is_gone')
  })
  return readBytes(file.name, bytes, encoding)
}

/** Reads the bytes again, as if they were written in another encoding. */
export function readBytes(name: string, bytes: ArrayBuffer, encoding?: string): ImportFile {
  const start = new Uint8Array(bytes, 0, Math.min(512, bytes.byteLength))
  const other = OTHERS.find(([known]) => known.every((byte, index) => start[index] === byte))
  if (other) throw new UnusableFile(other[1])
  const found = encodingOf(bytes, start)
  const used = encoding ?? found ?? 'windows-1252'
  const text = new TextDecoder(used).decode(bytes)
  if (text.slice(0, 512).includes('\0')) throw new UnusableFile('file_is_other')
  const separator = separatorOf(/^[^\r\n]*/.exec(text)?.[0] ?? '')
  let headers: readonly string[] | null = null
  const samples: (readonly string[])[] = []
  let rows = 0
  for (const cells of rowsOf(text, separator)) {
    if (cells.every((cell) => cell.trim() === '')) continue
    if (headers === null) headers = cells
    else {
      rows++
      if (samples.length < SAMPLES) samples.push(cells)
    }
  }
  if (headers === null) throw new UnusableFile('file_is_empty')
  if (rows === 0) throw new UnusableFile('file_has_no_rows')
  return {
    name,
    size: bytes.byteLength,
    bytes,
    encoding: used,
    isGuess: found === null,
    separator,
    headers,
    samples,
    rows,
  }
}

/** The encoding that the bytes tell; null if they do not. */
function encodingOf(bytes: ArrayBuffer, start: Uint8Array): string | null {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  const nulsAt = (rest: number) => start.filter((byte, index) => byte === 0 && index % 2 === rest).length
  // Headers are mostly ASCII, of which every other byte is zero in UTF-16.
  if (nulsAt(1) > start.length * 0.3) return 'utf-16le'
  if (nulsAt(0) > start.length * 0.3) return 'utf-16be'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return 'utf-8'
  } catch {
    return null
  }
}

/** True if the API reads the file only after it was written again, in UTF-8 with commas. */
export function isConverted({ bytes, encoding, separator }: ImportFile): boolean {
  const start = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength))
  const isRead = encoding === 'utf-8' || (encoding === 'utf-16le' && start[0] === 0xff && start[1] === 0xfe)
  return !isRead || separator === ';'
}

/** What is sent: the bytes as they were read, so that a trial and the import have the same rows whatever becomes of the file. */
export function sentFile(file: ImportFile): File {
  if (!isConverted(file)) return new File([file.bytes], file.name, { type: 'text/csv' })
  const text = new TextDecoder(file.encoding).decode(file.bytes)
  // Empty lines stay, so that the numbers of lines are those of the person's file.
  const lines = [...rowsOf(text, file.separator)].map(lineOf)
  return new File([`${lines.join('\n')}\n`], file.name, { type: 'text/csv' })
}

/** True if the file on the disk has changed since it was read, as far as the browser tells. */
export async function hasChanged(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => false,
      () => true,
    )
}
