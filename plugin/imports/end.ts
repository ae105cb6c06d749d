/** The end of an import: what it writes, and the mail about it. */
import type { Knex } from 'knex'
import type { Call } from '../core/call.js'
import type { Clock } from '../core/clock.js'
import type { Log } from '../core/log.js'
import type { Catalog } from '../schema/catalog.js'
import { IMPORT_COMPLETED } from '../schema/language/define-record.js'
import type { Storage } from '../storage/database/connections.js'
import { addToOutbox, type NewEvent } from '../storage/queues/outbox.js'
import type { SendMail } from '../words/mails/mail.js'
import type { WordBook } from '../words/words.js'
import type { ImportRow } from './progress/import-rows.js'
import { saveEnd } from './progress/import-work.js'
import { insertLogLines, logLine } from './progress/log-lines.js'
import { mailParams, signedAddress } from './progress/report.js'
import { type ImportStopped, messageOf, reasonIn } from './progress/stopped.js'
import { newestLine } from './undo/audit-lines.js'
import { saveLastLine } from './undo/undo-progress.js'

/** Dependencies of ending an import. */
export interface EndDeps {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly clock: Clock
  readonly log: Log
  readonly words: Pick<WordBook, 'sentence' | 'fieldLabel' | 'mail'>
  readonly sendMail: SendMail
  /** Key for the signatures of log URLs. */
  readonly secret: string
  /** Base URL of the API, with the version segment and without a final slash. */
  readonly baseUrl: string
  /** The name of a person, who may be gone. */
  nameOf(personId: number): Promise<string>
  /** To be called after the commit of an end, with the names of its events. */
  wakeDispatch(events: readonly string[]): void
}

/**
 * Ends an import with its last log lines, and its event, unless it was a dry run or about history.
 *
 * @param row with the line and the results that it has reached
 * @param stopped why it ends before the end of its file; null if it does not
 * @param importer name of the importing person
 * @returns the row as it is now, with the message in the language of the importing person
 */
export async function saveEndOf(
  { catalog, clock, storage, words }: EndDeps,
  db: Knex,
  row: ImportRow,
  stopped: ImportStopped | null,
  importer: string,
): Promise<ImportRow> {
  const { language, results } = row
  const at = clock.now()
  const line = Math.max(1, row.line)
  const message = stopped && messageOf(words, stopped)
  const reason = stopped && reasonIn(words, language, stopped)
  const fatal = stopped && reason !== null ? [logLine('fatal', stopped.line ?? line, reason)] : []
  const lines = [...fatal, logLine('info', line, words.sentence(language, 'import_results', '', { ...results }))]
  const state = stopped ? 'error' : 'done'
  await insertLogLines(storage, db, row.id, at, lines)
  await saveEnd(storage, db, row.id, { state, message, results, at })
  await saveLastLine(storage, db, row, await newestLine(catalog, storage, db))
  if (!row.dryRun && !row.history) await addToOutbox(db, storage, [eventOf(row, state, importer, at)])
  return { ...row, state, message: reason, finishedAt: at }
}

/** The event of the end, by the person who imports. */
function eventOf({ accountId, id, personId }: ImportRow, status: string, personName: string, at: Date): NewEvent {
  const { name: event, type: recordType } = IMPORT_COMPLETED
  return { event, recordType, recordId: id, accountId, personId, personName, auditLineId: null, snapshot: { status }, at }
}

/** Mails the importing person how it went, unless it was a dry run or an undo. */
export async function tell({ baseUrl, log, secret, sendMail, words }: EndDeps, call: Call, row: ImportRow): Promise<void> {
  if (!call.actor || !row.finishedAt || row.dryRun || row.undoOf !== null) return
  const address = signedAddress(baseUrl, secret, row.logName, row.finishedAt)
  const name = row.state === 'done' ? 'import_completed' : 'import_failed'
  try {
    const { subject, text } = words.mail(row.language, name, mailParams(row, call.account.name, address))
    await sendMail({ to: [call.actor.email], subject, text })
  } catch (error) {
    log.warn({ err: error, importId: row.id }, 'The summary mail of an import could not be sent')
  }
}
