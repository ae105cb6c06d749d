/** The running jobs: keeps their locks fresh, logs their failures and waits for them at the stop. */
import { setMaxListeners } from 'node:events'
import type { Job, JobRepository } from 'agenda'
import type { Log } from '../core/log.js'
import type { Observer } from '../core/observe.js'
import { inTime } from '../core/waiting/in-time.js'
import { STORE_TIMEOUT } from './agenda-store.js'

/** Data of a job: at most the id of its row. Everything else is read from the row. */
export interface JobIds {
  readonly id?: number
}

/** Signals for a running job that the process is about to end. */
export interface JobContext {
  /** Aborts when `stop()` begins: a long job ends at its next safe point. Nothing is interrupted yet. */
  readonly stopping: AbortSignal
  /** Aborts when the time to drain has expired: connections are closed next. Made to be passed to `fetch`. */
  readonly cutOff: AbortSignal
}

/** The work of a job. It may be called twice, also at the same time, and must read from the rows what is due. */
export type RunJob = (ids: JobIds, context: JobContext) => Promise<void>

/** A job as it is stored; wakes with the same `key` are one wake. */
export interface WakeDetails extends JobIds {
  readonly key: string
}

/** A job that runs in this process. */
export interface RunningJob {
  readonly name: string
  readonly began_at: Date
}

export interface Runs {
  /** Runs one job to its end. Never throws: Agenda would keep a failed job forever, but only its row counts. */
  run(job: Job<WakeDetails>, lockLifetime: number, work: RunJob): Promise<void>
  /** Runs work without a job of the store. Returns false, and does nothing, once running work has been asked to end. */
  runHere(name: string, work: (context: JobContext) => Promise<void>): boolean
  /** What runs now, the oldest first. */
  list(): readonly RunningJob[]
  /** Asks running jobs to end soon. */
  announceStop(): void
  /** Waits for running jobs, at most this long; then returns the rest to the store, so that other processes can run them. */
  drain(milliseconds: number, repository: JobRepository): Promise<void>
}

/** Dependencies of running jobs. */
export interface RunsDeps {
  readonly log: Log
  readonly observer?: Observer
}

/** Creates the list, without a running job. */
export function createRuns({ log, observer }: RunsDeps): Runs {
  const running = new Map<Job<WakeDetails>, Promise<void>>()
  const here = new Set<Promise<void>>()
  const underWay = new Set<RunningJob>()
  const stopping = new AbortController()
  const cutOff = new AbortController()
  // Each running job may add a listener, and their number has no limit.
  setMaxListeners(0, stopping.signal, cutOff.signal)
  const context: JobContext = { stopping: stopping.signal, cutOff: cutOff.signal }

  /** Does the work of a job, and tells the host of it. */
  async function watched(name: string, work: () => Promise<void>): Promise<void> {
    const one: RunningJob = { name, began_at: new Date() }
    const since = performance.now()
    let failed = true
    underWay.add(one)
    try {
      await work()
      failed = false
    } finally {
      underWay.delete(one)
      observer?.job?.({ name, ms: performance.now() - since, failed })
    }
  }

  async function work(job: Job<WakeDetails>, lockLifetime: number, runJob: RunJob): Promise<void> {
    const { name, data } = job.attrs
    const ids: JobIds = data?.id === undefined ? {} : { id: data.id }
    // A lock that is not renewed (the store is down) is taken over by another process: the job runs twice, which is harmless.
    const heartbeat = setInterval(() => {
      job.touch().catch((err: unknown) => log.debug({ err, job: name, ...ids }, 'The lock of a running job was not renewed'))
    }, lockLifetime / 3).unref()
    try {
      await watched(name, () => runJob(ids, context))
    } catch (err) {
      log.error({ err, job: name, ...ids }, 'A job failed')
    } finally {
      clearInterval(heartbeat)
    }
  }

  async function giveBack(job: Job<WakeDetails>, repository: JobRepository): Promise<void> {
    // A job without a time counts as done, so unlocking it would not be enough.
    const { lockedAt: _lock, ...state } = job.attrs
    try {
      await inTime(STORE_TIMEOUT, repository.saveJobState({ ...state, nextRunAt: new Date() }, undefined))
    } catch (err) {
      log.debug({ err, job: job.attrs.name }, 'A job was not returned to the store; its lock expires by itself')
    }
  }

  return {
    async run(job, lockLifetime, runJob) {
      const end = work(job, lockLifetime, runJob)
      running.set(job, end)
      await end
      running.delete(job)
    },

    runHere(name, work) {
      if (stopping.signal.aborted) return false
      const end = watched(name, () => work(context))
        .catch((err: unknown) => log.error({ err, job: name }, 'A job failed'))
        .finally(() => here.delete(end))
      here.add(end)
      return true
    },

    list: () => [...underWay],

    announceStop: () => stopping.abort(),

    async drain(milliseconds, repository) {
      let timer: NodeJS.Timeout | undefined
      const timeUp = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, milliseconds)
      })
      await Promise.race([Promise.all([...running.values(), ...here]), timeUp])
      clearTimeout(timer)
      if (running.size + here.size === 0) return

      log.warn({ jobs: [...underWay].map(({ name }) => name) }, 'Jobs were still running when the time to drain had expired')
      cutOff.abort()
      await Promise.all([...running.keys()].map((job) => giveBack(job, repository)))
    },
  }
}
