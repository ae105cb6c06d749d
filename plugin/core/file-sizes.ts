import type { Violation } from './errors.js'

/** Default maximum size of a file in bytes (behaviour: Import jobs, Attachments). */
export const MAX_FILE_BYTES = 20_971_520

/** Violation of a file that is larger than the limit. */
export function tooBig(field: string, limit: number): Violation {
  return [field, 'file_too_big', { max: Number((limit / 2 ** 20).toFixed(limit < 2 ** 20 ? 3 : 1)) }]
}
