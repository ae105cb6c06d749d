/** One run of the jobs, from a start to its stop: creates Agenda with its store, its channel and its corrections. */
import { Agenda, type Job, toJobId } from 'agenda'
import type { Log } from '../core/log.js'
import type { Observer } from '../core/observe.js'
import { inTime } from '../core/waiting/in-time.js'
import { correctAgenda } from './agenda-corrections.js'
import { type JobBackend, openStore, STORE_TIMEOUT } from './agenda-store.js'
import { CoalescingChannel } from './coalescing-channel.js'
import { mergeCalls } from './merge-calls.js'
import { createRuns, type JobContext, type JobIds, type RunJob, type RunningJob, type WakeDetails } from './runs.js'

export interface JobQueueDeps {
  /** The job store; what is lent (a `db`, an AgendaBackend) is never closed by the plugin. */
  readonly backend: JobBackend
  readonly log: Log
  /** The functions of the host that watch jobs. */
  readonly observer?: Observer
  /** Name that the store shows as the last one to change a job. */
  readonly name?: string
  /** The MongoDB collection, used by the plugin alone. */
  readonly collection: string
  /** False: this process only wakes jobs, others run them. */
  readonly work: boolean
  /** Maximum milliseconds for which `stop()` waits for running jobs. */
  readonly drainForMs: number
}

export interface JobOptions {
  /** Number of jobs of this name that run at once in one process. */
  readonly concurrency: number
  /** Milliseconds after which another process takes over a job whose lock was not renewed; running jobs renew it themselves. */
  readonly lockLifetime?: number
}

/** A job name with its work. */
export interface Definition {
  readonly options: JobOptions
  readonly run: RunJob
}

/** The started jobs, which `createJobQueue` passes its calls on to. */
export interface RunningAgenda {
  /** Begins to run jobs, and the first round of the sweeps; to be called once. */
  work(): Promise<void>
  wake(name: string, ids?: JobIds, at?: Date): Promise<void>
  runHere(name: string, work: (context: JobContext) => Promise<void>): boolean
  stop(): Promise<void>
  /** False while the job store fails. */
  isWell(): boolean
  /** What runs in this process now. */
  running(): readonly RunningJob[]
}

/** Milliseconds between polls for late wakes and those of other processes; wakes of this process are noticed at once. */
const POLL_INTERVAL = 1000
/** Milliseconds. */
const LOCK_LIFETIME = 30_000

/**
 * Opens the store, then creates Agenda with the corrections that it needs; it does not run jobs yet. The definitions and sweeps
 * (name and interval in milliseconds) must not change from here on. Throws an Error that names the store if that fails.
 */
export async function startAgenda(
  deps: JobQueueDeps,
  definitions: ReadonlyMap<string, Definition>,
  sweeps: ReadonlyMap<string, number>,
): Promise<RunningAgenda> {
  const { log } = deps
  const store = await openStore(deps.backend, deps.collection)
  const trouble = createTrouble(log)
  const runs = createRuns(deps)
  const channel = new CoalescingChannel()
  const merged = mergeCalls()
  const ended = new Map<string, string>()
  const corrections = correctAgenda({
    repository: store.repository,
    removed: refill,
    failed: trouble.begin,
    answered: trouble.end,
  })

  const agenda = new Agenda({
    // Already connected; and Agenda must not close what others still need while jobs drain.
    backend: {
      name: 'koa-itsm',
      repository: corrections.repository,
      ownsConnection: false,
      connect: async () => {},
      disconnect: async () => {},
    },
    name: deps.name ?? 'koa-itsm',
    processEvery: POLL_INTERVAL,
    maxConcurrency: [...definitions.values()].reduce((sum, { options }) => sum + options.concurrency, 1),
    notificationChannel: channel,
  })
  agenda.on('error', trouble.begin)
  agenda.on('complete', (job) => {
    if (!('attrs' in job)) return
    ended.set(job.attrs._id, job.attrs.name)
    // Agenda takes a job without a lock for a lost one, and would report an error while it removes this one.
    job.attrs.lockedAt = new Date()
  })

  for (const [name, { options, run }] of definitions) {
    const { concurrency, lockLifetime = LOCK_LIFETIME } = options
    agenda.define<WakeDetails>(name, async (job: Job<WakeDetails>) => runs.run(job, lockLifetime, run), {
      concurrency,
      // Without a limit, one process locks the whole backlog.
      lockLimit: concurrency,
      removeOnComplete: true,
    })
    const definition = agenda.definitions[name]
    if (definition) corrections.setLockLifetime(name, definition, lockLifetime)
  }

  /** A slot is free. Without this, a full process would find its next job only by polling. */
  function refill(jobId: string): void {
    const jobName = ended.get(jobId)
    ended.delete(jobId)
    if (jobName === undefined) return
    const now = new Date()
    void channel.publish({ jobId: toJobId(jobId), jobName, nextRunAt: now, priority: 0, timestamp: now })
  }

  async function wake(name: string, ids: JobIds = {}, at?: Date): Promise<void> {
    // Agenda compares with the system clock, so this does too.
    const now = new Date()
    const later = at !== undefined && at > now ? at : undefined
    const key = `${ids.id ?? ''}@${later?.toISOString() ?? 'now'}`
    async function save(): Promise<void> {
      const job = agenda.create(name, ids.id === undefined ? { key } : { id: ids.id, key })
      // Only values, no operators: every backend understands these. insertOnly, because an update would unlock a job that has
      // just been locked.
      await job
        .schedule(later ?? now)
        .unique({ 'data.key': key, lockedAt: null }, { insertOnly: true })
        .save()
    }
    try {
      // MongoDB alone would insert parallel wakes twice.
      await inTime(STORE_TIMEOUT, merged(`${name} ${key}`, save))
    } catch (error) {
      trouble.begin(error)
    }
  }

  /** Multiples of the interval are the same times in all processes, and so the same wake. */
  function wakeAtNextMultiple(name: string, intervalMs: number): Promise<void> {
    return wake(name, {}, new Date((Math.floor(Date.now() / intervalMs) + 1) * intervalMs))
  }

  const timers: NodeJS.Timeout[] = []

  return {
    wake,
    runHere: runs.runHere,
    isWell: () => !trouble.isAway(),
    running: runs.list,

    async work() {
      await agenda.start()
      for (const [name, intervalMs] of sweeps) {
        await wake(name)
        await wakeAtNextMultiple(name, intervalMs)
        timers.push(setInterval(() => void wakeAtNextMultiple(name, intervalMs), intervalMs))
      }
    },

    async stop() {
      for (const timer of timers) clearInterval(timer)
      runs.announceStop()
      corrections.stopLocking()
      // A job whose lock has just arrived gets into Agenda's list before Agenda unlocks the jobs of that list.
      await new Promise((resolve) => setImmediate(resolve))
      await inTime(STORE_TIMEOUT, agenda.stop(false)).catch(trouble.begin)
      // A job that is about to start counts as running only after its state is written.
      await inTime(STORE_TIMEOUT, corrections.whenIdle()).catch(trouble.begin)
      await runs.drain(deps.drainForMs, corrections.repository)
      await inTime(STORE_TIMEOUT, corrections.whenIdle()).catch(trouble.begin)
      corrections.shut()
      await store.close()
    },
  }
}

/** Logs the first failure of the store and its return, but not the failing calls in between. */
function createTrouble(log: Log): { begin(error: unknown): void; end(): void; isAway(): boolean } {
  let isAway = false
  return {
    isAway: () => isAway,
    begin(err) {
      if (isAway) return log.debug({ err }, 'The job store still fails')
      isAway = true
      log.error({ err }, 'The job store failed; due jobs wait until it responds again')
    },
    end() {
      if (isAway) log.info({}, 'The job store responds again')
      isAway = false
    },
  }
}
