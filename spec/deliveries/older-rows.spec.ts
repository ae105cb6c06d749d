import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { createDeliveries } from '../../plugin/deliveries/deliveries.js'
import { createListenerChannel } from '../../plugin/events/listeners.js'
import { listener } from '../../plugin/events/name-listeners.js'
import { createRelay } from '../../plugin/events/relay.js'
import { receiverKey } from '../../plugin/webhooks/receiver-key.js'
import { type Receiver, startReceiver } from '../support/receiver.js'
import { eventCatalog, MINUTE, withWebhooks } from '../support/webhooks.js'

/** A process of the version before runs beside, relays events into its own tables, and holds leases of its own. */
describe('what a process of the version before has queued', () => {
  const world = withWebhooks({ file: true })
  const AT = '2026-11-21 08:59:00.000'
  let receiver: Receiver

  beforeEach(async () => {
    receiver = await startReceiver()
    for (const table of ['deliveries', 'listener_queue', 'mail_queue']) await older(table).delete()
  })
  afterEach(() => receiver.close())

  const older = (table: string) => world.storage.knex(world.storage.table(table))
  const told = () => receiver.received.map(({ body }) => body['number'] ?? `new ${body['object_id']}`)

  /** Queues deliveries as that version does. */
  async function queueOlder(webhookId: number, numbers: readonly number[], values: Record<string, unknown> = {}) {
    await older('deliveries').insert(
      numbers.map((number) => ({
        ...{ webhook_id: webhookId, account_id: 'acme', receiver: receiverKey('acme', receiver.url), event: 'request.create' },
        ...{ object_id: 1, body: `number=${number}`, link: '<https://acme.example.com/requests/1>; rel="canonical"' },
        ...{ attempts: 0, next_at: AT, created_at: AT, ...values },
      })),
    )
  }

  async function happen(...recordIds: readonly number[]): Promise<void> {
    await world.addEvents(...recordIds.map((recordId) => ({ recordId })))
    const { plan } = world.deliveries()
    await createRelay({ storage: world.storage, leases: world.leases(), log: world.log, receivers: [plan] }).run()
  }

  it('is sent as it was rendered, before what is newer, with its id and its number of attempts', async () => {
    const id = await world.addWebhook({ uri: receiver.url })
    await queueOlder(id, [1, 2])
    await queueOlder(id, [3], { attempts: 2, last_error: '500 Internal Server Error', object_id: 2 })
    const ids: unknown[] = await older('deliveries').orderBy('id').pluck('id')
    await happen(1)
    expect(await world.deliveries().deliverDue()).to.deep.equal({ delivered: 4, failed: 0, next: null })
    expect(told().filter((one) => one !== '3')).to.deep.equal(['1', '2', 'new 1'])
    const headers = receiver.received.map(({ body, headers }) => [body['number'], headers['webhook-id']])
    // Never the id of another message: receivers drop what they have seen.
    expect(new Set(headers.map(([, one]) => one)).size).to.equal(4)
    for (const [index, number] of ['1', '2', '3'].entries()) expect(headers).to.deep.include([number, `msg_${ids[index]}`])
    expect(await older('deliveries')).to.deep.equal([])
    const rows = await world.rows('channel_deliveries')
    expect(rows.map(({ state }) => state)).to.deep.equal(['sent', 'sent', 'sent', 'sent'])
    expect(rows.map(({ attempts }) => Number(attempts)).toSorted()).to.deep.equal([0, 0, 0, 2])
  })

  it('is kept for inspection if it was given up', async () => {
    await queueOlder(await world.addWebhook({ uri: receiver.url }), [1], {
      attempts: 10,
      dropped_at: AT,
      last_error: '404 Not Found',
    })
    expect(await world.deliveries().deliverDue()).to.deep.equal({ delivered: 0, failed: 0, next: null })
    const [row] = await world.rows('channel_deliveries')
    expect(row).to.include({ state: 'failed', finished_at: AT, last_error: '404 Not Found', attempts: 10 })
  })

  it('holds back what is newer for its receiver, and for no other, as long as that process has the lease', async () => {
    const id = await world.addWebhook({ uri: receiver.url })
    const other = await world.addWebhook({ uri: `${receiver.url}/other`, event: 'request.update' })
    await queueOlder(id, [1])
    const theirs = world.leases().holder('receiver', MINUTE)
    await theirs.take([receiverKey('acme', receiver.url)])
    await happen(1)
    await world.queue(other, 1, { body: 'number=other' })
    const { deliverDue } = world.deliveries()
    const soon = new Date(world.clock.now().getTime() + 1000)
    expect(await deliverDue()).to.deep.equal({ delivered: 1, failed: 0, next: soon })
    expect(told()).to.deep.equal(['other'])
    await theirs.release([receiverKey('acme', receiver.url)])
    expect(await deliverDue()).to.deep.equal({ delivered: 2, failed: 0, next: null })
    expect(told()).to.deep.equal(['other', '1', 'new 1'])
  })

  for (const [when, milliseconds] of [
    ['between two pages', 0],
    ['and it is looked for meanwhile', 1300],
  ] as const) {
    it(`comes first although its process queues it while we are sending, ${when}`, async () => {
      const id = await world.addWebhook({ uri: receiver.url })
      await receiver.close()
      const gate = sleep(milliseconds)
      receiver = await startReceiver({
        async answer({ body }) {
          if (body['number'] === '1000') {
            // Its relay came before ours.
            await queueOlder(id, [1, 2])
            await happen(1)
          }
          await gate
          return 200
        },
      })
      await world.storage.knex(world.storage.table('webhooks')).where({ id }).update({ uri: receiver.url })
      await world.queue(id, 1, { body: 'number=1000' })
      await world.queue(id, 400, { body: 'number=2000' })
      const { deliverDue } = world.deliveries()
      for (let next = (await deliverDue()).next; next; { next } = await deliverDue()) world.clock.set(next.toISOString())
      expect(told()).to.have.length(404)
      expect(told().filter((one) => one !== '2000')).to.deep.equal(['1000', '1', '2', 'new 1'])
    }).timeout(20_000)
  }

  it('finds its listener by event and position, and waits for the lease of all of them', async () => {
    const heard: string[] = []
    const { clock, log, storage } = world
    const tell = (name: string) => listener(name, ({ recordId }) => void heard.push(`${name} ${recordId}`))
    const channels = [createListenerChannel({ log, on: { 'request.create': [tell('first'), tell('second')] } })]
    const parts = { storage, clock, log, catalog: eventCatalog(), leases: world.leases(), channels }
    const { deliverDue, plan } = createDeliveries({ ...parts, takeOverAfterMs: MINUTE, keepDays: 30 })
    const event = { id: 5, name: 'request.create', recordType: 'request', recordId: 1, accountId: 'acme', at: clock.now() }
    for (const place of [1, 7])
      await older('listener_queue').insert({ listener: `request.create/${place}`, event: JSON.stringify(event), next_at: AT })
    const theirs = world.leases().holder('listeners', MINUTE)
    await theirs.take([''])
    await world.addEvents({ recordId: 2 })
    await createRelay({ storage, leases: world.leases(), log, receivers: [plan] }).run()
    expect(await deliverDue('listener')).to.include({ delivered: 0 })
    await theirs.release([''])
    expect(await deliverDue('listener')).to.include({ delivered: 3, next: null })
    expect(heard.filter((one) => one.startsWith('second'))).to.deep.equal(['second 1', 'second 2'])
    expect(heard).to.include('first 2')
    // One that is gone is told of in the log.
    expect(log.lines.map(({ details, level }) => [level, details])).to.deep.equal([['error', { listener: 'request.create/7' }]])
    expect(await older('listener_queue')).to.deep.equal([])
  })

  it('is sent as a mail', async () => {
    const params = JSON.stringify({ id: 1, subject: 'Mail is slow', desired: { at: '2026-12-01T12:00:00Z' } })
    await older('mail_queue').insert({ account_id: 'acme', person_id: 9, mail: 'desired_completion_set', params, next_at: AT })
    const people = { find: async () => ({ email: 'tom@acme.example', locale: 'en', timeZone: null }) }
    await world.deliveries({ people }).deliverDue()
    expect(world.mails.map(({ subject, to }) => [subject, to])).to.deep.equal([
      ['Desired completion of request 1: Mail is slow', ['tom@acme.example']],
    ])
    expect(await older('mail_queue')).to.deep.equal([])
  })

  it('is moved in steps, and once, when there is much of it and two processes come', async () => {
    const id = await world.addWebhook({ uri: receiver.url })
    for (let from = 0; from < 500; from += 100)
      await queueOlder(
        id,
        Array.from({ length: 100 }, (_, index) => from + index),
      )
    await Promise.all([world.deliveries().deliverDue(), world.deliveries().deliverDue()])
    expect(told().map(Number)).to.deep.equal(Array.from({ length: 500 }, (_, index) => index))
  }).timeout(20_000)
})
