import { randomUUID } from 'node:crypto'
import type { AgendaBackend } from 'agenda'
import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { createJobQueue } from '../../plugin/jobs/job-queue.js'
import { createMemoryBackend } from '../../plugin/jobs/memory-backend.js'
import { settingsWith } from '../support/settings.js'
import { recordLog } from './record-log.js'
import { dropDatabase, gate, MONGODB_URL, openLine, until, urlOfRandomDatabase } from './stores.js'

describe('jobs', () => {
  const { log } = recordLog()
  const parts = { ...settingsWith().jobs, log, drainForMs: 100 }

  it('refuse a second definition, a late one and a sweep without one', async () => {
    const jobs = createJobQueue({ ...parts, backend: 'memory' })
    const define = (name: string) => jobs.define(name, { concurrency: 1 }, async () => {})
    define('deliver')
    expect(() => define('deliver')).to.throw('There is already a job deliver')
    jobs.every('sweep', 1000)
    expect(await jobs.start().catch((error: Error) => error.message)).to.equal('The sweep sweep is not defined')
    define('sweep')
    await jobs.start()
    expect(() => define('late')).to.throw('after start()')
    await jobs.stop()
  })

  it('say which MongoDB is not reachable, without its password', async () => {
    const jobs = createJobQueue({ ...parts, backend: { url: 'mongodb://root:secret@127.0.0.1:1/jobs' } })
    const refusal = await jobs.start().catch((error: Error) => error.message)
    expect(refusal).to.match(/^koa-itsm cannot use the job store \(MongoDB at 127\.0\.0\.1:1\): .*ECONNREFUSED/)
    expect(refusal).to.not.contain('secret')
    await jobs.wake('deliver', { id: 1 })
    await jobs.stop()
  })

  it('say that a lent backend does not connect', async () => {
    const connectFailing = async () => {
      throw new Error('no such host')
    }
    const jobs = createJobQueue({ ...parts, backend: { ...createMemoryBackend(), name: 'Redis', connect: connectFailing } })
    const refusal = await jobs.start().catch((error: Error) => error.message)
    expect(refusal).to.equal('koa-itsm cannot use the job store Redis: no such host')
  })

  it('does not lose a wake that comes while the finished job is being removed', async () => {
    const backend = createMemoryBackend()
    const [removing, mayRemove] = [gate(), gate()]
    const slow: AgendaBackend = {
      ...backend,
      repository: {
        ...backend.repository,
        removeJobs: async (options) => {
          removing.open()
          await mayRemove.opened
          return backend.repository.removeJobs(options)
        },
      },
    }
    let runs = 0
    const jobs = createJobQueue({ ...parts, backend: slow })
    jobs.define('deliver', { concurrency: 2 }, async () => {
      runs += 1
    })
    await jobs.start()
    await jobs.wake('deliver', { id: 1 })
    await removing.opened
    await jobs.wake('deliver', { id: 1 })
    mayRemove.open()
    await until(() => runs === 2)
    await jobs.stop()
  })

  it('give back the job of a dead process that they were just taking over when they stop', async () => {
    const backend = createMemoryBackend()
    const [locking, mayLock] = [gate(), gate()]
    const slow: AgendaBackend = {
      ...backend,
      repository: {
        ...backend.repository,
        getNextJobToRun: async (...query) => {
          locking.open()
          await mayLock.opened
          return backend.repository.getNextJobToRun(...query)
        },
      },
    }
    const abandoned = { name: 'import', priority: 0, type: 'normal' as const, nextRunAt: null, data: {}, lockedAt: new Date(0) }
    await backend.repository.saveJob(abandoned, undefined)
    const jobs = createJobQueue({ ...parts, backend: slow })
    jobs.define('import', { concurrency: 1 }, async () => {})
    await jobs.start()
    await locking.opened
    const stopped = jobs.stop()
    mayLock.open()
    await stopped
    const left = (await backend.repository.queryJobs()).jobs
    expect(left.map(({ state }) => state)).to.deep.equal(['queued'])
  })
})

const server = MONGODB_URL
if (server) {
  describe('jobs on a MongoDB that goes away', () => {
    it('lose no caller, say it once, and go on when it is back', async function () {
      this.timeout(40_000)
      const line = await openLine(server)
      const recorded = recordLog()
      const seen: unknown[] = []
      const url = urlOfRandomDatabase(line.url)
      const jobs = createJobQueue({ ...settingsWith().jobs, backend: { url }, log: recorded.log, drainForMs: 1000 })
      jobs.define('deliver', { concurrency: 1 }, async ({ id }) => void seen.push(id))
      await jobs.start()
      await jobs.wake('deliver', { id: 1 })
      await until(() => seen.length === 1)

      line.cut()
      await jobs.wake('deliver', { id: 2 })
      await jobs.wake('deliver', { id: 3 })
      expect(recorded.of('error').map((entry) => entry.message)).to.deep.equal([
        'The job store failed; due jobs wait until it responds again',
      ])

      line.mend()
      await until(() => recorded.of('info').length > 0)
      await jobs.wake('deliver', { id: 4 })
      await until(() => seen.includes(4))
      await jobs.stop()
      await line.close()
      await dropDatabase(urlOfRandomDatabase(server, new URL(url).pathname))
    })

    it('make only their own indexes and collection in a lent database', async () => {
      const client = await new MongoClient(server).connect()
      const db = client.db(`itsm_spec_${randomUUID().slice(0, 8)}`)
      const jobs = createJobQueue({ backend: { db }, log: recordLog().log, collection: 'own', work: true, drainForMs: 0 })
      await jobs.start()
      await jobs.stop()
      const collections = await db.listCollections().toArray()
      const indexes = await db.collection('own').indexes()
      await db.dropDatabase()
      await client.close()
      expect(collections.map(({ name }) => name)).to.deep.equal(['own'])
      expect(indexes.map(({ name }) => name)).to.have.members(['_id_', 'findAndLockNextJobIndex', 'itsm_locks', 'itsm_keys'])
    })
  })
}
