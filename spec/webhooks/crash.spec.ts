import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { receiverKey } from '../../plugin/webhooks/receiver-key.js'
import { moduleUrl, NODE_FLAGS } from '../support/modules.js'
import { startReceiver } from '../support/receiver.js'
import { MINUTE, withWebhooks } from '../support/webhooks.js'

const CHILD = fileURLToPath(moduleUrl('spec/support/deliver-in-child'))

describe('deliveries of a process that dies', () => {
  const world = withWebhooks({ file: true })

  it('are taken over when its lease has ended', async () => {
    const receiver = await startReceiver()
    const id = await world.addWebhook({ uri: receiver.url })
    await world.queue(id, 3)
    await world
      .leases()
      .holder('receiver', MINUTE / 2)
      .take([receiverKey('acme', receiver.url)])
    const { deliverDue } = world.deliveries()
    // It looks again soon: the other process may be alive, and finished.
    expect(await deliverDue()).to.deep.equal({ delivered: 0, failed: 0, next: new Date('2026-11-21T09:00:01Z') })
    world.clock.pass(MINUTE / 2)
    expect(await deliverDue()).to.deep.equal({ delivered: 3, failed: 0, next: null })
    await receiver.close()
  })

  it('are neither counted nor put off by a process that was paused until another one had taken over', async () => {
    const rows = () => world.waiting()
    let taken: ReadonlySet<string> | undefined
    const receiver = await startReceiver({
      answer: async (_request, index) => {
        if (taken) return 200
        world.clock.pass(MINUTE)
        const key = receiverKey('acme', receiver.url)
        taken = await world.leases().holder('receiver', MINUTE).take([key])
        return index % 2 ? 500 : 200
      },
    })
    const id = await world.addWebhook({ uri: receiver.url })
    await world.queue(id, 1)
    await world.queue(id, 3, { object_id: 9 })
    // All are about two records, so that two requests are under way at a time.
    const { deliverDue } = world.deliveries({ takeOverAfterMs: MINUTE })
    const { delivered, next } = await deliverDue()
    expect([...(taken ?? [])]).to.have.length(1)
    expect(delivered).to.be.within(1, 2)
    expect(await rows()).to.have.length(4 - delivered)
    for (const row of await rows()) expect(row).to.include({ attempts: 0, last_error: null })
    expect(next).to.deep.equal(new Date(world.clock.now().getTime() + 1000))
    await receiver.close()
  })

  it('are repeated when they were sent and not acknowledged', async () => {
    const receiver = await startReceiver()
    const id = await world.addWebhook({ uri: receiver.url })
    await world.queue(id, 5)
    // What is left of a process that sent and died: the rows, as they were.
    const rows = await world.waiting()
    await world.deliveries().deliverDue()
    const queued = world.storage.knex(world.storage.table('channel_deliveries'))
    await queued
      .whereIn(
        'id',
        rows.map(({ id }) => Number(id)),
      )
      .update({ state: 'waiting' })
    await world.deliveries().deliverDue()
    await receiver.close()
    expect(receiver.received.map(({ body }) => body['number']).sort()).to.deep.equal([1, 1, 2, 2, 3, 3, 4, 4, 5, 5].map(String))
  })

  it('are all made by two processes together, and in order', async () => {
    const receiver = await startReceiver()
    const id = await world.addWebhook({ uri: receiver.url })
    for (let number = 1; number <= 40; number += 1) await world.queue(id, 1, { object_id: 1, body: `number=${number}` })
    await Promise.all([world.deliveries().deliverDue(), world.deliveries().deliverDue()])
    await receiver.close()
    expect(receiver.received.map(({ body }) => Number(body['number']))).to.deep.equal(
      Array.from({ length: 40 }, (_, index) => index + 1),
    )
  })

  it('are finished by a process that was taken for dead, when the other one gives their receiver back', async () => {
    let answer = () => {}
    const hangs = new Promise<void>((resolve) => {
      answer = resolve
    })
    const receiver = await startReceiver({
      answer: async () => {
        await hangs
        return 200
      },
    })
    await world.queue(await world.addWebhook({ uri: receiver.url }), 3, { object_id: 1 })
    const leases = () => world.storage.knex(world.storage.table('leases'))
    const running = world.deliveries({ takeOverAfterMs: 90 }).deliverDue()
    await receiver.gets(1)
    await leases().update({ holder: 'other', held_until: '2026-11-21 10:00:00.000' })
    // It notices that the lease is lost; then the other process is done.
    await sleep(300)
    await leases().update({ holder: '', held_until: '2026-11-21 09:00:00.000' })
    // It looks for work every second.
    await sleep(1300)
    answer()
    expect(await Promise.race([running, sleep(5000, 'still under way')])).to.deep.equal({ delivered: 3, failed: 0, next: null })
    await receiver.close()
    expect(receiver.received).to.have.length(3)
    expect(await world.held('receiver')).to.deep.equal([])
  }).timeout(20_000)

  it('all arrive at least once after a kill in the middle, few of them twice', async () => {
    const count = 3000
    const receiver = await startReceiver()
    const id = await world.addWebhook({ uri: receiver.url })
    // The child has a real clock.
    await world.queue(id, count, { next_at: '2020-01-01 00:00:00.000' })

    const first = startChild(world.url)
    await receiver.gets(count / 3)
    first.kill('SIGKILL')
    await once(first, 'exit')
    expect(receiver.received.length).to.be.lessThan(count)

    const second = startChild(world.url)
    const [code] = await once(second, 'exit')
    expect(code).to.equal(0)
    await receiver.close()
    const numbers = receiver.received.map(({ body }) => Number(body['number']))
    expect(new Set(numbers).size).to.equal(count)
    expect(numbers.length).to.be.lessThan(count + 1000)
    expect(await world.waiting()).to.deep.equal([])
  }).timeout(60_000)
})

function startChild(url: string) {
  return spawn(process.execPath, [...NODE_FLAGS, CHILD, url], { stdio: ['ignore', 'ignore', 'inherit'] })
}
