/** The life of a record as data: what callers may choose next, what is free, and what is wrong in a table. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { recordTable } from '../migrations/tools.js'
import { common, defineRecord, extendRecord, InvalidDefinition, type Migration, oneOf, rule, string } from '../plugin/index.js'
import { type TestDesk, testDesk } from '../plugin/testing/index.js'

const STATUSES = ['new', 'ready', 'in_use', 'repaired', 'retired'] as const

const returns = rule('returns', () => ({
  fields: ['name'],
  fill({ next }) {
    if (next['name'] === 'Broken') next['status'] = 'repaired'
  },
}))

function definition(more: object = {}) {
  return defineRecord('bicycle', {
    path: 'bicycles',
    fields: {
      ...common,
      name: string(60, { required: true }),
      status: oneOf(STATUSES, { default: 'new' }),
      color: oneOf(['red']),
    },
    collection: { fields: 'id name status', sort: 'name' },
    access: { create: ['specialist', 'account_administrator'], update: ['specialist', 'account_administrator'] },
    moves: {
      status: { new: ['ready'], ready: ['in_use', { to: 'retired', by: ['account_administrator'] }], in_use: ['ready'] },
    },
    rules: [returns()],
    import: 'all',
    ...more,
  } as never)
}

const bicycles: Migration = {
  name: 'host_0001_bicycles',
  up: (schema) =>
    recordTable(schema, 'bicycles', (table) => {
      table.string('source', 30)
      table.string('sourceID', 128)
      table.datetime('created_at')
      table.datetime('updated_at')
      table.string('name', 60)
      table.enum('status')
      table.enum('color')
      table.unique('account_id', 'source', 'sourceID')
    }),
  down: async () => {},
}

const STATUS_LABELS = { new: 'New', ready: 'Ready', in_use: 'In use', repaired: 'Repaired', retired: 'Retired', lost: 'Lost' }
const words = {
  en: { fields: { status: 'Status' }, values: { 'bicycle.status': STATUS_LABELS } },
  nl: { values: { 'bicycle.status': { ...STATUS_LABELS, ready: 'Klaar', in_use: 'In gebruik', retired: 'Afgedankt' } } },
}

describe('moves', function () {
  this.timeout(60_000)
  let desk: TestDesk

  before(async () => {
    // An extension may add to the table.
    const found = [{ to: 'ready', by: ['account_administrator'] as const }]
    const moves = { status: { repaired: ['ready'], in_use: ['repaired'], lost: found } }
    const extend = [extendRecord('bicycle', { values: { status: ['lost'] }, moves })]
    desk = await testDesk({ records: [definition()], migrations: [bicycles], extend, words })
  })
  after(() => desk.close())

  async function bicycle(status = 'new') {
    const { body } = await desk.ask('@owen', 'POST', '/bicycles', { name: `One that is ${status}`, status })
    return (body as { id: number }).id
  }
  async function move(id: number, status: string, as = '@sam', headers = {}) {
    const answer = await desk.ask(as, 'PATCH', `/bicycles/${id}`, { status }, headers)
    return [answer.status, (answer.body as { errors?: unknown }).errors ?? (answer.body as { status: string }).status]
  }

  it('lead from value to value, for those who may', async () => {
    const id = await bicycle()
    expect(await move(id, 'in_use')).to.deep.equal([422, [['status', 'Status can only become "Ready" from here']]])
    expect(await move(id, 'ready')).to.deep.equal([200, 'ready'])
    expect(await move(id, 'retired')).to.deep.equal([422, [['status', 'Status can only become "In use" from here']]])
    expect(await move(id, 'new', '@owen')).to.deep.equal([
      422,
      [['status', 'Status can only become "In use" or "Retired" from here']],
    ])
    expect(await move(id, 'retired', '@owen')).to.deep.equal([200, 'retired'])
    expect(await move(id, 'ready', '@owen')).to.deep.equal([
      422,
      [['status', 'Status cannot be changed any more once it is "Retired"']],
    ])
  })

  it('are told to be those of others', async () => {
    const id = await bicycle('lost')
    const told = 'Status can only be changed by others while it is "Lost"'
    expect(await move(id, 'ready')).to.deep.equal([422, [['status', told]]])
    expect(await move(id, 'ready', '@owen')).to.deep.equal([200, 'ready'])
  })

  it('are told in the language of the reader', async () => {
    const id = await bicycle('ready')
    const told = await move(id, 'new', '@owen', { 'X-SVC-Language': 'nl' })
    expect(told).to.deep.equal([422, [['status', 'Status kan vanaf hier alleen ‘In gebruik’ of ‘Afgedankt’ worden']]])
  })

  it('are those of extensions, too', async () => {
    const id = await bicycle('in_use')
    expect(await move(id, 'repaired')).to.deep.equal([200, 'repaired'])
    expect(await move(id, 'ready')).to.deep.equal([200, 'ready'])
  })

  it('leave the same value, new records, rules and the system alone', async () => {
    const id = await bicycle('retired')
    expect(await move(id, 'retired')).to.deep.equal([200, 'retired'])
    const broken = await desk.ask('@sam', 'PATCH', `/bicycles/${id}`, { name: 'Broken' })
    expect(broken.body).to.include({ status: 'repaired' })
    const system = desk.itsm.asSystem('a spec', 'widgets')
    await system.update('bicycle', id, { name: 'Mended' })
    expect(await system.update('bicycle', id, { status: 'new' })).to.include({ status: 'new' })
  })

  it('count for rows of files', async () => {
    await desk.ask('@owen', 'POST', '/bicycles', { name: 'From a file', source: 'Fleet', sourceID: 'B-1' })
    const form = new FormData()
    form.set('type', 'bicycles')
    form.set('file', new Blob(['Source,Source ID,Status\r\nFleet,B-1,in_use\r\n']), 'bicycles.csv')
    const headers = { authorization: `Basic ${btoa(`${desk.world.token('@owen')}:x`)}` }
    await fetch(`${desk.baseUrl}/import`, { method: 'POST', headers, body: form })
    await desk.settle()
    const [entry] = (await desk.ask('@owen', 'GET', '/imports')).body as { id: number; results: object }[]
    expect(entry?.results).to.include({ failures: 1, updated: 0 })
  })

  it('can be read from the catalog and from the OpenAPI document', async () => {
    const { moves } = desk.itsm.catalog.type('bicycle')
    expect(moves.get('status')?.get('in_use')).to.deep.equal([
      { to: 'ready', by: null },
      { to: 'repaired', by: null },
    ])
    expect(desk.itsm.catalog.type('request').moves.size).to.equal(0)
    const document = JSON.stringify((await desk.ask(null, 'GET', '/openapi.json')).body)
    expect(document).to.contain('After new: ready. After ready: in_use, retired. After in_use: ready, repaired.')
  })

  const WRONG: readonly [moves: object, message: RegExp][] = [
    [{ state: { new: ['ready'] } }, /bicycle\.moves\.state: there is no field 'state'|moves\.state: there is no field 'state'/],
    [{ name: { new: ['ready'] } }, /moves\.name: must be an enumeration that callers can set/],
    [{ status: { newer: ['ready'] } }, /moves\.status: there is no value 'newer'/],
    [{ status: { new: ['read'] } }, /moves\.status\.new: there is no value 'read'; did you mean 'ready'/],
    [{ status: { new: ['ready', 'ready'] } }, /moves\.status\.new: 'ready' is there twice/],
    [{ status: { new: [{ to: 'ready', by: ['boss'] }] } }, /moves\.status\.new: .*boss/],
    [{ status: { new: [{ to: 'ready' }] } }, /moves\.status\.new.*by/],
    [{ status: { new: 'ready' } }, /moves\.status\.new: must be a list/],
    [{ status: ['new'] }, /moves\.status: must be/],
  ]
  for (const [moves, message] of WRONG) {
    it(`are refused: ${JSON.stringify(moves)}`, async () => {
      const error = await testDesk({ records: [definition({ moves })] }).catch((thrown: unknown) => thrown)
      expect(error).to.be.instanceOf(InvalidDefinition)
      expect((error as Error).message).to.match(message)
    })
  }
})
