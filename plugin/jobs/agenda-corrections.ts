/**
 * Stands between Agenda and its store and corrects what Agenda 6.2 gets wrong there. Each correction fails safe: without it
 * a job comes late or twice, which the rows forgive.
 */
import type { JobDefinition, JobRepository } from 'agenda'

/** A repository with its corrections, and the calls that are under way to it. */
export interface CorrectedRepository {
  readonly repository: JobRepository
  /** Gives a job name its lock lifetime in milliseconds; to be called right after Agenda defined it. */
  setLockLifetime(name: string, definition: JobDefinition, lockLifetime: number): void
  /** No job is locked from now on; one that is being locked just now is given back. */
  stopLocking(): void
  /** Resolves when no call is under way and none follows from the last one. */
  whenIdle(): Promise<void>
  /** Nothing that Agenda may still want to write reaches the store from now on. */
  shut(): void
}

/** Half of this, in milliseconds, is the longest time that a finished job keeps the process from ending. */
const ALIVE_CHECK = 1000

/** Longer than any process lives, in milliseconds. */
const FOREVER = 100 * 365 * 24 * 3600 * 1000

/**
 * Corrects a repository. `removed` is told the id of each job that has ended and left the store, when its place is free again;
 * `failed` hears of failures that Agenda would leave unhandled; `answered` of each call that went well.
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

  /** The repository as it is; knows which calls are under way. */
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
        // Its process died while it ran. Without a time nobody would take it once more after its lock was given back.
        job.nextRunAt = new Date()
        await repository.saveJobState(job, options)
      }
      if (!job?._id || !isStopped) return job
      // Locked while we were stopping: nobody would run it before its lock expires.
      await repository.unlockJobs([job._id])
      return undefined
    },

    async saveJobState(job, options) {
      if (isShut) throw new Error('The jobs have been stopped')
      // Has ended and is removed next. Unlocked it would look like a pending wake until then, and a wake would be lost.
      if (!job.lockedAt && !job.nextRunAt) return
      isStarting = true
      queueMicrotask(() => {
        isStarting = false
      })
      await repository.saveJobState(job, options)
    },

    // Agenda does not wait for this one; its rejection would end the process.
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
      // Agenda reads the lifetime in three places. (1) For the deadline of abandoned locks: corrected above. (2) To give up a
      // job of its own that is late; it then forgets to free the place of one that has not started yet, for good (a paused
      // machine is enough), so it never finds one late. (3) At the start of a run, for a timer of half the lifetime that
      // nobody clears and that keeps the process from ending. It reads that one in the same turn in which it writes the
      // state of the starting job, and there alone gets a short time.
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
