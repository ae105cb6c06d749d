/** Reports of an import: its progress, its mail, and the URL of its log. */
import { isSignedQuery, type SignedQuery, signedQuery } from '../../access/tokens/signatures.js'
import { instantOf } from '../../core/clock.js'
import type { MailValues } from '../../words/mails/mail.js'
import type { ImportRow } from './import-rows.js'
import type { Results } from './results.js'

export type Progress =
  | { readonly state: 'queued' }
  | { readonly state: 'processing'; readonly line: number }
  | { readonly state: 'done'; readonly results: Results; readonly logfile: string }
  | { readonly state: 'error'; readonly message: string; readonly results: Results; readonly logfile: string }

/** Seconds for which the URL of a log works (behaviour: Import jobs). */
const ADDRESS_LASTS = 172_800
const USE = 'import log'

/** Returns the response of GET /import/:token (spec, Batch import). */
export function progressOf(row: ImportRow, logfile: string): Progress {
  const { results } = row
  switch (row.state) {
    case 'queued':
      return { state: 'queued' }
    case 'processing':
      return { state: 'processing', line: Math.max(1, row.line) }
    case 'done':
      return { state: 'done', results, logfile }
    case 'error':
      return { state: 'error', message: row.message ?? '', results, logfile }
  }
}

/** Returns the values of the summary mail. */
export function mailParams(row: ImportRow, log: string): MailValues {
  return {
    ...row.results,
    type: row.type,
    file_name: row.fileName,
    started_at: row.startedAt ? instantOf(row.startedAt) : '',
    finished_at: row.finishedAt ? instantOf(row.finishedAt) : '',
    message: row.message ?? '',
    log,
  }
}

/** Returns the URL of a log. Anyone with it may read the log for 48 hours without credentials. */
export function signedAddress(baseUrl: string, secret: string, logName: string, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + ADDRESS_LASTS
  return `${baseUrl}/imports/${logName}?${signedQuery(secret, USE, logName, expires)}`
}

/** True if the signature of a log URL is valid and has not expired. */
export function isSigned(secret: string, logName: string, query: SignedQuery, now: Date): boolean {
  return isSignedQuery(secret, USE, logName, query, now)
}
