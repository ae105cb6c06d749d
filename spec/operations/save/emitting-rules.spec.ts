/** Events that rules cause, as a host sees them: in listeners, deliveries and the feed. */
import { expect } from 'chai'
import { extendRecord, type HostEvent, listener, rule, type WrittenContext } from '../../../plugin/index.js'
import { type TestDesk, testDesk } from '../../../plugin/testing/index.js'

const LARGE = { note: 'é'.repeat(4096) }

/** What a rule does with a site, by the name of the site. */
const deeds: { readonly [name: string]: (context: WrittenContext) => void | Promise<void> } = {
  Flooded: ({ emit, next }) =>
    emit('site.flooded', next['id'] ?? null, { depth: 1.5, rooms: ['A', 'B'], at: null, by: { id: 7 } }),
  'Without data': ({ emit, next }) => emit('site.flooded', next['id'] ?? null, {}),
  Nowhere: ({ emit }) => emit('site.flooded', null, { depth: 1 }),
  async 'About others'({ emit, find, next }) {
    const [organization] = await find('organization', {})
    emit('organization.moved', organization?.['id'] ?? null, { to: next['name'] ?? null })
    emit('site.flooded', next['id'] ?? null, { depth: 2 })
  },
  'Refused later'({ emit, fail, next }) {
    emit('site.flooded', next['id'] ?? null, { depth: 3 })
    fail('name', 'is under water')
  },
  Misspelled: ({ emit, next }) => emit('site.floded', next['id'] ?? null),
  'Of the plugin': ({ emit, next }) => emit('site.create', next['id'] ?? null),
  'A list': ({ emit, next }) => emit('site.flooded', next['id'] ?? null, [1] as never),
  'No JSON': ({ emit, next }) => emit('site.flooded', next['id'] ?? null, { depth: Number.NaN }),
  'A date': ({ emit, next }) => emit('site.flooded', next['id'] ?? null, new Date() as never),
  'Too much': ({ emit, next }) => emit('site.flooded', next['id'] ?? null, LARGE),
  'Not there': ({ emit }) => emit('site.flooded', 999_999),
  'No id': ({ emit }) => emit('site.flooded', 'x'),
}

const tell = rule('tell', () => ({
  fields: ['name'],
  async written(context: WrittenContext) {
    await deeds[String(context.next['name']).replace(/ \d+$/, '')]?.(context)
  },
}))
const takeLeave = rule('takeLeave', () => ({
  fields: ['name'],
  removed: ({ emit, next }: WrittenContext) => emit('webhook.left', next['id'] ?? null, { name: next['name'] ?? null }),
}))

describe('rules that cause events', function () {
  this.timeout(60_000)
  let desk: TestDesk
  const heard: HostEvent[] = []
  const lines: unknown[] = []

  before(async () => {
    const hears = listener('gauge', (event) => void heard.push(event))
    desk = await testDesk({
      extend: [
        extendRecord('site', { emits: ['flooded'], events: ['create'], rules: [tell()] }),
        extendRecord('organization', { emits: ['moved'] }),
        extendRecord('webhook', { emits: ['left'], rules: [takeLeave()] }),
      ],
      on: { 'site.create': [hears], 'site.flooded': [hears], 'organization.moved': [hears], 'webhook.left': [hears] },
      log: { debug() {}, info() {}, warn() {}, error: (...line: unknown[]) => void lines.push(line) } as never,
    })
  })
  after(() => desk.close())
  beforeEach(async () => {
    await desk.restore()
    await desk.settle()
    heard.length = 0
    lines.length = 0
  })

  const create = (name: string) => desk.ask('@owen', 'POST', '/sites', { name })
  const told = () => heard.map(({ data, name }) => [name, data])

  it('tell listeners what they say, after the events of the save, as the person who saves', async () => {
    const { body } = await create('Flooded')
    await desk.settle()
    const data = { depth: 1.5, rooms: ['A', 'B'], at: null, by: { id: 7 } }
    expect(told()).to.deep.equal([
      ['site.create', null],
      ['site.flooded', data],
    ])
    const { id } = body as { id: number }
    expect(heard[1]).to.deep.include({ recordType: 'site', recordId: id, accountId: 'widgets', auditLineId: null, changes: {} })
    expect(heard[1]?.person).to.include({ id: desk.world.id('@owen') })
  })

  it('may say nothing', async () => {
    await create('Without data')
    await create('Nowhere')
    await desk.settle()
    expect(told()).to.deep.equal([
      ['site.create', null],
      ['site.flooded', null],
      ['site.create', null],
    ])
  })

  it('tell of other records, too', async () => {
    await create('About others')
    await desk.settle()
    expect(told()).to.deep.include(['organization.moved', { to: 'About others' }])
    expect(told()).to.deep.include(['site.flooded', { depth: 2 }])
  })

  it('tell of a record that is removed', async () => {
    const { body } = await desk.ask('@owen', 'POST', '/webhooks', {
      ...{ event: 'site.create', uri: 'https://hooks.example/x', name: 'Old' },
    })
    const { id } = body as { id: number }
    await desk.ask('@owen', 'DELETE', `/webhooks/${id}`)
    await desk.settle()
    expect(heard.map(({ data, name, recordId }) => [name, recordId, data])).to.deep.equal([
      ['webhook.left', id, { name: 'Old' }],
    ])
  })

  it('tell nothing if the save is undone', async () => {
    expect((await create('Refused later')).status).to.equal(422)
    await desk.settle()
    expect(heard).to.deep.equal([])
  })

  for (const [name, reason] of [
    ['Misspelled', "No record type emits 'site.floded'; did you mean 'site.flooded'?"],
    ['Of the plugin', "No record type emits 'site.create'"],
    ['A list', 'emit of site.flooded: data must be an object, not a list'],
    ['No JSON', 'emit of site.flooded: data must be data that JSON can represent, without NaN'],
    ['A date', 'emit of site.flooded: data must be an object, not'],
    ['Too much', 'emit of site.flooded: data has 8203 bytes as JSON; at most 8192 are kept'],
    ['Not there', 'emit of site.flooded: there is no site 999999'],
    ['No id', "the id of a site must be a number, not 'x'"],
  ] as const) {
    it(`are named in the log when they are wrong: ${name}`, async () => {
      expect((await create(name)).status).to.equal(500)
      await desk.settle()
      expect(heard).to.deep.equal([])
      expect(lines.map((line) => String((line as [{ err?: Error }])[0].err?.message)).join()).to.include(reason)
    })
  }

  it('reach webhooks with their data as JSON, and the feed for those who may read changes', async () => {
    await desk.ask('@owen', 'POST', '/webhooks', { event: 'site.flooded', uri: `${desk.receiver.url}/hook`, name: 'Gauge' })
    await create('Flooded')
    await desk.settle()
    const [delivery] = desk.receiver.deliveries
    const data = { depth: 1.5, rooms: ['A', 'B'], at: null, by: { id: 7 } }
    expect(JSON.parse(String(delivery?.body['payload[data]']))).to.deep.equal(data)
    expect(delivery?.body).to.have.property('event', 'site.flooded')
    const feed = async (name: string) => {
      const { token } = await desk.itsm.tokens.create(desk.world.id(name), { name: 'spec', recordTypes: ['feed'] })
      const headers = { authorization: `Bearer ${token}` }
      return (await fetch(`${desk.baseUrl}/feed?after=0&types=site`, { headers })).text()
    }
    expect(await feed('@owen')).to.include(`"data":${JSON.stringify(data)}`)
    expect(await feed('@hank'))
      .to.include('site.flooded')
      .and.not.include('depth')
  })

  it('serve a batch at once', async () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ name: `Flooded ${index}` }))
    const results = await desk.itsm.asSystem('the specs', 'widgets').createMany('site', many)
    expect(results.map(({ error }) => error)).to.deep.equal(many.map(() => null))
    await desk.settle()
    expect(heard.filter(({ name }) => name === 'site.flooded')).to.have.length(40)
  })
})
