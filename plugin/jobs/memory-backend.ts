/**
 * A job store in memory, for embedded use without a server. Jobs end with the process. That is harmless, because rows say what
 * is due, and `start()` and the sweeps wake it again.
 */
import type { AgendaBackend, JobId, JobParameters, JobRepository, JobWithState, RemoveJobsOptions } from 'agenda'
import { computeJobState, toJobId } from 'agenda'
import { accepting, acceptingOnly, compareBy, compareDue, having, isSame } from './match-jobs.js'

type StoredJob = JobParameters & { _id: JobId }

/**
 * Creates an empty store that any Agenda of this process can use, also several at once: an Agenda that stops does not empty it.
 * All methods of a job repository work as on MongoDB, except that debouncing throws an Error. Jobs are copied on their way in
 * and out, their `data` is not.
 */
export function createMemoryBackend(): AgendaBackend {
  return {
    name: 'memory',
    repository: createMemoryRepository(),
    ownsConnection: false,
    connect: async () => {},
    disconnect: async () => {},
  }
}

function createMemoryRepository(): JobRepository {
  const jobs = new Map<string, StoredJob>()
  let lastId = 0

  /** Scans all jobs: some thousands cost less than a millisecond, and more wait only when something is broken. */
  function select(accepts: (job: StoredJob) => boolean): StoredJob[] {
    return [...jobs.values()].filter(accepts)
  }

  function findFirst(accepts: (job: StoredJob) => boolean): StoredJob | undefined {
    for (const job of jobs.values()) if (accepts(job)) return job
    return undefined
  }

  /** The stored job that has to be updated in place of an insert; undefined for a new job. */
  function findExisting({ _id, name, type, unique }: Pick<JobParameters, '_id' | 'name' | 'type' | 'unique'>) {
    if (_id !== undefined) return jobs.get(_id)
    if (type === 'single') return findFirst((other) => other.name === name && other.type === 'single')
    if (!unique) return undefined
    const isSameWake = having(unique)
    return findFirst((other) => other.name === name && isSameWake(other))
  }

  function insert(job: Omit<JobParameters, '_id'>): StoredJob {
    lastId += 1
    // Not a spread: its result has a hidden class of its own here, which makes looking through all jobs 50 times slower.
    const stored = Object.assign({}, job, { _id: toJobId(String(lastId)) })
    jobs.set(stored._id, stored)
    return stored
  }

  function lock(job: StoredJob, at: Date, by: string | undefined): JobParameters {
    job.lockedAt = at
    if (by !== undefined) job.lastModifiedBy = by
    return { ...job }
  }

  function setDisabled(options: RemoveJobsOptions, disabled: boolean): number {
    const chosen = select(acceptingOnly(options)).filter((job) => (job.disabled ?? false) !== disabled)
    for (const job of chosen) job.disabled = disabled
    return chosen.length
  }

  return {
    async connect() {},

    async queryJobs(options = {}) {
      const { state, search = '', includeDisabled = true, sort, skip = 0, limit = 0 } = options
      const now = new Date()
      const found = select(accepting(options))
        .filter((job) => job.name.toLowerCase().includes(search.toLowerCase()) && (includeDisabled || !job.disabled))
        .map((job): JobWithState => ({ ...job, state: computeJobState(job, now) }))
        .filter((job) => !state || (state === 'paused' ? job.disabled === true : job.state === state))
        .sort(compareBy(sort ?? { nextRunAt: 'desc', lastRunAt: 'desc' }))
      return { jobs: found.slice(skip, limit > 0 ? skip + limit : undefined), total: found.length }
    },

    async getJobsOverview() {
      const now = new Date()
      return [...new Set(select(() => true).map((job) => job.name))].map((name) => {
        const overview = {
          name,
          total: 0,
          running: 0,
          scheduled: 0,
          queued: 0,
          completed: 0,
          failed: 0,
          repeating: 0,
          paused: 0,
        }
        for (const job of select((candidate) => candidate.name === name)) {
          overview.total += 1
          overview[computeJobState(job, now)] += 1
          if (job.disabled) overview.paused += 1
        }
        return overview
      })
    },

    getDistinctJobNames: async () => [...new Set(select(() => true).map((job) => job.name))],

    async getJobById(id) {
      const job = jobs.get(id)
      return job ? { ...job } : null
    },

    async getQueueSize() {
      const now = new Date()
      return select((job) => job.nextRunAt !== null && job.nextRunAt < now).length
    },

    async removeJobs(options) {
      // The removal after each job; all others are rare.
      if (Object.keys(options).length === 1 && options.id) return jobs.delete(String(options.id)) ? 1 : 0
      const removed = select(acceptingOnly(options))
      for (const job of removed) jobs.delete(job._id)
      return removed.length
    },

    async saveJob<DATA>(job: JobParameters<DATA>, options: { lastModifiedBy?: string } | undefined) {
      const { _id, unique, uniqueOpts, ...fields } = job
      if (uniqueOpts?.debounce) throw new Error('The job store in memory does not debounce')
      if (options?.lastModifiedBy !== undefined) fields.lastModifiedBy = options.lastModifiedBy
      const existing = findExisting(job)
      // A job that has ended in the meantime is not inserted again.
      if (_id !== undefined && !existing) return job
      if (!existing) return { ...insert(fields) } as JobParameters<DATA>
      if (_id === undefined && unique && uniqueOpts?.insertOnly) return { ...existing } as JobParameters<DATA>
      // Defining a repeating job again at startup must not postpone a run that is already due.
      const keepsTime = _id === undefined && fields.type === 'single' && fields.nextRunAt && fields.nextRunAt <= new Date()
      Object.assign(existing, fields, keepsTime ? { nextRunAt: existing.nextRunAt } : {})
      return { ...existing } as JobParameters<DATA>
    },

    async saveJobState(job, options) {
      const stored = job._id && jobs.get(job._id)
      if (!stored || stored.name !== job.name) throw new Error(`The job ${job._id} (${job.name}) no longer exists`)
      const { nextRunAt, lockedAt, lastRunAt, lastFinishedAt, progress, failReason, failCount, failedAt } = job
      Object.assign(stored, { nextRunAt, lockedAt, lastRunAt, lastFinishedAt, progress, failReason, failCount, failedAt })
      if (options?.lastModifiedBy !== undefined) stored.lastModifiedBy = options.lastModifiedBy
    },

    async lockJob(job, options) {
      const stored = job._id && jobs.get(job._id)
      if (!stored || stored.lockedAt || stored.disabled || !isSame(stored.nextRunAt, job.nextRunAt)) return undefined
      return lock(stored, new Date(), options?.lastModifiedBy)
    },

    async unlockJob(job) {
      const stored = job._id && jobs.get(job._id)
      if (stored && stored.nextRunAt !== null) delete stored.lockedAt
    },

    async unlockJobs(ids) {
      for (const id of ids) delete jobs.get(id)?.lockedAt
    },

    async getNextJobToRun(name, nextScanAt, lockDeadline, now, options) {
      // Compares numbers: comparing dates is slow, and each scan of a backlog compares thousands.
      const [scanTime, deadline] = [nextScanAt.getTime(), lockDeadline.getTime()]
      let next: StoredJob | undefined
      for (const job of jobs.values()) {
        if (job.name !== name || job.disabled) continue
        const mayRun = job.lockedAt ? job.lockedAt.getTime() <= deadline : job.nextRunAt && job.nextRunAt.getTime() <= scanTime
        if (mayRun && (!next || compareDue(job, next) < 0)) next = job
      }
      return next && lock(next, now ?? new Date(), options?.lastModifiedBy)
    },

    disableJobs: async (options) => setDisabled(options, true),
    enableJobs: async (options) => setDisabled(options, false),

    async purgeAllJobs() {
      const count = jobs.size
      jobs.clear()
      return count
    },
  }
}
