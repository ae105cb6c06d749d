/**
 * Sends mails about records. One process at a time does so, by a lease. A row is deleted when the host has taken its mail; if the
 * process dies in between, the mail is sent again. A mail that cannot be written, or that the host refuses or does not take in
 * time, is tried again after 1, 2, 4 … 256 minutes; after the tenth failure it is dropped, with an error in the log. Other mails
 * do not wait for it.
 */
import type { Account } from '../core/call.js'
import type { Clock } from '../core/clock.js'
import type { Log } from '../core/log.js'
import { inTime } from '../core/waiting/in-time.js'
import { nextAttempt } from '../core/waiting/next-attempt.js'
import type { Storage } from '../storage/database/connections.js'
import { type Lease, LeaseLost, type Leases } from '../storage/queues/leases.js'
import { dueMails, nextMailAt, postponeMail, type QueuedMail, removeMail } from '../storage/queues/mail-queue.js'
import type { SendMail } from '../words/mails/mail.js'
import type { WordBook } from '../words/words.js'
import { mailTo, type Receiver } from './mail-to.js'

/** Dependencies of the mails. */
export interface MailsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly leases: Pick<Leases, 'attempt'>
  readonly words: Pick<WordBook, 'mail' | 'languageOf'>
  readonly sendMail: SendMail
  readonly people: { find(key: { readonly id: number }): Promise<Receiver | null> }
  readonly accounts: { find(id: string): Promise<Account | null> }
  /** Milliseconds after which a mail that the host has not taken counts as failed; default 30,000. */
  readonly timeout?: number
  /** Milliseconds after which another process takes over from one that died; default 60,000. */
  readonly takeOverAfterMs?: number
}

/** The mails that wait. */
export interface Mails {
  /** Sends what is due. `next` is when the next known mail is due. Calling it while it runs makes it look again. */
  sendDue(signal?: AbortSignal): Promise<{ sent: number; failed: number; next: Date | null }>
}

const TIMEOUT = 30_000
const LEASE_LASTS = 60_000
/** Mails that are sent at the same time, and read at once: a host may need seconds for one. */
const AT_ONCE = 4
/** Milliseconds until the next look, when another process holds the lease. It may miss mails that come just before it ends. */
const LOOK_AGAIN = 1000

interface Total {
  sent: number
  failed: number
}

/** The receiver of a mail, and the account that it is about. */
interface To {
  readonly person: Receiver
  readonly account: Account
}

/** Creates the sender. Does no I/O. */
export function createMails(deps: MailsDeps): Mails {
  const { storage, clock, log, leases, timeout = TIMEOUT, takeOverAfterMs: lastsMs = LEASE_LASTS } = deps
  let running: ReturnType<Mails['sendDue']> | null = null
  let again = false

  return {
    sendDue(signal) {
      again = true
      running ??= run(signal).finally(() => {
        running = null
      })
      return running
    },
  }

  async function run(signal?: AbortSignal) {
    const total: Total = { sent: 0, failed: 0 }
    for (;;) {
      again = false
      // Most looks find nothing, and one read is all that they cost.
      const first = await nextMailAt(storage)
      if (first === null || first > clock.now()) {
        if (again && !signal?.aborted) continue
        return { ...total, next: first }
      }
      const { held } = await leases.attempt({ kind: 'mails', lastsMs }, (lease) => sendAll(lease, total, signal))
      const next = await nextMailAt(storage)
      // Mails that came while this run was finishing.
      if (again && held && !signal?.aborted) continue
      const soon = new Date(clock.now().getTime() + LOOK_AGAIN)
      return { ...total, next: next && !held && next < soon ? soon : next }
    }
  }

  async function sendAll(lease: Lease, total: Total, signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted) {
      const due = await dueMails(storage, clock.now(), AT_ONCE)
      if (due.length === 0) return
      try {
        await lease.keep()
      } catch (error) {
        if (error instanceof LeaseLost) return
        throw error
      }
      const outcomes = await Promise.allSettled(
        [...byPerson(due).values()].map(async (mails) => {
          for (const queued of mails) await sendOne(queued, total)
        }),
      )
      const failed = outcomes.find((outcome) => outcome.status === 'rejected')
      if (failed) throw failed.reason
    }
  }

  async function sendOne(queued: QueuedMail, total: Total): Promise<void> {
    const receiver = await receiverOf(queued)
    if (!receiver) log.warn({ mail: queued.mail, personId: queued.personId }, 'A mail has no receiver any more and is dropped')
    const failure = receiver && (await failureOf(queued, receiver))
    if (failure) await postpone(queued, failure.error)
    else await removeMail(storage, queued)
    total.failed += failure ? 1 : 0
    total.sent += receiver && !failure ? 1 : 0
  }

  /**
   * Writes and sends the mail; null if the host has taken it. A mail that cannot be written is a failure, too: otherwise it would
   * hold up all others. Its name may be known to newer versions only, or a rule of the host may have passed wrong values.
   */
  async function failureOf({ mail: name, params }: QueuedMail, { person, account }: To): Promise<{ error: unknown } | null> {
    try {
      const mail = mailTo(deps.words, person, account, name, params)
      await inTime(timeout, Promise.resolve(deps.sendMail(mail)))
      return null
    } catch (error) {
      return { error: error ?? new Error('sendMail failed without an error') }
    }
  }

  /** Null if the person is disabled or missing. */
  async function receiverOf({ accountId, personId }: QueuedMail): Promise<To | null> {
    const [person, account] = await Promise.all([deps.people.find({ id: personId }), deps.accounts.find(accountId)])
    return person && account ? { person, account } : null
  }

  async function postpone(queued: QueuedMail, err: unknown): Promise<void> {
    const attempts = queued.attempts + 1
    const details = { err, mail: queued.mail, personId: queued.personId, attempts }
    const next = nextAttempt(attempts, clock.now())
    if (next === null) {
      log.error(details, 'A mail could not be sent for the last time; it is dropped')
      return removeMail(storage, queued)
    }
    log.warn(details, 'A mail could not be sent and will be sent again')
    await postponeMail(storage, queued, next)
  }
}

/** Each person gets mails one after the other, in the order of the changes. */
function byPerson(mails: readonly QueuedMail[]): ReadonlyMap<number, readonly QueuedMail[]> {
  const found = new Map<number, QueuedMail[]>()
  for (const mail of mails) found.set(mail.personId, [...(found.get(mail.personId) ?? []), mail])
  return found
}
