/**
 * Wakes work up: now, at a time, or every so often. Nothing depends on a job surviving: rows say what is due, jobs carry ids
 * only and may be lost, late or doubled. So a failing store costs time, never work, and never a caller's request.
 */
import type { JobContext, JobIds, RunJob } from './runs.js'
import { type Definition, type JobOptions, type JobsDeps, type Life, startAgenda } from './start-agenda.js'

export type { JobContext, JobIds, RunJob } from './runs.js'
export type { JobOptions, JobsDeps } from './start-agenda.js'
export type { JobBackend } from './store.js'

export interface Jobs {
  /** Says what a job of this name does. Throws an Error after `start()` and for a name that is taken. */
  define(name: string, options: JobOptions, run: RunJob): void
  /** Sweeps: wakes `name` at `start()` and then every so many milliseconds, once for all processes that share a store. */
  every(name: string, intervalMs: number): void
  /**
   * Wakes `name` (for one row) now or at `at`. A wake that is already pending for the same name, id and time is enough; one
   * that runs already is not, because it may have read the row before the change. Never throws, and takes three seconds at
   * most: a store that is away is logged, and the next sweep finds the row. Does nothing unless started.
   */
  wake(name: string, ids?: JobIds, at?: Date): Promise<void>
  /**
   * Runs work in this process at once, without the store; `stop()` waits for it as for a job. It may run beside itself.
   * Returns false, and does nothing, when this process does not work: it is not started, is stopping, or only wakes others.
   */
  runHere(name: string, work: (context: JobContext) => Promise<void>): boolean
  /**
   * Opens the store, then works if this process is to work. Throws an Error that names the store when it is not reachable
   * within three seconds; may be called again then, and after `stop()`.
   */
  start(): Promise<void>
  /**
   * Takes no more work, waits for running jobs at most `drainForMs`, gives the others back and closes what is ours. Does not
   * throw. The process can end by itself within a second of it.
   */
  stop(): Promise<void>
}

/** Jobs that are not started yet: no I/O before `start()`. */
export function createJobs(deps: JobsDeps): Jobs {
  const definitions = new Map<string, Definition>()
  const sweeps = new Map<string, number>()
  let starting: Promise<Life> | undefined
  let stopping: Promise<void> | undefined
  let life: Life | undefined

  async function begin(): Promise<Life> {
    for (const name of sweeps.keys()) if (!definitions.has(name)) throw new Error(`The sweep ${name} is not defined`)
    life = await startAgenda(deps, definitions, sweeps)
    // Only now: the first jobs may run before this returns, and wake others.
    if (deps.work) await life.work()
    return life
  }

  async function end(): Promise<void> {
    const started = await starting?.catch(() => undefined)
    await started?.stop().finally(() => {
      life = undefined
      starting = undefined
    })
  }

  return {
    define(name, options, run) {
      if (starting) throw new Error(`The job ${name} is defined after start()`)
      if (definitions.has(name)) throw new Error(`There is already a job ${name}`)
      definitions.set(name, { options, run })
    },

    every(name, intervalMs) {
      if (starting) throw new Error(`The sweep ${name} is set up after start()`)
      sweeps.set(name, intervalMs)
    },

    async wake(name, ids, at) {
      if (life) await life.wake(name, ids, at)
      else deps.log.debug({ job: name, ...ids }, 'Nothing to wake: the jobs are not started')
    },

    runHere: (name, work) => (deps.work && life?.runHere(name, work)) || false,

    async start() {
      starting ??= begin()
      try {
        await starting
      } catch (error) {
        starting = undefined
        throw error
      }
    },

    async stop() {
      stopping ??= end().finally(() => {
        stopping = undefined
      })
      await stopping
    },
  }
}
