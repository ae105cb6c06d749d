import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { createDeliveries } from '../../plugin/deliveries/deliveries.js'
import { createEvents } from '../../plugin/events/events.js'
import { createListenerChannel, type Listeners } from '../../plugin/events/listeners.js'
import { listener } from '../../plugin/events/name-listeners.js'
import { defineEventDispatch, type EventDispatch } from '../../plugin/jobs/dispatch-events.js'
import { createJobQueue, type JobQueue, type JobQueueDeps } from '../../plugin/jobs/job-queue.js'
import { countStatements } from '../support/count-statements.js'
import { type Receiver, startReceiver } from '../support/receiver.js'
import { settingsWith } from '../support/settings.js'
import { partsOf, type WorldDeliveries, withWebhooks } from '../support/webhooks.js'
import { until } from './stores.js'

interface Made extends EventDispatch {
  readonly jobs: JobQueue
  readonly webhooks: WorldDeliveries
}

interface Wishes extends Partial<Pick<JobQueueDeps, 'work' | 'drainForMs'>> {
  readonly batchSize?: number
  readonly on?: Listeners
  readonly clearAfterMs?: number
  readonly deliverDue?: WorldDeliveries['deliverDue']
}

describe('handing events on', () => {
  const world = withWebhooks({ file: true })
  let receiver: Receiver
  let started: JobQueue[]

  beforeEach(async () => {
    receiver = await startReceiver()
    started = []
  })

  afterEach(async () => {
    await Promise.all(started.map((jobs) => jobs.stop()))
    await receiver.close()
  })

  /** The parts as `createPlugin` puts them together; without sweeps, so that only wakes do something. */
  function make({
    work = true,
    drainForMs = 5000,
    batchSize = 500,
    on = {},
    clearAfterMs = 60_000,
    deliverDue,
  }: Wishes = {}): Made {
    const { storage, clock, log } = world
    const settings = settingsWith()
    const jobs = createJobQueue({ ...settings.jobs, log, work, drainForMs })
    started.push(jobs)
    const webhooks = world.deliveries()
    const parts = { ...partsOf(world), storage, clock, log, leases: world.leases() }
    const deliveries = createDeliveries({ ...parts, channels: [webhooks.channel, createListenerChannel({ log, on })] })
    const { plan } = deliveries
    const { relay } = createEvents({ ...parts, batchSize, plan, takeOverAfterMs: settings.takeOverAfterMs })
    const sending = deliverDue ? { ...deliveries, deliverDue: () => deliverDue() } : deliveries
    return { jobs, webhooks, ...defineEventDispatch({ jobs, log, relay, deliveries: sending, clearAfterMs }) }
  }

  const inOutbox = async () => (await world.rows('outbox')).length

  it('costs one look when no webhook and no listener wants the events; they leave the outbox later, together', async () => {
    const { jobs, wakeDispatch } = make({ clearAfterMs: 3000 })
    await jobs.start()
    await world.addWebhook({ uri: receiver.url, event: 'request.update' })
    await world.addWebhook({ uri: receiver.url, disabled: true })
    const counter = countStatements(world.storage.knex)
    await world.addEvents({ recordId: 1 }, { recordId: 2 })
    const looks = await counter.during(async () => {
      wakeDispatch(['request.create'])
      await sleep(500)
    })
    expect(looks).to.equal(1)
    await world.addEvents({ recordId: 3 })
    const more = await counter.during(async () => {
      for (let times = 0; times < 50; times += 1) wakeDispatch(['request.create'])
      await sleep(500)
    })
    expect(more).to.equal(2)
    expect(await inOutbox()).to.equal(3)
    const clearing = await counter.during(() => sleep(2500))
    expect(await inOutbox()).to.equal(0)
    // The lease (its row is made the first time: four), isolation, begin, the events, who subscribes, their messages (two), away
    // with them, the lease, commit, and the lease given back.
    expect(clearing).to.be.at.most(14)
    expect(world.log.lines).to.deep.equal([])
  })

  it('delivers what a webhook wants at once, without the job store', async () => {
    const { jobs, wakeDispatch } = make()
    await jobs.start()
    jobs.wake = async (name) => {
      throw new Error(`${name} was woken through the store`)
    }
    await world.addWebhook({ uri: receiver.url })
    await world.addEvents({ recordId: 5 })
    wakeDispatch(['request.create'])
    await until(() => receiver.received.length === 1)
    expect(await inOutbox()).to.equal(0)
  })

  it('tells a webhook that another process has stored since the last look', async () => {
    const { jobs, wakeDispatch } = make()
    await jobs.start()
    wakeDispatch(['request.create'])
    await sleep(100)
    await world.addWebhook({ uri: receiver.url })
    await world.addEvents({ recordId: 5 })
    const counter = countStatements(world.storage.knex)
    await counter.during(async () => {
      wakeDispatch(['request.create'])
      await until(() => receiver.received.length === 1)
    })
  })

  it('begins to deliver after each batch, not after the whole outbox', async () => {
    await world.addWebhook({ uri: receiver.url })
    await world.addEvents(...Array.from({ length: 500 }, (_, index) => ({ recordId: index + 1 })))
    const waiting: number[] = []
    const { jobs, wakeDispatch } = make({
      batchSize: 100,
      deliverDue: async () => {
        waiting.push(await inOutbox())
        return { delivered: 0, failed: 0, next: null }
      },
    })
    await jobs.start()
    wakeDispatch(['request.create'])
    await until(async () => waiting.length >= 5)
    expect(waiting[0]).to.be.greaterThan(0)
    expect(await inOutbox()).to.equal(0)
  })

  it('sends every message of a burst once, while the relay still runs', async () => {
    await world.addWebhook({ uri: receiver.url })
    await world.addEvents(...Array.from({ length: 400 }, (_, index) => ({ recordId: index + 1 })))
    const { jobs, wakeDispatch } = make({ batchSize: 40 })
    await jobs.start()
    wakeDispatch(['request.create'])
    await until(() => receiver.received.length >= 400)
    await sleep(100)
    const ids = receiver.received.map(({ body }) => Number(body['object_id']))
    expect(ids.sort((one, other) => one - other)).to.deep.equal(Array.from({ length: 400 }, (_, index) => index + 1))
    expect(await world.waiting()).to.have.length(0)
  })

  it('tells listeners', async () => {
    const heard: number[] = []
    const { jobs, wakeDispatch } = make({
      on: { 'request.create': [listener('pager', ({ recordId }) => void heard.push(recordId))] },
    })
    await jobs.start()
    await world.addEvents({ recordId: 7 })
    wakeDispatch(['request.create'])
    await until(() => heard.length === 1)
    expect(heard).to.deep.equal([7])
  })

  it('leaves the work to others in a process that only wakes', async () => {
    const { jobs, wakeDispatch } = make({ work: false })
    await jobs.start()
    const woken: string[] = []
    jobs.wake = async (name) => void woken.push(name)
    await world.addWebhook({ uri: receiver.url })
    await world.addEvents({ recordId: 5 })
    const counter = countStatements(world.storage.knex)
    const sent = await counter.during(async () => {
      wakeDispatch(['request.create'])
      await sleep(100)
    })
    expect(sent).to.equal(0)
    expect(woken).to.deep.equal(['dispatch-events'])
  })

  it('ends with the batch that is under way when the process stops; the rest stays in the outbox', async () => {
    await world.addWebhook({ uri: receiver.url })
    await world.addEvents(...Array.from({ length: 300 }, (_, index) => ({ recordId: index + 1 })))
    const { jobs, wakeDispatch } = make({ batchSize: 10 })
    await jobs.start()
    wakeDispatch(['request.create'])
    await until(() => receiver.received.length > 0)
    await jobs.stop()
    const left = await inOutbox()
    const queued = (await world.waiting()).length
    expect(receiver.received.length + left + queued).to.equal(300)
    await sleep(100)
    expect(await inOutbox()).to.equal(left)
  })

  it('does not tell a webhook of what happened before it was saved', async () => {
    const { jobs, wakeDispatch, dispatchPending } = make()
    await jobs.start()
    await world.addEvents({ recordId: 1 })
    wakeDispatch(['request.create'])
    await sleep(100)
    expect(await inOutbox()).to.equal(1)
    await dispatchPending()
    expect(await inOutbox()).to.equal(0)
    await world.addWebhook({ uri: receiver.url })
    await world.addEvents({ recordId: 2 })
    wakeDispatch(['request.create'])
    await until(() => receiver.received.length > 0)
    expect(receiver.received.map(({ body }) => Number(body['object_id']))).to.deep.equal([2])
  })

  it('keeps the events when the database fails, and hands them on after the next commit', async () => {
    const { jobs, wakeDispatch } = make({ clearAfterMs: 500 })
    await jobs.start()
    await world.addEvents({ recordId: 1 })
    const { knex } = world.storage
    await knex.schema.renameTable(world.storage.table('webhooks'), world.storage.table('away'))
    try {
      wakeDispatch(['request.create'])
      wakeDispatch(['request.create'])
      await until(() => world.log.lines.length > 0)
      expect(await inOutbox()).to.equal(1)
    } finally {
      await knex.schema.renameTable(world.storage.table('away'), world.storage.table('webhooks'))
    }
    wakeDispatch(['request.create'])
    await sleep(1300)
    expect(await inOutbox()).to.equal(0)
  })
})
