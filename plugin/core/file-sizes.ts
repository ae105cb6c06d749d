import type { Violation } from './errors.js'

/** Bytes of the largest file that is taken in, unless the host says otherwise (gaps 4.1, 6.15). */
export const LARGEST_FILE = 20_971_520

/** What is wrong with a file of more bytes than the limit. */
export function tooBig(field: string, limit: number): Violation {
  return [field, 'file_too_big', { max: Number((limit / 2 ** 20).toFixed(limit < 2 ** 20 ? 3 : 1)) }]
}
