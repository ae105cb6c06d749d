import { expect } from 'chai'
import { recordTable } from '../../../migrations/tools.js'
import { HookFailed } from '../../../plugin/core/errors.js'
import { ADMINISTRATORS, common } from '../../../plugin/schema/kinds/common-fields.js'
import { boolean, date, decimal, float, integer, oneOf, ref, string, text } from '../../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import { type FillContext, rule } from '../../../plugin/schema/language/define-rule.js'
import { errorOf, refusalOf, withHouse } from '../../support/house.js'

/** Rules and hooks of the type below write down that they ran. */
const ran: string[] = []
const note = rule('note', (name: string) => ({
  fill: () => void ran.push(`${name} fills`),
  check: () => void ran.push(`${name} checks`),
  written: () => void ran.push(`${name} written`),
}))

/** A value that needs the id, in the place of another one. */
const labelled = rule('labelled', () => ({
  fillWithId({ next }) {
    if (next['remarks'] === 'label me') next['remarks'] = `gauge no. ${next['id']}`
    if (String(next['remarks']).startsWith('rename to ')) next['name'] = String(next['remarks']).slice(10)
  },
}))

const gauge = defineRecord('gauge', {
  path: 'gauges',
  fields: {
    ...common,
    name: string(40, { required: true }),
    kind: oneOf(['thermometer', 'barometer'], { default: 'thermometer' }),
    unit: string(10, { required: true, default: 'K' }),
    reading: decimal(),
    ratio: float(),
    level: integer({ minimum: 0, maximum: 10 }),
    active: boolean({ default: true }),
    bought_on: date(),
    keeper: ref('person'),
    serial: string(20, { only: 'create' }),
    remarks: text(),
  },
  collection: { fields: 'id name', sort: 'name', filterable: 'id name' },
  access: { create: ADMINISTRATORS, update: ADMINISTRATORS },
  rules: [note('first'), note('second'), labelled()],
  events: ['create', 'update'],
  unique: [['name']],
})

describe('saving', () => {
  const house = withHouse({
    records: [gauge],
    before: {
      'gauge.save': [
        (context: FillContext) => {
          ran.push('host')
          if (context.next['name'] === 'forbidden') context.fail('name', 'A gauge is not called that')
          if (context.next['name'] === 'broken') throw new Error('the hook is broken')
          if (context.next['name'] === 'silent') context.fail('name', undefined as never)
        },
      ],
    },
    migrations: [
      {
        name: 'host_0001_gauges',
        up: (schema) =>
          recordTable(schema, 'gauges', (table) => {
            table.string('source', 30)
            table.string('sourceID', 128)
            table.string('name', 40)
            table.enum('kind')
            table.string('unit', 10)
            table.decimal('reading')
            table.float('ratio')
            table.integer('level')
            table.boolean('active')
            table.date('bought_on')
            table.ref('keeper_id')
            table.string('serial', 20)
            table.text('remarks')
            table.datetime('created_at')
            table.datetime('updated_at')
            table.unique('account_id', 'name')
            table.unique('account_id', 'source', 'sourceID')
          }),
        down: async () => {},
      },
    ],
  })
  let admin = 0
  let counter = 0
  const fresh = () => `gauge ${++counter}`
  const create = (body: object) => house.add('gauge', { name: fresh(), ...body })
  const change = async (id: number, body: object) => house.operations.save(await house.by(admin), 'gauge', id, body)

  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
  })
  beforeEach(() => {
    ran.length = 0
    house.clock.set('2026-11-21T09:30:00Z')
  })

  it('blames only the value that a rule has set late if another record has it', async () => {
    await create({ name: 'Late' })
    const body = { source: 'spec', sourceID: 'late', remarks: 'rename to Late' }
    expect(await refusalOf(create(body))).to.deep.equal([['name', 'taken']])
    await create({ ...body, remarks: 'rename to Later' })
  })

  it('lets rules fill in their order, then the hooks of the host, then lets rules check, and tells them when the row is written', async () => {
    await create({})
    expect(ran).to.deep.equal([
      'first fills',
      'second fills',
      'host',
      'first checks',
      'second checks',
      'first written',
      'second written',
    ])
  })

  it('stores what rules say of a record when its id is known, also in the place of another value, and of a changed one', async () => {
    const id = await create({ remarks: 'label me' })
    expect(await house.row('gauge', id)).to.include({ remarks: `gauge no. ${id}`, unit: 'K' })
    await change(id, { remarks: 'other' })
    house.clock.pass(60_000)
    expect(await change(id, { remarks: 'label me' })).to.include({ remarks: `gauge no. ${id}` })
    expect(await house.row('gauge', id)).to.include({ remarks: `gauge no. ${id}`, updated_at: '2026-11-21T09:31:00Z' })
    const [line] = (await house.table('audit_lines')).slice(-1)
    expect(JSON.parse(String(line?.['changes']))).to.deep.equal({ remarks: ['other', `gauge no. ${id}`] })
  })

  it('takes no owner for records that are no parts', async () => {
    const owner = { type: 'person', id: admin }
    const work = house.operations.save(await house.by(admin), 'gauge', null, { name: fresh() }, owner)
    expect((await errorOf(work)).name).to.equal('NotFound')
  })

  it('fills defaults, also where the caller clears the field, and keeps what is not given', async () => {
    const id = await create({ kind: 'barometer', remarks: 'kept' })
    expect(await house.row('gauge', id)).to.include({ kind: 'barometer', unit: 'K', active: true, remarks: 'kept' })
    await change(id, { kind: null, unit: ' ' })
    expect(await house.row('gauge', id)).to.include({ kind: 'thermometer', unit: 'K', remarks: 'kept' })
  })

  it('reports all violations at once, in the order of the fields', async () => {
    const body = { remarks: 5, level: 11, name: '', kind: 'clock', keeper_id: 99_999, bought_on: '2026-02-30', reading: 'many' }
    const violations = await refusalOf(house.add('gauge', body))
    expect(violations).to.deep.equal([
      ['name', 'blank'],
      ['kind', 'inclusion'],
      ['reading', 'not_a_number'],
      ['level', 'greater_than', { max: 10 }],
      ['bought_on', 'invalid_date'],
      ['keeper', 'cannot_be_found'],
    ])
  })

  it('reports a field once, by the first thing that is wrong with it', async () => {
    expect(await refusalOf(house.add('gauge', { name: 'x'.repeat(41), keeper_id: 'me' }))).to.deep.equal([
      ['name', 'too_long', { max: 40 }],
      ['keeper', 'cannot_be_found'],
    ])
  })

  it('refuses an update that clears a required field, and lets one pass that does not touch it', async () => {
    const id = await create({})
    expect(await refusalOf(change(id, { name: null }))).to.deep.equal([['name', 'blank']])
    // A row from before the field was required.
    await house.storage.knex(house.storage.table('gauges')).where({ id }).update({ name: null })
    await change(id, { level: 4 })
    expect(await house.row('gauge', id)).to.include({ name: null, level: 4 })
  })

  it('takes create-only fields when creating and ignores them afterwards', async () => {
    const id = await create({ serial: 'A-1' })
    await change(id, { serial: 'B-2' })
    expect(await house.row('gauge', id)).to.include({ serial: 'A-1' })
  })

  it('ignores read-only and unknown fields', async () => {
    const id = await create({ id: 7_000, created_at: '2001-01-01T00:00:00Z', colour: 'red', account_id: 'globex' })
    expect(id).to.be.lessThan(7_000)
    expect(await house.row('gauge', id)).to.include({ account_id: 'acme', created_at: '2026-11-21T09:30:00Z' })
  })

  it('stores nothing, emits nothing and keeps updated_at when nothing changed', async () => {
    const id = await create({ reading: '7', ratio: 0.5, level: 3, bought_on: '2020-02-29' })
    const [events, lines] = [(await house.table('outbox')).length, (await house.table('audit_lines')).length]
    house.clock.pass(60_000)
    await change(id, {
      reading: 7.001,
      ratio: '0.5',
      level: '3',
      active: 'YES',
      bought_on: '2020-02-29',
      name: `gauge ${counter}`,
    })
    expect(await house.row('gauge', id)).to.include({ reading: '7.0', updated_at: '2026-11-21T09:30:00Z' })
    expect(await house.table('outbox')).to.have.length(events)
    expect(await house.table('audit_lines')).to.have.length(lines)
  })

  it('moves updated_at, and tells what changed, when something did', async () => {
    const id = await create({ level: 3 })
    house.clock.pass(60_000)
    await change(id, { level: 4, kind: 'barometer' })
    expect(await house.row('gauge', id)).to.include({ created_at: '2026-11-21T09:30:00Z', updated_at: '2026-11-21T09:31:00Z' })
    const events = (await house.table('outbox')).filter((event) => Number(event['record_id']) === id)
    expect(events.map((event) => event['event'])).to.deep.equal(['gauge.create', 'gauge.update'])
    const [line] = (await house.table('audit_lines')).filter(
      (one) => one['action'] === 'update' && Number(one['owner_id']) === id,
    )
    expect(JSON.parse(String(line?.['changes']))).to.deep.equal({ kind: ['thermometer', 'barometer'], level: [3, 4] })
    expect(Number(line?.['created_by_id'])).to.equal(admin)
    expect(Number(events[1]?.['audit_line_id'])).to.equal(Number(line?.['id']))
    expect([events[0]?.['person_name'], events[1]?.['person_name']]).to.deep.equal(['', 'Ada Admin'])
  })

  it('clears decimals, numbers and references', async () => {
    const id = await create({ reading: '1.5', ratio: 2, level: 1, keeper_id: admin, bought_on: '2020-01-01' })
    await change(id, { reading: null, ratio: '', level: null, keeper_id: null, bought_on: '' })
    expect(await house.row('gauge', id)).to.include({
      reading: null,
      ratio: null,
      level: null,
      keeper_id: null,
      bought_on: null,
    })
  })

  it('keeps decimals exact to the cent, up to twelve digits', async () => {
    const id = await create({ reading: '999999999999.99' })
    expect(await house.row('gauge', id)).to.include({ reading: '999999999999.99' })
    await change(id, { reading: '1.005' })
    expect(await house.row('gauge', id)).to.include({ reading: '1.01' })
    await change(id, { reading: -0.004 })
    expect(await house.row('gauge', id)).to.include({ reading: '0.0' })
    expect(await refusalOf(change(id, { reading: '999999999999.995' }))).to.deep.equal([['reading', 'not_a_number']])
  })

  it('keeps texts of 64 KB by bytes, and every character of them', async () => {
    // 65,536 bytes.
    const long = `${'€'.repeat(21_845)}a`
    const id = await create({ remarks: long })
    expect((await house.row('gauge', id))?.['remarks']).to.equal(long)
    expect(await refusalOf(change(id, { remarks: `${long}a` }))).to.deep.equal([['remarks', 'too_big_text']])
    const odd = `tab\tline\n"quotes" 'single' \\ % _ ${'😀'.repeat(3)} é  `
    await change(id, { remarks: odd })
    expect((await house.row('gauge', id))?.['remarks']).to.equal(odd)
  })

  it('refuses a NUL, which not every database keeps', async () => {
    expect(await refusalOf(house.add('gauge', { name: 'a\0b' }))).to.deep.equal([['name', 'invalid']])
  })

  it('lets a hook of the host refuse, together with everything else', async () => {
    expect(await refusalOf(house.add('gauge', { name: 'forbidden', level: -1 }))).to.deep.equal([
      ['name', 'A gauge is not called that'],
      ['level', 'less_than', { min: 0 }],
    ])
  })

  it('names the hook that fails', async () => {
    const error = await errorOf(house.add('gauge', { name: 'broken' }))
    expect(error).to.be.instanceOf(HookFailed)
    expect(error.message).to.equal("The host's before hook of gauge.save failed: the hook is broken")
    const silent = await errorOf(house.add('gauge', { name: 'silent' }))
    expect(silent).to.be.instanceOf(HookFailed)
    expect(silent.message).to.match(/gauge\.save failed: fail: must have the name of a field and a code or .*, not undefined$/)
  })

  it('takes source and sourceID later only from administrators', async () => {
    const id = await create({ source: 'scanner', sourceID: '1' })
    await change(id, { sourceID: '2' })
    expect(await house.row('gauge', id)).to.include({ source: 'scanner', sourceID: '2' })
    const person = await house.addPerson('Paul Plain')
    const analyst = await house.addPerson('Anna Analyst', ['service_desk_analyst'])
    await house.operations.save(await house.by(person), 'person', person, { sourceID: 'mine', information: 'hello' })
    expect(await house.row('person', person)).to.include({ sourceID: null, information: 'hello' })
    expect((await errorOf(house.by(analyst).then((call) => house.operations.save(call, 'person', person, {})))).name).to.equal(
      'Forbidden',
    )
  })

  it('fills the source of new records with where the call comes from, cut to 30 characters', async () => {
    const call = await house.by(admin, { source: 'a very long name of a user agent indeed' })
    const row = await house.operations.save(call, 'gauge', null, { name: fresh() })
    expect(row['source']).to.equal('a very long name of a user age')
  })

  it('finds nothing to change in another account', async () => {
    const id = await house.add('gauge', { name: fresh() }, { account: 'globex' })
    expect((await errorOf(change(id, { level: 1 }))).name).to.equal('NotFound')
  })
})
