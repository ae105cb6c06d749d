import { expect } from 'chai'
import { createQueue } from '../../plugin/deliveries/queue.js'
import { receiverKey } from '../../plugin/webhooks/receiver-key.js'
import { withWebhooks } from '../support/webhooks.js'

const SENT = 3000
const LANES = ['https://one.example/', 'https://two.example/', 'https://three.example/']

describe('the search for lanes with deliveries', () => {
  const world = withWebhooks()

  function queue() {
    const { channel } = world.deliveries()
    return createQueue({ ...world, keepsSent: true, channel, holder: world.leases().holder('receiver', 30_000) })
  }

  /** Rows of lanes that take turns; every third is of the last one, which has none that waits. */
  async function fill(state: string, count: number, urls: readonly string[]): Promise<void> {
    const now = '2026-11-21 09:00:00.000'
    const rows = Array.from({ length: count }, (_, index) => ({
      channel: 'webhook',
      target: String(1 + (index % urls.length)),
      lane: receiverKey('acme', urls[index % urls.length] ?? ''),
      account_id: 'acme',
      ordered_by: `request/${index}`,
      state,
      next_at: now,
      created_at: now,
    }))
    const table = world.storage.table('channel_deliveries')
    for (let from = 0; from < rows.length; from += 200) await world.storage.knex(table).insert(rows.slice(from, from + 200))
  }

  it('finds those with something that waits, with the earliest time, and no lane of another channel', async () => {
    await fill('sent', 30, LANES)
    await fill('waiting', 20, LANES.slice(0, 2))
    await world.storage.knex(world.storage.table('channel_deliveries')).insert({
      ...{ channel: 'mail', target: '1', lane: '', account_id: 'acme', ordered_by: '1', state: 'waiting' },
      ...{ next_at: '2026-11-21 09:00:00.000', created_at: '2026-11-21 09:00:00.000' },
    })
    const found = await queue().queued()
    const lanes = LANES.slice(0, 2).map((url) => receiverKey('acme', url))
    expect(found.map(({ lane }) => lane)).to.have.members(lanes)
    for (const { dueAt, isServedElsewhere } of found) {
      expect(dueAt.toISOString()).to.equal('2026-11-21T09:00:00.000Z')
      expect(isServedElsewhere).to.equal(false)
    }
  })

  it('reads neither all that waits nor what was sent before', async function () {
    if (world.storage.dialect === 'sqlite') return this.skip()
    await fill('sent', SENT, LANES)
    await fill('waiting', SENT, LANES.slice(0, 2))
    const { knex } = world.storage
    await knex.raw('analyze table ??', [world.storage.table('channel_deliveries')])
    const read = async () => {
      const [rows] = await knex.raw("show global status like 'Handler_read_%'")
      return (rows as { Value: string }[]).reduce((sum, { Value }) => sum + Number(Value), 0)
    }
    const before = await read()
    expect(await queue().queued()).to.have.length(2)
    expect((await read()) - before).to.be.below(SENT / 2)
  })
})
