/** Mails to people about records: written in the transaction of the change, deleted when the host has sent them. */
import type { Knex } from 'knex'
import { chunksOf, MAX_NARROW_ROWS } from '../../core/chunks.js'
import type { MailName, MailValues } from '../../words/mails/mail.js'
import type { Storage } from '../database/connections.js'
import { dateOfTimestamp, timestampOf } from '../database/timestamps.js'

/** A mail that is about to be stored. */
export interface NewMail {
  /** The account of the record. */
  readonly accountId: string
  readonly personId: number
  readonly mail: MailName
  readonly params: MailValues
}

/** A mail that has not been sent. */
export interface QueuedMail extends NewMail {
  readonly id: number
  /** Number of failed attempts. */
  readonly attempts: number
}

/** Stores mails, in order, in the transaction `db`. */
export async function addMails(db: Knex, storage: Storage, mails: readonly NewMail[], now: Date): Promise<void> {
  const rows = mails.map(({ accountId, mail, params, personId }) => ({
    account_id: accountId,
    person_id: personId,
    mail,
    params: JSON.stringify(params),
    next_at: timestampOf(now),
  }))
  for (const some of chunksOf(rows, MAX_NARROW_ROWS)) await db(storage.table('mail_queue')).insert([...some])
}

/** Mails that are due, in the order in which they were queued, at most `limit`. */
export async function dueMails(storage: Storage, now: Date, limit: number): Promise<readonly QueuedMail[]> {
  const rows: MailRow[] = await storage
    .knex(storage.table('mail_queue'))
    .where('next_at', '<=', timestampOf(now))
    .orderBy(['next_at', 'id'])
    .limit(limit)
    .select('id', 'account_id', 'person_id', 'mail', 'params', 'attempts')
  return rows.map((row) => ({
    id: Number(row.id),
    accountId: row.account_id,
    personId: Number(row.person_id),
    mail: row.mail,
    params: typeof row.params === 'string' ? (JSON.parse(row.params) as MailValues) : row.params,
    attempts: Number(row.attempts),
  }))
}

/** The time at which the next mail is due; null without mails. */
export async function nextMailAt(storage: Storage): Promise<Date | null> {
  const { knex } = storage
  const row = await knex(storage.table('mail_queue')).first(knex.raw('cast(min(next_at) as char) as next_at'))
  return row?.next_at ? dateOfTimestamp(row.next_at) : null
}

/** Deletes a mail that was sent, or cannot be sent. */
export async function removeMail(storage: Storage, { id }: QueuedMail): Promise<void> {
  await storage.knex(storage.table('mail_queue')).where({ id }).delete()
}

/** Postpones a mail after a failure. Has no effect if another process has done so. */
export async function postponeMail(storage: Storage, { attempts, id }: QueuedMail, next: Date): Promise<void> {
  await storage
    .knex(storage.table('mail_queue'))
    .where({ id, attempts })
    .update({ attempts: attempts + 1, next_at: timestampOf(next) })
}

interface MailRow {
  readonly id: number | string
  readonly account_id: string
  readonly person_id: number | string
  readonly mail: MailName
  /** Parsed already by drivers that support JSON columns. */
  readonly params: string | MailValues
  readonly attempts: number | string
}
