/**
 * The channel of mails. A mail is written when it is sent, in the language and by the clocks of its reader. One that cannot be
 * written, or that the host refuses or does not take in time, is sent again like every delivery (ADR 62).
 */
import type { MailReader } from '../access/people/mail-readers.js'
import type { Account, Call } from '../core/call.js'
import type { Log } from '../core/log.js'
import { inTime } from '../core/waiting/in-time.js'
import type { CarriedOver, Channel, OlderRow } from '../deliveries/channel.js'
import type { Delivery, Outcome } from '../deliveries/delivery.js'
import { nextTry } from '../deliveries/retries.js'
import type { NewDelivery } from '../storage/queues/delivery-rows.js'
import { MAIL, MAIL_LANE, type MailContent, mailDelivery } from '../storage/queues/mail-queue.js'
import type { Mail, MailName, MailValues, SendMail } from '../words/mails/mail.js'
import type { WordBook } from '../words/words.js'
import { createMailWriter, type Receiver } from './mail-to.js'

/** Dependencies of the mails. */
export interface MailsDeps {
  readonly log: Log
  readonly words: Pick<WordBook, 'mail' | 'sentence' | 'languageOf'>
  readonly sendMail: SendMail
  readonly people: { find(key: { readonly id: number }): Promise<Receiver | null> }
  readonly accounts: { find(id: string): Promise<Account | null> }
  /** Finds the readers with these e-mail addresses in an account; without addresses, its account administrators. */
  readonly readersOf: (accountId: string, addresses: readonly string[]) => Promise<readonly MailReader[]>
  /** Milliseconds after which a mail that the host has not taken counts as failed; default 30,000. */
  readonly timeout?: number
}

const TIMEOUT = 30_000
/** Mails that are sent at the same time: a host may need seconds for one. */
const AT_ONCE = 4

/** Creates the channel. Does no I/O. */
export function createMailChannel(deps: MailsDeps): Channel {
  const { log, timeout = TIMEOUT, words } = deps
  const write = createMailWriter(words)

  return {
    name: MAIL,
    leaseKind: 'mails',
    atOnce: AT_ONCE,
    atOncePerLane: AT_ONCE,
    older: { ...OLDER, carryOver: carriedOver },
    isWanted: () => false,
    plan: async () => [],
    // Who reads a mail depends on its content.
    meet: async (targets) => new Map(targets.map((target) => [target, { lane: MAIL_LANE, atOnce: AT_ONCE, send }])),
    nextTry: (attempt) => nextTry(attempt),
    log: {
      summarize: async (call, mails) => mails.map(({ content }) => ({ subject: subjectOf(call, content as MailContent) })),
    },
    failed({ delivery, outcome }, next) {
      if (outcome.ok || outcome.isFinal) return
      const { mail } = delivery.content as MailContent
      const details = { err: outcome.error, mail, target: delivery.target, attempts: delivery.attempts + 1 }
      if (next) log.warn(details, 'A mail could not be sent and will be sent again')
      else log.error(details, 'A mail could not be sent for the last time; it is dropped')
    },
    dropped: () => {},
  }

  /**
   * Writes and sends the mail. A mail that cannot be written is a failure, too: its name may be known to newer versions only, or a
   * rule of the host may have passed wrong values.
   */
  async function send({ accountId, content, target }: Delivery): Promise<Outcome> {
    const mails = await mailsOf(accountId, content as MailContent)
    if (mails.length === 0) {
      const { mail } = content as MailContent
      log.warn({ mail, target }, 'A mail has no receiver any more and is dropped')
      return { ok: false, reason: 'It has no receiver any more', isFinal: true }
    }
    for (const mail of mails) await inTime(timeout, Promise.resolve(deps.sendMail(mail)))
    return { ok: true }
  }

  /** The subject in the language of the caller, who may not be the reader; null if it cannot be written. */
  function subjectOf({ account, language, zone }: Call, { mail, params }: MailContent): string | null {
    try {
      return write({ email: '', locale: language, timeZone: zone }, account, mail, params).subject
    } catch {
      return null
    }
  }

  /** The mail for a person, or one for each language of the readers. */
  async function mailsOf(accountId: string, { language, mail, params, to }: MailContent): Promise<readonly Mail[]> {
    const account = await deps.accounts.find(accountId)
    if (!account) return []
    if ('personId' in to) {
      const person = await deps.people.find({ id: to.personId })
      return person ? [write({ ...person, ...(language && { locale: language }) }, account, mail, params)] : []
    }
    const readers = await deps.readersOf(accountId, to.addresses)
    return [...new Set(readers.map(({ language: theirs }) => theirs))].map((locale) => {
      const emails = readers.filter(({ language: theirs }) => theirs === locale).map(({ email }) => email)
      return { ...write({ email: '', locale, timeZone: null }, account, mail, params), to: emails }
    })
  }
}

/** The rows of the version before. */
const OLDER = {
  table: 'mail_queue',
  columns: ['account_id', 'person_id', 'mail', 'params', 'attempts'],
  times: ['next_at'],
  laneColumn: null,
}

function carriedOver(row: OlderRow): NewDelivery & CarriedOver {
  const params = typeof row['params'] === 'string' ? (JSON.parse(row['params']) as MailValues) : (row['params'] as MailValues)
  const content = { to: { personId: Number(row['person_id']) }, mail: row['mail'] as MailName, params }
  const kept = { event: null, objectId: null, lastError: null, failedAt: null }
  return {
    ...mailDelivery(String(row['account_id']), content),
    ...{ ...kept, attempts: Number(row['attempts']), nextAt: String(row['next_at']) },
  }
}
