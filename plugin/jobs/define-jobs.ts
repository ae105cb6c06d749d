/** The jobs that are not caused by an event: imports, timers, the sweep, and the purge of what is no longer needed. */
import type { Sessions } from '../access/sessions/sessions.js'
import type { Tokens } from '../access/tokens/tokens.js'
import type { Deliveries } from '../deliveries/deliveries.js'
import type { Exports } from '../exports/exports.js'
import type { Imports } from '../imports/imports.js'
import { purgeKeys } from '../storage/queues/idempotency-keys.js'
import type { Leases } from '../storage/queues/leases.js'
import { purgeLimits } from '../storage/queues/limit-store.js'
import type { EventDispatch } from './dispatch-events.js'
import type { JobQueue } from './job-queue.js'
import type { TimerWakes } from './run-timers.js'
import { sweep } from './sweep.js'
import { createTimers, type TimersDeps } from './timers.js'

/** Runs one import: at most two at once in a process, and those of one account in order. */
export const RUN_IMPORT = 'run-import'
/** Writes one export: at most two at once in a process, and those of one account in order. */
export const RUN_EXPORT = 'run-export'
/** Maximum milliseconds between scans for rows that are due but have no job. */
const SWEEP_EVERY = 15_000
/** Milliseconds. */
const PURGE_EVERY = 24 * 3600_000
/** Milliseconds for which the row of an unused lease is kept. */
const KEEP_LEASES = 30 * PURGE_EVERY

/** Dependencies of these jobs. */
export interface DefineJobsDeps extends Omit<TimersDeps, 'leaseMs'> {
  readonly leases: Pick<Leases, 'attempt' | 'purge'>
  readonly jobs: JobQueue
  readonly eventDispatch: Pick<EventDispatch, 'wakeAll'>
  readonly timerWakes: TimerWakes
  readonly exports: Exports
  readonly imports: Imports
  readonly tokens: Pick<Tokens, 'purge'>
  readonly sessions: Pick<Sessions, 'purge'>
  readonly deliveries: Pick<Deliveries, 'purge'>
  readonly files: { cleanUp(): Promise<void> }
  /** Milliseconds after which work is taken over. A short time makes the sweep more frequent. */
  readonly takeOverAfterMs: number
}

/** Defines the jobs; they run after `jobs.start()`. */
export function defineJobs(deps: DefineJobsDeps): void {
  const {
    jobs,
    storage,
    leases,
    clock,
    eventDispatch,
    timerWakes,
    exports,
    imports,
    tokens,
    sessions,
    deliveries,
    files,
    takeOverAfterMs,
  } = deps
  const due = [eventDispatch.wakeAll, timerWakes.wakeAll, imports.resumeAll, exports.resumeAll]
  const old = [
    deliveries.purge,
    () => purgeLimits(storage, clock.now()),
    () => purgeKeys(storage, clock.now()),
    () => leases.purge(new Date(clock.now().getTime() - KEEP_LEASES)),
    tokens.purge,
    sessions.purge,
    files.cleanUp,
    imports.purge,
    exports.purge,
  ]
  jobs.define(RUN_IMPORT, { concurrency: 2 }, async ({ id }, { stopping }) => {
    if (id !== undefined) await imports.run(id, stopping)
  })
  jobs.define(RUN_EXPORT, { concurrency: 2 }, async ({ id }, { stopping }) => {
    if (id !== undefined) await exports.run(id, stopping)
  })
  timerWakes.define(createTimers({ ...deps, leaseMs: takeOverAfterMs }))
  jobs.define('sweep', { concurrency: 1 }, () => sweep({ tasks: due }))
  jobs.define('purge', { concurrency: 1 }, () => sweep({ tasks: old }))
  jobs.every('sweep', Math.min(SWEEP_EVERY, takeOverAfterMs))
  jobs.every('purge', PURGE_EVERY)
}
