/** Entry point of this folder: the jobs, and the wakes by which the rest of the plugin tells them that there is work. */
import type { Clock } from '../core/clock.js'
import { type DefineJobsDeps, defineJobs, RUN_EXPORT, RUN_IMPORT } from './define-jobs.js'
import { defineEventDispatch, type EventDispatch, type EventDispatchDeps } from './dispatch-events.js'
import { createJobQueue, type JobQueue, type JobQueueDeps } from './job-queue.js'
import { createTimerWakes, type TimerWakes } from './run-timers.js'

export type { JobQueue } from './job-queue.js'
export { readLateness } from './late-timers.js'

/** Dependencies of the jobs. */
export interface JobsDeps extends JobQueueDeps {
  /** The queue, if it is not that of Agenda. */
  readonly queue?: JobQueue | undefined
  readonly clock: Clock
}

/** To be called after commits. */
export interface Wakes {
  readonly timerWakes: Pick<TimerWakes, 'expect'>
}

/** The jobs. What they do is defined with the parts that do it, and before `start()`. */
export interface Jobs extends Pick<JobQueue, 'isWell' | 'running' | 'start' | 'stop'> {
  readonly wakes: Wakes
  /** Wakes one import. */
  wakeImport(id: number): void
  /** Wakes one export. */
  wakeExport(id: number): void
  /** Defines the jobs that dispatch events, and returns their wakes; to be called once. */
  defineEventDispatch(parts: Omit<EventDispatchDeps, 'jobs' | 'log'>): EventDispatch
  /** Defines all other jobs; to be called once. */
  define(parts: Omit<DefineJobsDeps, 'jobs' | keyof Wakes>): void
}

/** Creates the jobs without starting them: no I/O before `start()`. */
export function createJobs({ clock, queue: given, ...deps }: JobsDeps): Jobs {
  const queue = given ?? createJobQueue(deps)
  const timerWakes = createTimerWakes({ jobs: queue, clock })
  return {
    wakes: { timerWakes },
    wakeImport: (id) => void queue.wake(RUN_IMPORT, { id }),
    wakeExport: (id) => void queue.wake(RUN_EXPORT, { id }),
    defineEventDispatch: (parts) => defineEventDispatch({ ...parts, log: deps.log, jobs: queue }),
    define: (parts) => defineJobs({ ...parts, jobs: queue, timerWakes }),
    start: queue.start,
    stop: queue.stop,
    isWell: queue.isWell,
    running: queue.running,
  }
}
