/** Mails about webhooks that fail. Specification: Events, Delivery 6 and 7; gaps 5.3. Subject and text are free. */
import type { Clock } from '../core/clock.js'
import type { Log } from '../core/log.js'
import type { Storage } from '../storage/connections.js'
import { timestampOf } from '../storage/timestamps.js'
import type { WebhookRow } from './queue.js'

export interface Mail {
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
}

export interface ComplaintsParts {
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly sendMail: (mail: Mail) => Promise<void>
  /** E-mail addresses of the people with the role account administrator. */
  readonly administratorEmails: (accountId: string) => Promise<readonly string[]>
}

export interface Complaints {
  /** Mails that a call failed, at most once in 20 minutes for each webhook, over all processes. Returns at once. */
  failed(webhook: WebhookRow, reason: string): void
  /** Mails that the service has disabled the webhook. Returns at once. */
  disabled(webhook: WebhookRow, reason: string): void
  /** Resolves when all mails have been handed over, or failed to be, which is logged. */
  finished(): Promise<void>
}

const PAUSE = 20 * 60_000

export function createComplaints(parts: ComplaintsParts): Complaints {
  const { storage, clock, log, sendMail, administratorEmails } = parts
  const health = storage.table('webhook_health')
  /** When this process last looked whether a mail is due, by webhook: spares a query for each failure. */
  const lastTried = new Map<number, number>()
  const underWay = new Set<Promise<void>>()

  return {
    failed(webhook, reason) {
      const now = clock.now()
      if (now.getTime() - (lastTried.get(webhook.id) ?? Number.NEGATIVE_INFINITY) < PAUSE) return
      lastTried.set(webhook.id, now.getTime())
      start(webhook, async () => {
        if (!(await takeTurn(webhook.id, now))) return
        await mail(webhook, `Webhook "${webhook.name}" failed: ${reason}`, [
          `A call of the webhook "${webhook.name}" (${webhook.event}) failed: ${reason}`,
          'Failed calls are repeated with growing pauses for about eight hours and then dropped.',
        ])
      })
    },
    disabled(webhook, reason) {
      start(webhook, () =>
        mail(webhook, `Webhook "${webhook.name}" has been disabled`, [
          `The webhook "${webhook.name}" (${webhook.event}) has been failing for more than a week. The last error was: ${reason}`,
          'It has been disabled and its queued messages have been dropped. Enable it again once its address answers.',
        ]),
      )
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

  async function mail(webhook: WebhookRow, subject: string, lines: readonly string[]): Promise<void> {
    const named = webhook.mailExceptionsTo
      .split(',')
      .map((address) => address.trim())
      .filter((address) => address !== '')
    const to = named.length > 0 ? named : await administratorEmails(webhook.accountId)
    if (to.length === 0) {
      log.warn({ webhookId: webhook.id }, 'Nobody can be told that a webhook fails: there is no account administrator')
      return
    }
    const text = [...lines, '', `Webhook: ${webhook.id}`, `Account: ${webhook.accountId}`, `Address: ${shown(webhook.uri)}`]
    // A line break in the subject could smuggle in headers.
    await sendMail({ to, subject: subject.replace(/\s+/g, ' '), text: `${text.join('\n')}\n` })
  }
}

/** The address without what may be secret: credentials and parameters. */
function shown(uri: string): string {
  if (!URL.canParse(uri)) return '(invalid)'
  const { origin, pathname } = new URL(uri)
  return origin + pathname
}
