/** Mails: written in the transaction that causes them, as deliveries of the channel `mail`. */
import type { Knex } from 'knex'
import type { MailName, MailValues } from '../../words/mails/mail.js'
import type { Storage } from '../database/connections.js'
import { timestampOf } from '../database/timestamps.js'
import { insertDeliveries, rowOfDelivery } from './delivery-rows.js'

/** Name of the channel of mails. */
export const MAIL = 'mail'
/** All mails wait in one lane, whose lease a process of the version before needs as well. */
export const MAIL_LANE = ''

/** Who gets a mail. */
export type MailReceiver =
  /** A person, by the language and the clocks of that person. */
  | { readonly personId: number }
  /** Addresses; without any, the administrators of the account. */
  | { readonly addresses: readonly string[]; readonly about: string }

/** A mail that is about to be stored. */
export interface NewMail {
  /** The account that it is about. */
  readonly accountId: string
  readonly to: MailReceiver
  readonly mail: MailName
  readonly params: MailValues
  /** Default: the language of the reader. */
  readonly language?: string
}

/** What a delivery of this channel has as its content. */
export type MailContent = Pick<NewMail, 'to' | 'mail' | 'params' | 'language'>

/** Stores mails, in order, in the transaction `db`. Those to one person, or about one thing, are sent one after the other. */
export async function addMails(db: Knex, storage: Storage, mails: readonly NewMail[], now: Date): Promise<void> {
  const at = timestampOf(now)
  const rows = mails.map(({ accountId, ...content }) => rowOfDelivery(MAIL, mailDelivery(accountId, content), null, at))
  await insertDeliveries(db, storage, rows)
}

/** The delivery of a mail. */
export function mailDelivery(accountId: string, content: MailContent) {
  const target = targetOf(content.to)
  return { target, accountId, lane: MAIL_LANE, key: target, content }
}

function targetOf(to: MailReceiver): string {
  return 'personId' in to ? `person/${to.personId}` : to.about
}
