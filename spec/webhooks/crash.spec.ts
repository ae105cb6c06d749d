import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { receiverKey } from '../../plugin/webhooks/receiver-key.js'
import { startReceiver } from '../support/receiver.js'
import { DAY, MINUTE, withWebhooks } from '../support/webhooks.js'

const CHILD = new URL('../support/deliver-in-child.ts', import.meta.url)

describe('deliveries of a process that dies', () => {
  const world = withWebhooks({ file: true })

  it('are taken over when its claim has ended', async () => {
    const receiver = await startReceiver()
    const id = await world.addWebhook({ uri: receiver.url })
    await world.queue(id, 3)
    const receiverOf = receiverKey('acme', receiver.url)
    const claim = { receiver: receiverOf, claimed_by: 'dead', claimed_until: '2026-11-21 09:00:30.000' }
    await world.storage.knex(world.storage.table('webhook_receivers')).insert(claim)
    const { deliverDue } = world.deliveries()
    expect(await deliverDue()).to.deep.equal({ delivered: 0, failed: 0, next: new Date('2026-11-21T09:00:30Z') })
    world.clock.pass(MINUTE / 2)
    expect(await deliverDue()).to.deep.equal({ delivered: 3, failed: 0, next: null })
    await receiver.close()
  })

  it('leave no claim for ever on a receiver that nothing is queued for any more', async () => {
    const claims = () => world.storage.knex(world.storage.table('webhook_receivers'))
    await claims().insert({ receiver: 'gone', claimed_by: 'dead', claimed_until: '2026-11-21 09:00:30.000' })
    const { forgetDropped } = world.deliveries()
    await forgetDropped()
    expect(await claims().pluck('receiver')).to.deep.equal(['gone'])
    world.clock.pass(31 * DAY)
    await forgetDropped()
    expect(await claims().pluck('receiver')).to.deep.equal([])
  })

  it('are repeated when they were sent and not acknowledged', async () => {
    const receiver = await startReceiver()
    const id = await world.addWebhook({ uri: receiver.url })
    await world.queue(id, 5)
    // What is left of a process that sent and died: the rows, as they were.
    const rows = await world.rows('deliveries')
    await world.deliveries().deliverDue()
    await world.storage.knex(world.storage.table('deliveries')).insert(rows)
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
    const claims = () => world.storage.knex(world.storage.table('webhook_receivers'))
    const running = world.deliveries({ claimForMs: 90 }).deliverDue()
    await receiver.gets(1)
    await claims().update({ claimed_by: 'other', claimed_until: '2026-11-21 10:00:00.000' })
    // It notices that the claim is lost; then the other process is done.
    await sleep(300)
    await claims().delete()
    // It looks for work every second.
    await sleep(1300)
    answer()
    expect(await Promise.race([running, sleep(5000, 'still under way')])).to.deep.equal({ delivered: 3, failed: 0, next: null })
    await receiver.close()
    expect(receiver.received).to.have.length(3)
    expect(await claims().select('*')).to.deep.equal([])
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
    expect(await world.rows('deliveries')).to.deep.equal([])
  }).timeout(60_000)
})

function startChild(url: string) {
  return spawn(process.execPath, ['--import=tsx/esm', CHILD.pathname, url], { stdio: ['ignore', 'ignore', 'inherit'] })
}
