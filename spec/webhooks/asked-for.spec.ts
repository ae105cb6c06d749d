/** What webhooks ask for, from the event to the receiver. The decisions themselves have specs of their own. */
import { expect } from 'chai'
import { createSeal } from '../../plugin/core/seal.js'
import { createRelay } from '../../plugin/events/relay.js'
import type { Json } from '../../plugin/schema/language/field.js'
import type { NewEvent } from '../../plugin/storage/queues/outbox.js'
import { type Receiver, startReceiver } from '../support/receiver.js'
import { MINUTE, SECRET, type WorldParts, withWebhooks } from '../support/webhooks.js'

describe('deliveries that webhooks ask for', () => {
  const world = withWebhooks()
  let receiver: Receiver

  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(() => receiver.close())

  async function happen(...events: readonly Partial<NewEvent>[]): Promise<void> {
    await world.addEvents(...events)
    const { plan } = world.deliveries()
    await createRelay({ storage: world.storage, leases: world.leases(), log: world.log, receivers: [plan] }).run()
  }
  const deliver = (parts: Partial<WorldParts> = {}) => world.deliveries(parts).deliverDue()
  const told = () => receiver.received.map(({ body }) => `${body['event']} ${body['object_id']}`)

  it('are of several events, all of a type among them, that meet the filter, and not of the own changes of a person', async () => {
    const values = { event: 'problem.create', events: '["problem.create","request.*"]', except_person_id: 7 }
    await world.addWebhook({ uri: receiver.url, ...values, filter: 'status=assigned' })
    await happen(
      { recordId: 1, personId: 8, snapshot: { status: 'assigned' } },
      { recordId: 2, personId: 7, snapshot: { status: 'assigned' } },
      { recordId: 3, personId: null, snapshot: { status: 'declared' } },
      { recordId: 4, personId: null, event: 'request.note-added', snapshot: { status: 'assigned' } },
      { recordId: 5, personId: null, event: 'person.create', recordType: 'person', snapshot: {} },
    )
    await deliver()
    expect(told()).to.deep.equal(['request.create 1', 'request.note-added 4'])
    // What a webhook did not want is a message all the same.
    expect(await world.rows('messages')).to.have.length(5)
  })

  it('are JSON with the headers that it adds, signed over these bytes, and at each repetition as it asks then', async () => {
    let isUp = false
    await receiver.close()
    receiver = await startReceiver({ answer: () => (isUp ? 200 : 500) })
    const sealed = createSeal(SECRET, 'field seal').seal(JSON.stringify({ 'X-Room': 'desk' }))
    const headers = JSON.stringify({ names: ['X-Room'], sealed })
    const id = await world.addWebhook({ uri: receiver.url, headers })
    await happen({ recordId: 1 })
    await deliver()
    expect(receiver.received[0]?.headers).to.include({ 'x-room': 'desk' })
    expect(receiver.received[0]?.headers['content-type']).to.match(/^application\/x-www-form-urlencoded/)
    await world.storage.knex(world.storage.table('webhooks')).where({ id }).update({ content_type: 'json', headers: null })
    isUp = true
    world.clock.pass(2 * MINUTE)
    await deliver()
    const [first, second] = receiver.received
    expect(second?.headers['content-type']).to.equal('application/json; charset=utf-8')
    expect(second?.headers).to.not.have.property('x-room')
    expect(second?.headers['webhook-id']).to.equal(first?.headers['webhook-id'])
    expect(JSON.parse(second?.raw ?? '')).to.deep.include({ type: 'request.create', timestamp: '2026-11-21T09:00:00.000Z' })
    expect(JSON.parse(second?.raw ?? '').data).to.deep.include({
      object_id: 1,
      payload: { audit_line_id: 31, status: 'declared' },
    })
  })

  it('have the record, read once for a page; one that cannot be read is no reason to send less', async () => {
    await world.addWebhook({ uri: receiver.url, content_type: 'json', payload: 'snapshot' })
    await happen({ recordId: 1 }, { recordId: 2 }, { recordId: 3 })
    let reads = 0
    const parts = {
      callers: { pluginCall: async () => ({ account: { id: 'acme' } }) as never },
      find: async (): Promise<{ [name: string]: Json }[]> => {
        reads += 1
        return [1, 2].map((id) => ({ id, subject: `Subject ${id}` }))
      },
    }
    await deliver(parts)
    expect(reads).to.equal(1)
    const records = receiver.received.map(({ raw }) => JSON.parse(raw).data.payload.record)
    expect(records).to.have.deep.members([{ id: 1, subject: 'Subject 1' }, { id: 2, subject: 'Subject 2' }, null])
  })

  it('keep the pace: the rest waits without losing an attempt, in order', async () => {
    const id = await world.addWebhook({ uri: receiver.url, max_per_minute: 3 })
    await world.queue(id, 8, { object_id: 1 })
    await world.storage.knex(world.storage.table('channel_deliveries')).update({ ordered_by: 'request/1' })
    const { deliverDue } = world.deliveries()
    const numbers = () => receiver.received.length
    const { delivered, failed, next } = await deliverDue()
    expect([delivered, failed, next]).to.deep.equal([3, 0, new Date(world.clock.now().getTime() + MINUTE)])
    expect((await deliverDue()).delivered).to.equal(0)
    world.clock.pass(MINUTE)
    expect((await deliverDue()).delivered).to.equal(3)
    world.clock.pass(MINUTE)
    expect(await deliverDue()).to.deep.equal({ delivered: 2, failed: 0, next: null })
    expect(numbers()).to.equal(8)
    const ids = receiver.received.map(({ headers }) => Number(String(headers['webhook-id']).slice(4)))
    expect(ids).to.deep.equal(ids.toSorted((one, other) => one - other))
    expect((await world.rows('channel_deliveries')).every(({ attempts }) => Number(attempts) === 0)).to.equal(true)
    expect(await world.rows('webhook_health')).to.have.nested.property('[0].failures', 0)
  })
})
