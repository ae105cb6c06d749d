import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { MongoJobRepository } from '@agendajs/mongo-backend'
import type { AgendaBackend, JobRepository } from 'agenda'
import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { createJobs, type JobBackend, type Jobs, type JobsParts } from '../../plugin/jobs/agenda.js'
import { createMemoryBackend } from '../../plugin/jobs/memory-backend.js'
import { recordLog } from './record-log.js'

const MONGODB_URL = process.env['MONGODB_URL']

/** A store to lend, and a look into it. */
interface LentStore {
  backend: JobBackend
  repository: JobRepository
  drop(): Promise<void>
}

async function lendMemory(): Promise<LentStore> {
  const backend = createMemoryBackend()
  return { backend, repository: backend.repository, drop: async () => {} }
}

async function lendMongo(url: string): Promise<LentStore> {
  const client = await new MongoClient(url, { serverSelectionTimeoutMS: 3000 }).connect()
  const db = client.db(`itsm_spec_${randomUUID().slice(0, 8)}`)
  const repository = new MongoJobRepository({ mongo: db, db: { collection: 'itsm_jobs' } })
  await repository.connect()
  const drop = async () => {
    await db.dropDatabase()
    await client.close()
  }
  return { backend: { db }, repository, drop }
}

/** A promise that a spec settles itself. */
function gate(): { opened: Promise<void>; open(): void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Looks until something is true, for ten seconds at most, so that a failing spec does not keep the process. */
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 1000; looks += 1) {
    if (await isTrue()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('It never became true')
}

const STORES: [name: string, lend: () => Promise<LentStore>][] = [['memory', lendMemory]]
if (MONGODB_URL) STORES.push(['MongoDB', () => lendMongo(MONGODB_URL)])

for (const [storeName, lend] of STORES) {
  describe(`jobs on ${storeName}`, () => {
    let store: LentStore
    let started: Jobs[]
    let recorded: ReturnType<typeof recordLog>

    beforeEach(async () => {
      store = await lend()
      started = []
      recorded = recordLog()
    })

    afterEach(async () => {
      await Promise.all(started.map((jobs) => jobs.stop()))
      await store.drop()
    })

    function create(parts: Partial<JobsParts> = {}): Jobs {
      const jobs = createJobs({ backend: store.backend, log: recorded.log, work: true, drainFor: 5000, ...parts })
      started.push(jobs)
      return jobs
    }

    const countOf = async (name: string) => (await store.repository.queryJobs({ name })).total

    it('runs a job when it is woken, with the id of its row and nothing else, and forgets it', async () => {
      const seen: unknown[] = []
      const jobs = create()
      jobs.define('deliver', { concurrency: 2 }, async (ids) => void seen.push(ids))
      await jobs.start()
      await jobs.wake('deliver', { id: 7 })
      await jobs.wake('deliver')
      await until(async () => seen.length === 2 && (await countOf('deliver')) === 0)
      expect(seen).to.deep.include({ id: 7 }).and.to.deep.include({})
    })

    it('runs a job at its time, after those that are due at once', async () => {
      const order: unknown[] = []
      const jobs = create()
      const at = new Date(Date.now() + 400)
      jobs.define('deliver', { concurrency: 5 }, async ({ id }) => void order.push(id, new Date() >= at))
      await jobs.start()
      await jobs.wake('deliver', { id: 2 }, at)
      await jobs.wake('deliver', { id: 1 })
      await until(() => order.length === 4)
      expect(order).to.deep.equal([1, false, 2, true])
    })

    it('keeps one pending wake for the same name, id and time', async () => {
      const jobs = create({ work: false })
      await jobs.start()
      const at = new Date(Date.now() + 60_000)
      for (let round = 0; round < 3; round += 1) {
        await jobs.wake('deliver', { id: 1 })
        await jobs.wake('deliver', { id: 2 })
        await jobs.wake('deliver', { id: 1 }, at)
        await jobs.wake('deliver', { id: 1 }, new Date(0))
        await jobs.wake('import', { id: 1 })
        await jobs.wake('import')
      }
      expect([await countOf('deliver'), await countOf('import')]).to.deep.equal([3, 2])
    })

    it('runs a job once more when it is woken while it runs', async () => {
      const gates = [gate(), gate()]
      const began: number[] = []
      const jobs = create()
      jobs.define('deliver', { concurrency: 1 }, async () => {
        began.push(began.length)
        await gates[began.length - 1]?.opened
      })
      await jobs.start()
      await jobs.wake('deliver', { id: 1 })
      await until(() => began.length === 1)
      await jobs.wake('deliver', { id: 1 })
      await jobs.wake('deliver', { id: 1 })
      expect(began).to.have.length(1)
      gates[0]?.open()
      await until(() => began.length === 2)
      gates[1]?.open()
      await until(async () => (await countOf('deliver')) === 0)
      expect(began).to.have.length(2)
    })

    it('does every job of two working processes, whoever woke it', async () => {
      const done = new Set<unknown>()
      const pair = [create(), create(), create({ work: false })]
      for (const jobs of pair) {
        jobs.define('deliver', { concurrency: 2 }, async ({ id }) => void done.add(id))
        await jobs.start()
      }
      for (let id = 1; id <= 12; id += 1) await Promise.all(pair.map((jobs) => jobs.wake('deliver', { id })))
      await until(async () => done.size === 12 && (await countOf('deliver')) === 0)
      expect(recorded.of('error')).to.deep.equal([])
    })

    it('logs a job that fails and goes on with the others', async () => {
      const done: unknown[] = []
      const jobs = create()
      jobs.define('deliver', { concurrency: 1 }, async ({ id }) => {
        if (id === 1) throw new Error('receiver gone')
        done.push(id)
      })
      await jobs.start()
      for (const id of [1, 2]) await jobs.wake('deliver', { id })
      await until(async () => done.length === 1 && (await countOf('deliver')) === 0)
      expect(recorded.of('error')).to.have.length(1)
      expect(recorded.of('error')[0]).to.deep.include({ message: 'A job failed' })
      expect(recorded.of('error')[0]?.details).to.include({ job: 'deliver', id: 1 })
    })

    it('works off a backlog at its concurrency, without waiting for the next poll after each job', async function () {
      // One job a poll and place would take 40 seconds.
      this.timeout(15_000)
      let running = 0
      let most = 0
      let done = 0
      const enqueuer = create({ work: false })
      await enqueuer.start()
      for (let id = 1; id <= 80; id += 1) await enqueuer.wake('deliver', { id })
      const jobs = create()
      jobs.define('deliver', { concurrency: 2 }, async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
        done += 1
      })
      await jobs.start()
      await until(() => done === 80)
      expect(most).to.equal(2)
    })

    it('renews the lock of a job that runs longer than it lives, so that it runs once', async () => {
      const hold = gate()
      let runs = 0
      const pair = [create(), create()]
      for (const jobs of pair) {
        jobs.define('import', { concurrency: 2, lockLifetime: 600 }, async () => {
          runs += 1
          await hold.opened
        })
        await jobs.start()
      }
      await pair[0]?.wake('import', { id: 1 })
      await until(() => runs === 1)
      const lockedAt = async () => (await store.repository.queryJobs({ name: 'import' })).jobs[0]?.lockedAt?.getTime() ?? 0
      const firstLock = await lockedAt()
      await until(async () => (await lockedAt()) > firstLock + 1500)
      hold.open()
      await until(async () => (await countOf('import')) === 0)
      expect(runs).to.equal(1)
    })

    it('takes over the job of a process that died', async () => {
      const saved = await store.repository.saveJob(
        { name: 'import', priority: 0, type: 'normal', nextRunAt: new Date(0), data: { id: 3, key: '3@now' } },
        undefined,
      )
      await store.repository.saveJobState({ ...saved, nextRunAt: null, lockedAt: new Date(Date.now() - 60_000) }, undefined)
      const seen: unknown[] = []
      const jobs = create()
      jobs.define('import', { concurrency: 1 }, async ({ id }) => void seen.push(id))
      await jobs.start()
      await until(async () => (await countOf('import')) === 0)
      expect(seen).to.deep.equal([3])
    })

    it('sweeps at the start and again after each interval', async () => {
      let rounds = 0
      const woken: unknown[] = []
      const jobs = create()
      jobs.define('sweep', { concurrency: 1 }, async () => {
        rounds += 1
        await jobs.wake('deliver', { id: rounds })
      })
      jobs.define('deliver', { concurrency: 1 }, async ({ id }) => void woken.push(id))
      jobs.every('sweep', 200)
      await jobs.start()
      await until(() => woken.length >= 3)
      expect(woken.slice(0, 3)).to.deep.equal([1, 2, 3])
    })

    it('waits for running jobs when it stops and leaves the others to the next process', async () => {
      const hold = gate()
      const events: string[] = []
      const first = create()
      first.define('import', { concurrency: 1 }, async ({ id }, { stopping, cutOff }) => {
        events.push(`${id} begins`)
        stopping.addEventListener('abort', () => events.push(`${id} hears of the stop`))
        await hold.opened
        await new Promise((resolve) => setImmediate(resolve))
        events.push(`${id} ends, cut off: ${cutOff.aborted}`)
      })
      await first.start()
      await first.wake('import', { id: 1 })
      await until(() => events.length === 1)
      await first.wake('import', { id: 2 })
      const stopped = first.stop().then(() => events.push('stopped'))
      await until(() => events.length === 2)
      hold.open()
      await stopped
      expect(events).to.deep.equal(['1 begins', '1 hears of the stop', '1 ends, cut off: false', 'stopped'])

      const { jobs: left } = await store.repository.queryJobs({ name: 'import' })
      expect(left.map((job) => [(job.data as { id: number }).id, job.lockedAt])).to.deep.equal([[2, undefined]])
    })

    it('cuts off what runs when the time to drain is over and gives it to another process', async () => {
      const hold = gate()
      const events: string[] = []
      const first = create({ drainFor: 20 })
      first.define('import', { concurrency: 1 }, async (_ids, { cutOff }) => {
        cutOff.addEventListener('abort', () => events.push('cut off'))
        events.push('begins')
        await hold.opened
      })
      await first.start()
      await first.wake('import', { id: 1 })
      await until(() => events.length === 1)
      await first.stop()
      events.push('stopped')

      const second = create()
      second.define('import', { concurrency: 1 }, async ({ id }) => void events.push(`another takes ${id}`))
      await second.start()
      await until(() => events.length === 4)
      expect(events).to.deep.equal(['begins', 'cut off', 'stopped', 'another takes 1'])
      expect(recorded.of('warn')[0]?.details).to.deep.equal({ jobs: ['import'] })
      hold.open()
    })

    it('leaves a lent store open when it stops, and can be started again', async () => {
      const seen: unknown[] = []
      const jobs = create()
      jobs.define('deliver', { concurrency: 1 }, async ({ id }) => void seen.push(id))
      await jobs.start()
      await jobs.stop()
      await jobs.stop()
      await jobs.wake('deliver', { id: 1 })
      expect(await countOf('deliver')).to.equal(0)
      await jobs.start()
      await jobs.wake('deliver', { id: 2 })
      await until(() => seen.length === 1)
      expect(seen).to.deep.equal([2])
    })

    it('makes an enqueuing process do nothing itself', async () => {
      const seen: unknown[] = []
      const jobs = create({ work: false })
      jobs.define('sweep', { concurrency: 1 }, async () => void seen.push('sweep'))
      jobs.every('sweep', 50)
      await jobs.start()
      await jobs.wake('sweep')
      await new Promise((resolve) => setTimeout(resolve, 150))
      expect(seen).to.deep.equal([])
      expect(await countOf('sweep')).to.equal(1)
    })

    it('ends its process by itself after it stopped', async function () {
      this.timeout(30_000)
      const argument = storeName === 'memory' ? 'memory' : urlOfRandomDatabase(MONGODB_URL ?? '')
      const script = fileURLToPath(new URL('./exiting-process.ts', import.meta.url))
      const child = spawn(process.execPath, ['--import=tsx/esm', script, argument], {
        stdio: ['ignore', 'pipe', 'inherit'],
        timeout: 20_000,
      })
      let output = ''
      child.stdout.on('data', (chunk) => {
        output += chunk
      })
      const [code] = await once(child, 'exit')
      if (storeName !== 'memory') await dropDatabase(argument)
      expect({ code, output }).to.deep.equal({ code: 0, output: 'stopped after 2' })
    })
  })
}

describe('jobs', () => {
  const { log } = recordLog()
  const parts = { log, work: true, drainFor: 100 }

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
    const jobs = createJobs({ ...parts, backend: slow })
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
    const jobs = createJobs({ ...parts, backend: slow })
    jobs.define('import', { concurrency: 1 }, async () => {})
    await jobs.start()
    await locking.opened
    const stopped = jobs.stop()
    mayLock.open()
    await stopped
    const left = (await backend.repository.queryJobs()).jobs
    expect(left.map(({ state }) => state)).to.deep.equal(['queued'])
  })

  it('refuse a second definition, a late one and a sweep without one', async () => {
    const jobs = createJobs({ ...parts, backend: 'memory' })
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
    const jobs = createJobs({ ...parts, backend: { url: 'mongodb://root:secret@127.0.0.1:1/jobs' } })
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
    const jobs = createJobs({ ...parts, backend: { ...createMemoryBackend(), name: 'Redis', connect: connectFailing } })
    const refusal = await jobs.start().catch((error: Error) => error.message)
    expect(refusal).to.equal('koa-itsm cannot use the job store Redis: no such host')
  })
})

if (MONGODB_URL) {
  describe('jobs on a MongoDB that goes away', () => {
    it('lose no caller, say it once, and go on when it is back', async function () {
      this.timeout(40_000)
      const line = await openLine(MONGODB_URL)
      const recorded = recordLog()
      const seen: unknown[] = []
      const url = urlOfRandomDatabase(line.url)
      const jobs = createJobs({ backend: { url }, log: recorded.log, work: true, drainFor: 1000 })
      jobs.define('deliver', { concurrency: 1 }, async ({ id }) => void seen.push(id))
      await jobs.start()
      await jobs.wake('deliver', { id: 1 })
      await until(() => seen.length === 1)

      line.cut()
      await jobs.wake('deliver', { id: 2 })
      await jobs.wake('deliver', { id: 3 })
      expect(recorded.of('error').map((entry) => entry.message)).to.deep.equal([
        'The job store failed; what is due waits until it answers again',
      ])

      line.mend()
      await until(() => recorded.of('info').length > 0)
      await jobs.wake('deliver', { id: 4 })
      await until(() => seen.includes(4))
      await jobs.stop()
      await line.close()
      await dropDatabase(urlOfRandomDatabase(MONGODB_URL, new URL(url).pathname))
    })

    it('make only their own indexes and collection in a lent database', async () => {
      const client = await new MongoClient(MONGODB_URL).connect()
      const db = client.db(`itsm_spec_${randomUUID().slice(0, 8)}`)
      const jobs = createJobs({ backend: { db }, log: recordLog().log, collection: 'own', work: true, drainFor: 0 })
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

function urlOfRandomDatabase(server: string, path = `/itsm_spec_${randomUUID().slice(0, 8)}`): string {
  const url = new URL(server)
  url.pathname = path
  return url.href
}

async function dropDatabase(url: string): Promise<void> {
  const client = await new MongoClient(url).connect()
  await client.db().dropDatabase()
  await client.close()
}

/** A connection to the server that can be cut and mended. */
async function openLine(server: string): Promise<{ url: string; cut(): void; mend(): void; close(): Promise<void> }> {
  const { hostname, port } = new URL(server)
  const sockets = new Set<Socket>()
  let isCut = false
  const listener = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect(Number(port), hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {}).on('close', () => other.destroy())
      one.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return {
    url: `mongodb://127.0.0.1:${(listener.address() as AddressInfo).port}/?directConnection=true`,
    cut,
    mend: () => {
      isCut = false
    },
    close: async () => {
      cut()
      listener.close()
      await once(listener, 'close')
    },
  }
}
