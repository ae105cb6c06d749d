import { expect } from 'chai'
import { passImpacts } from '../../migrations/0033_pass_impacts.js'
import { indexName } from '../../plugin/schema/derive/expected-tables.js'
import { countStatements } from '../support/count-statements.js'
import { testStore } from '../support/database.js'
import { withHouse } from '../support/house.js'

describe('the impact of services and service instances', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true })
  let [sam, team, mail, web, provider] = [0, 0, 0, 0, 0]
  before(async () => {
    sam = await house.addPerson('Sam', ['specialist'])
    team = await house.add('team', { name: 'Service desk' })
    await house.operations.link(await house.system(), { type: 'team', id: team }, 'members', sam)
    provider = await house.add('organization', { name: 'Provider' })
    mail = await house.add('service', { name: 'Mail', provider_id: provider })
    web = await house.add('service', { name: 'Web', provider_id: provider })
  })
  let serial = 0
  const serviceOf = (name: string) => house.add('service', { name, provider_id: provider })
  const instanceOf = (service: number) => {
    serial += 1
    return house.add('service_instance', { name: `Instance ${serial}`, service_id: service })
  }
  const incident = (instance: number, more: object = {}) => ({
    ...{ subject: 'Down', category: 'incident', impact: 'high', service_instance_id: instance, team_id: team },
    ...{ requested_by_id: sam, ...more },
  })
  const save = async (id: number | null, body: object) =>
    Number((await house.operations.save(await house.by(sam), 'request', id, body))['id'])
  const done = { status: 'completed', completion_reason: 'solved' }
  const impactOf = async (instance: number, type = 'service_instance') => (await house.row(type, instance))?.['impact']

  it('is the highest one of the open incidents', async () => {
    const at = await instanceOf(mail)
    expect(await impactOf(at)).to.equal(null)
    const low = await save(null, incident(at, { impact: 'low' }))
    const top = await save(null, incident(at, { impact: 'top' }))
    expect(await impactOf(at)).to.equal('top')
    await save(null, incident(at, { category: 'rfc', impact: 'top' }))
    await save(top, { impact: 'medium' })
    expect(await impactOf(at)).to.equal('medium')
    await save(top, { status: 'waiting_for_customer' })
    expect(await impactOf(at)).to.equal('medium')
    await save(top, done)
    expect(await impactOf(at)).to.equal('low')
    await save(low, { category: 'rfi' })
    expect(await impactOf(at)).to.equal(null)
    await save(top, { status: 'assigned' })
    expect(await impactOf(at)).to.equal('medium')
    await save(top, { category: 'complaint' })
    expect(await impactOf(at)).to.equal(null)
  })

  it('moves with the incident, and with the service instance to another service', async () => {
    const [one, other] = [await instanceOf(mail), await instanceOf(web)]
    const request = await save(null, incident(one))
    expect([await impactOf(one), await impactOf(mail, 'service')]).to.deep.equal(['high', 'high'])
    await save(request, { service_instance_id: other })
    expect([await impactOf(one), await impactOf(mail, 'service')]).to.deep.equal([null, null])
    expect([await impactOf(other), await impactOf(web, 'service')]).to.deep.equal(['high', 'high'])
    await house.operations.save(await house.system(), 'service_instance', other, { service_id: mail })
    expect([await impactOf(mail, 'service'), await impactOf(web, 'service')]).to.deep.equal(['high', null])
    await save(request, done)
    expect(await impactOf(mail, 'service')).to.equal(null)
  })

  it('is part of the history of the service instance, only when it changes', async () => {
    const at = await instanceOf(mail)
    await save(null, incident(at))
    await save(null, incident(at, { impact: 'low' }))
    const lines = (await house.table('audit_lines')).filter(
      (line) => line['owner_type'] === 'service_instance' && Number(line['owner_id']) === at,
    )
    expect(lines.map((line) => JSON.parse(String(line['changes']))['impact'])).to.deep.equal([undefined, [null, 'high']])
  })

  it('cannot be set, and does not follow from requests of other accounts', async () => {
    const at = await instanceOf(mail)
    const owner = await house.addPerson('Ada', ['account_administrator'])
    await house.operations.save(await house.by(owner), 'service_instance', at, { impact: 'top', remarks: 'x' })
    expect(await impactOf(at)).to.equal(null)
    const person = await house.add('person', { name: 'Gil', primary_email: 'gil@g.example' }, { account: 'globex' })
    const theirs = await house.add('team', { name: 'Globex' }, { account: 'globex' })
    const body = { requested_by_id: person, created_by_id: person, team_id: theirs }
    await house.add('request', incident(at, body), { account: 'globex' })
    expect(await impactOf(at)).to.equal(null)
  })

  for (const many of [2, 12]) {
    it(`is right when ${many} incidents are opened and solved at once`, async () => {
      const service = await serviceOf(`Chat of ${many}`)
      const [one, other] = [await instanceOf(service), await instanceOf(service)]
      const impacts = async () => [await impactOf(one), await impactOf(other), await impactOf(service, 'service')]
      const open: number[] = []
      for (let n = 0; n < many; n += 1) open.push(await save(null, incident(n % 2 ? one : other, { impact: 'top' })))
      expect(await impacts()).to.deep.equal(['top', 'top', 'top'])
      await Promise.all([
        ...open.map((id) => save(id, done)),
        ...open.map((_, n) => save(null, incident(n % 2 ? one : other, { impact: n < 2 ? 'medium' : 'low' }))),
      ])
      expect(await impacts()).to.deep.equal(['medium', 'medium', 'medium'])
      const rows = (await house.table('requests')).filter(
        (row) => [one, other].includes(Number(row['service_instance_id'])) && row['status'] !== 'completed',
      )
      const moved = rows.map(({ id, service_instance_id: at }) =>
        save(Number(id), { service_instance_id: Number(at) === one ? other : one }),
      )
      await Promise.all(moved)
      await Promise.all(rows.map(({ id }) => save(Number(id), done)))
      expect(await impacts()).to.deep.equal([null, null, null])
    })
  }

  it('costs as many statements for many incidents as for half of them, and fewer for a few', async () => {
    const cost = async (count: number) => {
      const places: number[] = []
      for (let n = 0; n < count; n += 1) places.push(await instanceOf(n % 2 ? mail : web))
      const items = places.map((at) => ({ id: null, body: incident(at) }))
      const call = await house.system()
      return countStatements(house.storage.knex).during(async () => {
        const outcomes = await house.operations.saveAll(call, 'request', items)
        expect(outcomes.filter(({ outcome }) => outcome !== 'created')).to.deep.equal([])
      })
    }
    await cost(2)
    const many = await cost(20)
    expect(await cost(40)).to.equal(many)
    expect(await cost(4)).to.be.at.most(many)
  })

  it('is filled in by the migration', async () => {
    const { dialect, knex, table } = house.storage
    const service = await serviceOf('Print')
    const at = await instanceOf(service)
    await save(null, incident(at, { impact: 'low' }))
    const top = await save(null, incident(at, { impact: 'top' }))
    await save(top, done)
    const rest = await instanceOf(await serviceOf('Archive'))
    await knex(table('service_instances')).where({ id: at }).update({ impact: null })
    await knex(table('service_instances')).where({ id: rest }).update({ impact: 'top' })
    await knex(table('services')).update({ impact: 'medium' })
    const schema = { knex, dialect, table }
    for (const step of ['down', 'up', 'up'] as const) await passImpacts[step](schema)
    expect([await impactOf(at), await impactOf(rest), await impactOf(service, 'service')]).to.deep.equal(['low', null, 'low'])
  })

  // Servers choose by the size of their tables, which are small here.
  if (testStore() === 'embedded')
    it('is read from an index that leaves out completed incidents', async () => {
      const { knex, table } = house.storage
      const columns = ['account_id', 'service_instance_id', 'category', 'status', 'impact']
      const sql = `select distinct t.service_instance_id, t.impact from ${table('requests')} t
        where (t.account_id = ? and t.service_instance_id = ? and t.category = ? and t.status in (?, ?))`
      const plan = await knex.raw(`explain query plan ${sql}`, ['acme', 1, 'incident', 'assigned', 'accepted'])
      expect(JSON.stringify(plan)).to.include(`COVERING INDEX ${indexName(table('requests'), columns)}`)
    })
})
