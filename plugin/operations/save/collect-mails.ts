import type { Call } from '../../core/call.js'
import { dbOf, tellAfterCommit } from '../../storage/database/transaction.js'
import { addMails, type NewMail } from '../../storage/queues/mail-queue.js'
import { type MailName, type MailValues, mistakeInMail } from '../../words/mails/mail.js'
import type { MailDeps } from './save-deps.js'

/** Mails of the rules of a batch. */
export interface MailsToQueue {
  /** @throws TypeError for a mail that could not be written: the mistake would appear only when it is sent */
  check(mail: MailName, params: MailValues): void
  add(personId: number, mail: MailName, params: MailValues): void
  /** Queues them with one statement, in the transaction of the call. */
  store(): Promise<void>
}

/** Collects the mails of a batch; nothing is stored before `store` is called. */
export function collectMails(deps: MailDeps, call: Call): MailsToQueue {
  const mails: NewMail[] = []
  return {
    check(mail, params) {
      const mistake = mistakeInMail(mail, params)
      if (mistake) throw new TypeError(`mail: ${mistake}`)
    },
    add(personId, mail, params) {
      // Nobody is told today what happened in the past.
      if (!call.isHistory) mails.push({ accountId: call.account.id, to: { personId }, mail, params })
    },
    async store() {
      if (mails.length === 0) return
      await addMails(dbOf(deps.storage, call), deps.storage, mails, deps.clock.now())
      tellAfterCommit(call, deps.wakeMails, [])
    },
  }
}
