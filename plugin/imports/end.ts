/** The end of an import: what it writes, with the mail and the event about it. */
import type { Knex } from 'knex'
import type { Clock } from '../core/clock.js'
import type { Catalog } from '../schema/catalog.js'
import { IMPORT_COMPLETED } from '../schema/language/define-record.js'
import type { Storage } from '../storage/database/connections.js'
import { addMails, type NewMail } from '../storage/queues/mail-queue.js'
import { addToOutbox, type NewEvent } from '../storage/queues/outbox.js'
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
  readonly words: Pick<WordBook, 'sentence' | 'fieldLabel'>
  /** Key for the signatures of log URLs. */
  readonly secret: string
  /** Base URL of the API, with the version segment and without a final slash. */
  readonly baseUrl: string
  /** The name of a person, who may be gone. */
  nameOf(personId: number): Promise<string>
  /** To be called after the commit of an end, with the names of its events. */
  wakeDispatch(events: readonly string[]): void
  /** To be called after the commit of an end, which may have queued a mail. */
  wakeMails(): void
}

/**
 * Ends an import with its last log lines, the mail about it, and its event, unless it was a dry run or about history.
 *
 * @param row with the line and the results that it has reached
 * @param stopped why it ends before the end of its file; null if it does not
 * @param importer name of the importing person
 * @returns the row as it is now, with the message in the language of the importing person
 */
export async function saveEndOf(
  deps: EndDeps,
  db: Knex,
  row: ImportRow,
  stopped: ImportStopped | null,
  importer: string,
): Promise<ImportRow> {
  const { catalog, clock, storage, words } = deps
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
  const ended: ImportRow = { ...row, state, message: reason, finishedAt: at }
  await addMails(db, storage, mailsAbout(deps, ended, at), at)
  return ended
}

/** The event of the end, by the person who imports. */
function eventOf({ accountId, id, personId }: ImportRow, status: string, personName: string, at: Date): NewEvent {
  const { name: event, type: recordType } = IMPORT_COMPLETED
  return { event, recordType, recordId: id, accountId, personId, personName, auditLineId: null, snapshot: { status }, at }
}

/** The mail to the importing person how it went; none for a dry run or an undo. */
function mailsAbout({ baseUrl, secret }: EndDeps, row: ImportRow, endedAt: Date): readonly NewMail[] {
  if (row.dryRun || row.undoOf !== null) return []
  const address = signedAddress(baseUrl, secret, row.logName, endedAt)
  const mail = row.state === 'done' ? 'import_completed' : 'import_failed'
  const { accountId, language, personId } = row
  return [{ accountId, to: { personId }, language, mail, params: mailParams(row, address) }]
}

/** To be called after the commit of an end. */
export function wakeAfterEnd({ wakeDispatch, wakeMails }: EndDeps): void {
  wakeDispatch([IMPORT_COMPLETED.name])
  wakeMails()
}
