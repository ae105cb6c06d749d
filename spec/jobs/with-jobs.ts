/** Jobs on a store that is lent for one spec: what specs about jobs start from. */
import { afterEach, beforeEach } from 'mocha'
import { createJobQueue, type JobQueue, type JobQueueDeps } from '../../plugin/jobs/job-queue.js'
import { settingsWith } from '../support/settings.js'
import { recordLog } from './record-log.js'
import type { LentStore } from './stores.js'

/** Only while a spec runs. */
export interface WithJobs {
  readonly store: LentStore
  readonly recorded: ReturnType<typeof recordLog>
  /** Jobs that are stopped when the spec ends. */
  create(deps?: Partial<JobQueueDeps>): JobQueue
  /** How many jobs of this name wait or run. */
  countOf(name: string): Promise<number>
}

/** Lends a store to each spec of the block that calls it. */
export function withJobs(lend: () => Promise<LentStore>): WithJobs {
  const started: JobQueue[] = []
  let current: { readonly store: LentStore; readonly recorded: ReturnType<typeof recordLog> } | null = null

  beforeEach('lends a store', async () => {
    current = { store: await lend(), recorded: recordLog() }
  })
  afterEach('takes the store back', async () => {
    await Promise.all(started.splice(0).map((jobs) => jobs.stop()))
    await current?.store.drop()
    current = null
  })

  const now = () => {
    if (!current) throw new Error('There is a store only while a spec runs')
    return current
  }
  return {
    get store() {
      return now().store
    },
    get recorded() {
      return now().recorded
    },
    create(deps = {}) {
      const { store, recorded } = now()
      const jobs = createJobQueue({
        ...settingsWith().jobs,
        backend: store.backend,
        log: recorded.log,
        drainForMs: 5000,
        ...deps,
      })
      started.push(jobs)
      return jobs
    },
    countOf: async (name) => (await now().store.repository.queryJobs({ name })).total,
  }
}
