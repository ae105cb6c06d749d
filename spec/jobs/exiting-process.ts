/**
 * A process of its own for `job-queue.spec.ts`: does two jobs on the store that is its argument (`memory` or a URL), stops and
 * must then end by itself, although a lock lives for ten minutes. A third job is due a moment later and stays undone.
 */
import { createJobQueue } from '../../plugin/jobs/job-queue.js'
import { settingsWith } from '../support/settings.js'
import { recordLog } from './record-log.js'

const store = process.argv[2] ?? 'memory'
const jobs = createJobQueue({
  ...settingsWith().jobs,
  backend: store === 'memory' ? store : { url: store },
  log: recordLog().log,
  drainForMs: 1000,
})
let done = 0
const bothDone = new Promise<void>((resolve) => {
  jobs.define('count', { concurrency: 5, lockLifetime: 600_000 }, async () => {
    done += 1
    if (done === 2) resolve()
  })
})
jobs.define('sweep', { concurrency: 1, lockLifetime: 600_000 }, async () => {})
jobs.every('sweep', 3_600_000)
await jobs.start()
await jobs.wake('count', { id: 1 })
await jobs.wake('count', { id: 2 })
await jobs.wake('count', { id: 3 }, new Date(Date.now() + 900))
await bothDone
await jobs.stop()
process.stdout.write(`stopped after ${done}`)
