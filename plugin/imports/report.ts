/** What an import tells about itself: progress, mail, and the address of its log. */
import { isSignature, signatureOf } from '../access/signatures.js'
import { momentOf } from '../core/clock.js'
import type { MailParams } from '../core/words/index.js'
import type { ImportRow } from './import-rows.js'
import type { Results } from './results.js'

export type Progress =
  | { readonly state: 'queued' }
  | { readonly state: 'processing'; readonly line: number }
  | { readonly state: 'done'; readonly results: Results; readonly logfile: string }
  | { readonly state: 'error'; readonly message: string; readonly results: Results; readonly logfile: string }

/** Seconds for which the address of a log works (gaps 4.1). */
const ADDRESS_LASTS = 172_800
const USE = 'import log'

/** What GET /import/:token answers (spec, Batch import). */
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

/** The values of the summary mail. */
export function mailParams(row: ImportRow, accountName: string, log: string): MailParams<'import_completed' | 'import_failed'> {
  return {
    ...row.results,
    type: row.type,
    file_name: row.fileName,
    account: accountName,
    started_at: row.startedAt ? momentOf(row.startedAt) : '',
    finished_at: row.finishedAt ? momentOf(row.finishedAt) : '',
    message: row.message ?? '',
    log,
  }
}

/** The address of a log: whoever has it may read the log for 48 hours, without credentials. */
export function signedAddress(baseUrl: string, secret: string, logName: string, now: Date): string {
  const expires = String(Math.floor(now.getTime() / 1000) + ADDRESS_LASTS)
  return `${baseUrl}/imports/${logName}?expires=${expires}&signature=${signatureOf(secret, USE, logName, expires)}`
}

/** Whether expiry and signature of an address are ours and the time is not over. */
export function isSigned(
  secret: string,
  logName: string,
  query: { readonly expires: string; readonly signature: string },
  now: Date,
): boolean {
  return isSignature(secret, USE, logName, query.expires, query.signature) && Number(query.expires) * 1000 > now.getTime()
}
