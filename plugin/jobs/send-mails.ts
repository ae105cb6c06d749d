import type { Mails } from '../mails/mails.js'
import type { JobQueue } from './job-queue.js'
import { mergeCalls } from './merge-calls.js'
import type { JobContext } from './runs.js'

const SEND_MAILS = 'send-mails'

/** Sends the mails of this process. */
export interface MailWakes {
  /** To be called after a commit that has queued mails. Returns at once. */
  wakeMails(): void
  /** Wakes the job, whether or not mails are due. */
  wakeAll(): Promise<void>
  /** Defines the job; to be called once. */
  define(mails: Mails): void
}

/** Creates the wakes of the job, without any I/O. The process that queued mails sends them, if it works. */
export function createMailWakes({ jobs }: { readonly jobs: Pick<JobQueue, 'define' | 'wake' | 'runHere'> }): MailWakes {
  const merged = mergeCalls()
  let run: (context: JobContext) => Promise<void> = async () => {}
  return {
    wakeMails() {
      if (!jobs.runHere(SEND_MAILS, (context) => merged('send', () => run(context)))) void jobs.wake(SEND_MAILS)
    },
    wakeAll: () => jobs.wake(SEND_MAILS),
    define(mails) {
      run = async ({ stopping }) => {
        const { next } = await mails.sendDue(stopping)
        if (next && !stopping.aborted) await jobs.wake(SEND_MAILS, undefined, next)
      }
      jobs.define(SEND_MAILS, { concurrency: 1 }, (_ids, context) => run(context))
    },
  }
}
