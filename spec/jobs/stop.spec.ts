import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { moduleUrl, NODE_FLAGS } from '../support/modules.js'
import { dropDatabase, gate, MONGODB_URL, STORES, until, urlOfRandomDatabase } from './stores.js'
import { withJobs } from './with-jobs.js'

for (const [storeName, lend] of STORES) {
  describe(`jobs on ${storeName}, when they stop,`, () => {
    const world = withJobs(lend)
    const { create, countOf } = world

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

      const { jobs: left } = await world.store.repository.queryJobs({ name: 'import' })
      expect(left.map((job) => [(job.data as { id: number }).id, job.lockedAt])).to.deep.equal([[2, undefined]])
    })

    it('cuts off what runs when the time to drain is over and gives it to another process', async () => {
      const hold = gate()
      const events: string[] = []
      const first = create({ drainForMs: 20 })
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
      expect(world.recorded.of('warn')[0]?.details).to.deep.equal({ jobs: ['import'] })
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

    it('ends its process by itself after it stopped', async function () {
      this.timeout(30_000)
      const argument = storeName === 'memory' ? 'memory' : urlOfRandomDatabase(MONGODB_URL ?? '')
      const script = fileURLToPath(moduleUrl('spec/jobs/exiting-process'))
      const child = spawn(process.execPath, [...NODE_FLAGS, script, argument], {
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
