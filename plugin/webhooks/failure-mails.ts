/** Sends mails about failing webhooks (spec, Events, Delivery 6 and 7; behaviour: Webhook health). */
import type { MailReader } from '../access/people/mail-readers.js'
import type { Clock } from '../core/clock.js'
import type { Log } from '../core/log.js'
import type { Storage } from '../storage/database/connections.js'
import { timestampOf } from '../storage/database/timestamps.js'
import type { SendMail } from '../words/mails/mail.js'
import type { WordBook } from '../words/words.js'
import type { Fault } from './delivery-faults.js'
import type { WebhookRow } from './queue.js'

/** A failed delivery. */
export interface FailedCall {
  readonly reason: string
  /** The reason in a form that can be translated. */
  readonly fault?: Fault
  /** Name of the event, and the record that it is about. */
  readonly event: string
  readonly objectId: number
  /** Number of the attempt, from 1. */
  readonly attempt: number
}

export interface FailureMailsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly sendMail: SendMail
  readonly words: Pick<WordBook, 'mail' | 'sentence'>
  /** Finds the readers with these e-mail addresses in an account; without addresses, its account administrators. */
  readonly readersOf: (accountId: string, addresses: readonly string[]) => Promise<readonly MailReader[]>
}

export interface FailureMails {
  /** Sends a mail about a failed delivery, at most one per webhook in 20 minutes, over all processes. Returns at once. */
  failed(webhook: WebhookRow, call: FailedCall): void
  /** Sends a mail that the webhook may be disabled soon. Returns at once. */
  warned(webhook: WebhookRow, call: FailedCall): void
  /** Sends a mail that the webhook has been disabled. Returns at once. */
  disabled(webhook: WebhookRow, call: FailedCall): void
  /** Resolves when all mails have been passed to the host, or have failed, which is logged. */
  finished(): Promise<void>
}

const PAUSE = 20 * 60_000

type WebhookMail = 'webhook_exception' | 'webhook_warning' | 'webhook_disabled'

export function createFailureMails(deps: FailureMailsDeps): FailureMails {
  const { storage, clock, log, sendMail, readersOf, words } = deps
  const health = storage.table('webhook_health')
  /** Time at which this process last checked whether a mail is due, by webhook. Saves a query per failure. */
  const lastTried = new Map<number, number>()
  const underWay = new Set<Promise<void>>()

  return {
    failed(webhook, call) {
      const now = clock.now()
      if (now.getTime() - (lastTried.get(webhook.id) ?? Number.NEGATIVE_INFINITY) < PAUSE) return
      lastTried.set(webhook.id, now.getTime())
      start(webhook, async () => {
        if (!(await takeTurn(webhook.id, now))) return
        await mail(webhook, 'webhook_exception', call)
      })
    },
    warned(webhook, call) {
      start(webhook, () => mail(webhook, 'webhook_warning', call))
    },
    disabled(webhook, call) {
      start(webhook, () => mail(webhook, 'webhook_disabled', call))
    },
    async finished() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }

  function start(webhook: WebhookRow, work: () => Promise<void>): void {
    const job = work()
      .catch((error) => log.error({ err: error, webhookId: webhook.id }, 'A mail about a failing webhook could not be sent'))
      .finally(() => underWay.delete(job))
    underWay.add(job)
  }

  /** True for one process in 20 minutes. */
  async function takeTurn(webhookId: number, now: Date): Promise<boolean> {
    const changed = await storage
      .knex(health)
      .where({ webhook_id: webhookId })
      .where((due) => due.whereNull('last_mail_at').orWhere('last_mail_at', '<=', timestampOf(new Date(now.getTime() - PAUSE))))
      .update({ last_mail_at: timestampOf(now) })
    return Number(changed) > 0
  }

  /** Sends one mail per language of the readers. */
  async function mail(webhook: WebhookRow, name: WebhookMail, call: FailedCall): Promise<void> {
    const addresses = webhook.mailExceptionsTo
      .split(',')
      .map((address) => address.trim())
      .filter((address) => address !== '')
    const readers = await readersOf(webhook.accountId, addresses)
    if (readers.length === 0) {
      log.warn({ webhookId: webhook.id }, 'A webhook fails, but the account has no administrator who could get a mail')
      return
    }
    const params = {
      webhook: webhook.name,
      id: webhook.id,
      account: webhook.accountId,
      uri: withoutSecrets(webhook.uri),
      event: call.event,
      object_id: call.objectId,
      attempt: call.attempt,
    }
    const languages = [...new Set(readers.map((reader) => reader.language))]
    const send = (language: string) => {
      const error = call.fault ? words.sentence(language, call.fault.code, '', call.fault.params) : call.reason
      const { subject, text } = words.mail(language, name, { ...params, error })
      const to = readers.filter((reader) => reader.language === language).map(({ email }) => email)
      return sendMail({ to, subject, text: `${text}\n` })
    }
    await Promise.all(languages.map(send))
  }
}

/** The URL without parts that may be secret: credentials and parameters. */
function withoutSecrets(uri: string): string {
  if (!URL.canParse(uri)) return '(invalid)'
  const { origin, pathname } = new URL(uri)
  return origin + pathname
}
