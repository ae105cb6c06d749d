import { expect } from 'chai'
import { gate, lendMemory, STORES, until } from './stores.js'
import { withJobs } from './with-jobs.js'

for (const [storeName, lend] of STORES) {
  describe(`jobs on ${storeName}`, () => {
    const world = withJobs(lend)
    const { create, countOf } = world

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

    it('keeps one pending wake however many callers wake at the same moment', async () => {
      const jobs = create({ work: false })
      await jobs.start()
      await Promise.all(Array.from({ length: 30 }, () => jobs.wake('relay')))
      expect(await countOf('relay')).to.equal(1)
    })

    it('does all jobs of a burst of wakes, without an error', async () => {
      const done: unknown[] = []
      const jobs = create()
      jobs.define('deliver', { concurrency: 3 }, async ({ id }) => void done.push(id))
      await jobs.start()
      await Promise.all(Array.from({ length: 60 }, (_, id) => jobs.wake('deliver', { id })))
      await until(async () => (await countOf('deliver')) === 0)
      expect(done).to.have.length(60)
      expect(world.recorded.of('error')).to.deep.equal([])
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
      expect(world.recorded.of('error')).to.deep.equal([])
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
      expect(world.recorded.of('error')).to.have.length(1)
      expect(world.recorded.of('error')[0]).to.deep.include({ message: 'A job failed' })
      expect(world.recorded.of('error')[0]?.details).to.include({ job: 'deliver', id: 1 })
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
        // The first waits for a second one beside it: however slow the store is, both places must come into use.
        await until(() => most >= 2)
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
      const lockedAt = async () =>
        (await world.store.repository.queryJobs({ name: 'import' })).jobs[0]?.lockedAt?.getTime() ?? 0
      const firstLock = await lockedAt()
      await until(async () => (await lockedAt()) > firstLock + 1500)
      hold.open()
      await until(async () => (await countOf('import')) === 0)
      expect(runs).to.equal(1)
    })

    it('takes over the job of a process that died', async () => {
      const saved = await world.store.repository.saveJob(
        { name: 'import', priority: 0, type: 'normal', nextRunAt: new Date(0), data: { id: 3, key: '3@now' } },
        undefined,
      )
      await world.store.repository.saveJobState(
        { ...saved, nextRunAt: null, lockedAt: new Date(Date.now() - 60_000) },
        undefined,
      )
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
  })
}

describe('jobs in the memory of a process that does not work', () => {
  const world = withJobs(lendMemory)

  it('are not kept: nothing would ever take them, and the memory would fill', async () => {
    const jobs = world.create({ backend: 'memory', work: false })
    jobs.define('deliver', { concurrency: 1 }, async () => {})
    await jobs.start()
    await jobs.wake('deliver', { id: 1 }, new Date(Date.now() + 60_000))
    expect(world.recorded.entries.map(({ message }) => message)).to.deep.equal([
      'The job was not woken: this process runs no jobs, and others cannot see its memory',
    ])
  })
})
