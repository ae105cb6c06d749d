/**
 * Wraps the store of Agenda and corrects what Agenda 6.2 does wrong with it. Each correction fails safe: without it a job comes
 * late or twice, which does no harm because work is read from the rows.
 */
import type { JobDefinition, JobRepository } from 'agenda'

/** A repository with its corrections, and the pending calls to it. */
export interface CorrectedRepository {
  readonly repository: JobRepository
  /** Sets the lock lifetime of a job name, in milliseconds; to be called right after Agenda defined it. */
  setLockLifetime(name: string, definition: JobDefinition, lockLifetime: number): void
  /** Locks no further job from now on; a job that is being locked at this time is unlocked again. */
  stopLocking(): void
  /** Resolves when no call is pending and none follows from the last one. */
  whenIdle(): Promise<void>
  /** Rejects what Agenda still wants to write to the store from now on. */
  shut(): void
}

/** Half of this, in milliseconds, is the longest time for which a finished job keeps the process from ending. */
const ALIVE_CHECK = 1000

/** Longer than any process lives, in milliseconds. */
const FOREVER = 100 * 365 * 24 * 3600 * 1000

/**
 * Corrects a repository. `removed` gets the id of each job that has ended and left the store, once its slot is free again;
 * `failed` gets failures that Agenda would leave unhandled; `answered` is called after each call that succeeded.
 */
export function correctAgenda(deps: {
  repository: JobRepository
  removed(jobId: string): void
  failed(error: unknown): void
  answered(): void
}): CorrectedRepository {
  const calls = new Set<Promise<unknown>>()
  const lifetimes = new Map<string, number>()
  let isStarting = false
  let isStopped = false
  let isShut = false

  /** The repository as it is; tracks the pending calls. */
  const repository = new Proxy(deps.repository, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key)
      if (typeof method !== 'function') return method
      return (...values: unknown[]) => trackCall(Promise.resolve(Reflect.apply(method, target, values)))
    },
  })

  const corrected: Partial<JobRepository> = {
    async getNextJobToRun(name, nextScanAt, lockDeadline, now, options) {
      if (isStopped) return undefined
      const lifetime = lifetimes.get(name)
      const deadline = lifetime === undefined ? lockDeadline : new Date(Date.now() - lifetime)
      const job = await repository.getNextJobToRun(name, nextScanAt, deadline, now, options)
      if (job && !job.nextRunAt) {
        // Its process died while it ran. Without a time, no process would run it again after it was unlocked.
        job.nextRunAt = new Date()
        await repository.saveJobState(job, options)
      }
      if (!job?._id || !isStopped) return job
      // Locked while stopping: no process would run it before its lock expires.
      await repository.unlockJobs([job._id])
      return undefined
    },

    async saveJobState(job, options) {
      if (isShut) throw new Error('The jobs have been stopped')
      // The job has ended and is removed next. Unlocked, it would look like a pending wake, and a new one would be lost.
      if (!job.lockedAt && !job.nextRunAt) return
      isStarting = true
      queueMicrotask(() => {
        isStarting = false
      })
      await repository.saveJobState(job, options)
    },

    // Agenda does not wait for this call; its rejection would end the process.
    async unlockJob(job) {
      await repository.unlockJob(job).catch(deps.failed)
    },

    async removeJobs(options) {
      if (isShut) throw new Error('The jobs have been stopped')
      try {
        return await repository.removeJobs(options)
      } finally {
        // Agenda counts the job as locked until the promise callbacks of this call have run.
        if (options.id) setImmediate(deps.removed, String(options.id))
      }
    },
  }

  function trackCall<T>(call: Promise<T>): Promise<T> {
    calls.add(call)
    const end = () => calls.delete(call)
    void call.then(deps.answered, () => {}).finally(end)
    return call
  }

  return {
    repository: new Proxy(repository, {
      get: (target, key): unknown => Reflect.get(corrected, key) ?? Reflect.get(target, key),
    }),

    setLockLifetime(name, definition, lockLifetime) {
      lifetimes.set(name, lockLifetime)
      // Agenda reads the lifetime in three places. (1) For the deadline of abandoned locks: corrected above. (2) To abandon a
      // job of its own that is late. Agenda then never frees the slot of a job that has not started yet (a paused machine is
      // enough), so it must never find one late. (3) At the start of a run, for a timer of half the lifetime, which is never
      // cleared and keeps the process from ending. Agenda reads it in the same turn in which it writes the state of the
      // starting job, so only then it gets a short time.
      Object.defineProperty(definition, 'lockLifetime', { get: () => (isStarting ? ALIVE_CHECK : FOREVER) })
    },

    stopLocking() {
      isStopped = true
    },

    async whenIdle() {
      do {
        await Promise.allSettled([...calls])
        await new Promise((resolve) => setImmediate(resolve))
      } while (calls.size > 0)
    },

    shut() {
      isShut = true
    },
  }
}
