/** The job of the timers. It sleeps until the next timestamp, and at most until the next sweep. */
import type { Clock, Instant } from '../core/clock.js'
import type { JobQueue } from './job-queue.js'
import { LOOK_AHEAD_MS, type Timers } from './timers.js'

const RUN_TIMERS = 'run-timers'

export interface TimerWakes {
  /** To be called after a commit, with the timestamp of the earliest timer of the saved records. */
  expect(moment: Instant): void
  /** Wakes the job, whether or not rows are due. */
  wakeAll(): Promise<void>
  /** Defines the job; to be called once. */
  define(timers: Timers): void
}

/** Creates the wakes, without any I/O. */
export function createTimerWakes({
  jobs,
  clock,
}: {
  readonly jobs: Pick<JobQueue, 'define' | 'wake'>
  readonly clock: Clock
}): TimerWakes {
  /** Time for which the job has been woken, by the clock of the plugin, in milliseconds. */
  let planned: number | null = null

  const wakeAt = async (moment: number, present: number) => {
    planned = moment
    // Agenda uses the system time, which may differ from the clock of the plugin.
    const at = moment > present ? new Date(Date.now() + moment - present) : undefined
    await jobs.wake(RUN_TIMERS, undefined, at)
  }

  return {
    expect(moment) {
      const present = clock.now().getTime()
      const time = new Date(moment).getTime()
      const isPlanned = planned !== null && planned <= time && planned > present
      // The sweep finds what is due later.
      if (isPlanned || time > present + LOOK_AHEAD_MS) return
      void wakeAt(time, present)
    },
    wakeAll: () => jobs.wake(RUN_TIMERS),
    define(timers) {
      jobs.define(RUN_TIMERS, { concurrency: 1 }, async (_ids, { stopping }) => {
        planned = null
        const { next } = await timers.fireDue(stopping)
        if (next && !stopping.aborted) await wakeAt(next.getTime(), clock.now().getTime())
      })
    },
  }
}
