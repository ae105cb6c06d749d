/**
 * Wakes work: now, at a time, or at an interval. Nothing depends on a job surviving: rows say what is due; jobs carry only ids
 * and may be lost, late or doubled. So a failing store costs time, but never work and never a caller's request.
 */
import type { JobContext, JobIds, RunJob, RunningJob } from './runs.js'
import type { Definition, JobOptions, JobQueueDeps, RunningAgenda } from './start-agenda.js'

export type { JobBackend } from './agenda-store.js'
export type { JobContext, JobIds, RunJob, RunningJob } from './runs.js'
export type { JobOptions, JobQueueDeps } from './start-agenda.js'

export interface JobQueue {
  /** Sets the work of a job name. Throws an Error after `start()` and for a name that is already defined. */
  define(name: string, options: JobOptions, run: RunJob): void
  /** Sets up a sweep: wakes `name` at `start()` and then every `intervalMs`, once for all processes that share a store. */
  every(name: string, intervalMs: number): void
  /**
   * Wakes `name` (for one row) now or at `at`. A pending wake for the same name, id and time is enough; a running one is not,
   * because it may have read the row before the change. Never throws, and takes at most three seconds: if the store is down,
   * the failure is logged, and the next sweep finds the row. Does nothing unless started.
   */
  wake(name: string, ids?: JobIds, at?: Date): Promise<void>
  /**
   * Runs work in this process at once, without the store; `stop()` waits for it as for a job. Several runs may overlap. Returns
   * false, and does nothing, if this process does not work: it is not started, is stopping, or only wakes others.
   */
  runHere(name: string, work: (context: JobContext) => Promise<void>): boolean
  /**
   * Opens the store, then begins to work if this process is set to work. Throws an Error that names the store if it cannot be
   * reached within three seconds; may be called again then, and after `stop()`.
   */
  start(): Promise<void>
  /**
   * Starts no more jobs, waits for running jobs at most `drainForMs`, returns the others to the store and closes the
   * connections that the plugin opened. Does not throw. After it, the process can end by itself within a second.
   */
  stop(): Promise<void>
  /** False while the job store fails; true if it has not been opened. */
  isWell(): boolean
  /** The jobs that run in this process now, the oldest first. */
  running(): readonly RunningJob[]
}

/** Creates the jobs without starting them: no I/O before `start()`. */
export function createJobQueue(deps: JobQueueDeps): JobQueue {
  const definitions = new Map<string, Definition>()
  const sweeps = new Map<string, number>()
  let starting: Promise<RunningAgenda> | undefined
  let stopping: Promise<void> | undefined
  let agenda: RunningAgenda | undefined

  async function begin(): Promise<RunningAgenda> {
    for (const name of sweeps.keys()) if (!definitions.has(name)) throw new Error(`The sweep ${name} is not defined`)
    // Agenda is loaded when it is needed: scripts that only migrate, and hosts that create a plugin, do not wait for it.
    const { startAgenda } = await import('./start-agenda.js')
    agenda = await startAgenda(deps, definitions, sweeps)
    // Set before jobs start: the first jobs may run before this returns, and wake others.
    if (deps.work) await agenda.work()
    return agenda
  }

  async function end(): Promise<void> {
    const started = await starting?.catch(() => undefined)
    await started?.stop().finally(() => {
      agenda = undefined
      starting = undefined
    })
  }

  /** The reason why a job would never run; null for a job that some process runs. */
  function notWokenBecause(): string | null {
    if (!agenda) return 'the jobs are not started'
    // Such jobs would fill the memory.
    const isUnseen = deps.backend === 'memory' && !deps.work
    return isUnseen ? 'this process runs no jobs, and others cannot see its memory' : null
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
      const reason = notWokenBecause()
      if (agenda && reason === null) await agenda.wake(name, ids, at)
      else deps.log.debug({ job: name, ...ids }, `The job was not woken: ${reason}`)
    },

    runHere: (name, work) => (deps.work && agenda?.runHere(name, work)) || false,

    isWell: () => agenda?.isWell() ?? true,
    running: () => agenda?.running() ?? [],

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
