import { expect } from 'chai'
import type { Authorize } from '../../plugin/access/sight/decide.js'
import { errorOf, withHouse } from '../support/house.js'

describe('decisions of the host', () => {
  let answer: Authorize = (_, decide) => decide()
  const house = withHouse({ authorize: (question, decide) => answer(question, decide) })
  let agent = 0
  let user = 0
  let desk = 0
  beforeEach(() => {
    answer = (_, decide) => decide()
  })
  before(async () => {
    agent = await house.addPerson('Aart Agent', ['specialist', 'change_manager'])
    user = await house.addPerson('Ulla User')
    desk = await house.add('team', { name: 'Desk', member_ids: [agent] })
  })

  const addRequest = (more: object = {}) =>
    house.add('request', { subject: 'It', category: 'other', team_id: desk, requested_by_id: user, ...more })
  const list = async (by: number, type: string, options: object = {}) =>
    (await house.operations.list(await house.by(by), type, { parameters: [], ...options })).items
  const nameOf = async (promise: Promise<unknown>) => (await errorOf(promise)).name

  it('open types that are closed to the roles of a person, on all paths', async () => {
    const webhook = await house.add('webhook', { event: 'request.create', uri: 'https://hooks.example/' })
    const request = await addRequest({ note: 'Please' })
    await house.operations.save(await house.system(), 'request', request, { subject: 'It!' })
    const within = { within: { type: 'request', id: request, path: 'audit' } }
    expect(await nameOf(list(user, 'webhook'))).to.equal('Forbidden')
    expect(await nameOf(list(user, 'audit_line', within))).to.equal('Forbidden')
    answer = ({ type, action }, decide) => (['webhook', 'audit_line'].includes(type) && action === 'read') || decide()
    expect(await list(user, 'webhook')).to.have.length(1)
    expect(await house.operations.read(await house.by(user), 'webhook', webhook)).to.include({ id: webhook })
    expect(await list(user, 'audit_line', within)).to.have.length(2)
    // Of other records the scope still decides: the webhook is open, and of requests those that the person sees.
    const other = await addRequest({ requested_by_id: agent, requested_for_id: agent })
    const lines = await list(user, 'audit_line', { parameters: [['per_page', '100']] })
    expect(lines.some((one) => (one['request'] as { id: number } | undefined)?.id === other)).to.equal(false)
    expect(lines.some((one) => one['audited'] === 'webhook')).to.equal(true)
    // Reading alone does not open more.
    const change = async () => house.operations.save(await house.by(user), 'webhook', webhook, { name: 'Mine' })
    expect(await nameOf(change())).to.equal('Forbidden')
    answer = ({ type }, decide) => type === 'webhook' || decide()
    expect(await change()).to.include({ name: 'Mine' })
  })

  it('allow what no role allows, with all fields', async () => {
    const site = async (by: number, name: string) => house.operations.save(await house.by(by), 'site', null, { name })
    expect(await nameOf(site(user, 'Here'))).to.equal('Forbidden')
    answer = ({ type, action }, decide) => (type === 'site' && action === 'create') || decide()
    expect(await site(user, 'Here')).to.include({ name: 'Here' })
  })

  it('close types on all paths: lists, single records, what is below them, and references', async () => {
    const { knex } = house.storage
    // As it is stored: what problems need besides is no matter here.
    const [id] = await knex(house.storage.table('problems')).insert({ account_id: 'acme', subject: 'Deep', impact: 'low' })
    const problem = Number(id)
    const request = await addRequest({ problem_id: problem })
    const reference = async () => (await house.operations.read(await house.by(agent), 'request', request))['problem']
    expect(await reference()).to.deep.equal({ id: problem, subject: 'Deep' })
    answer = ({ type, action }, decide) => (type === 'problem' && action === 'read' ? false : decide())
    expect(await reference()).to.deep.equal({ id: problem })
    const call = await house.by(agent)
    const below = (path: string) => ({ parameters: [], within: { type: 'problem', id: problem, path } })
    expect(await nameOf(house.operations.list(call, 'problem', { parameters: [] }))).to.equal('Forbidden')
    expect(await nameOf(house.operations.read(call, 'problem', problem))).to.equal('Forbidden')
    expect(await nameOf(house.operations.list(call, 'note', below('notes')))).to.equal('Forbidden')
    expect(await nameOf(house.operations.list(call, 'request', below('requests')))).to.equal('Forbidden')
    const lines = await list(agent, 'audit_line', { parameters: [['per_page', '100']] })
    expect(lines.some((one) => one['audited'] === 'problem')).to.equal(false)
  })

  it('close types for filters by their texts, too', async () => {
    const category_id = await house.add('product_category', { name: 'Secret', group: 'Any', rule_set: 'physical_asset' })
    const product = await house.add('product', { name: 'Box', brand: 'Acme', model: 'B', category_id })
    const found = async (filter: string) => {
      const items = await list(agent, 'product', { parameters: [['category', filter]] })
      return items.map(({ id }) => id)
    }
    const reference = String((await house.row('product_category', category_id))?.['reference'])
    expect([await found(reference), await found(`!${reference}`)]).to.deep.equal([[product], []])
    answer = ({ type, action }, decide) => (type === 'product_category' && action === 'read' ? false : decide())
    expect([await found(reference), await found('unknown')]).to.deep.equal([[], []])
    expect([await found(`!${reference}`), await found('!unknown')]).to.deep.equal([[product], [product]])
  })

  it('close sub-records in the record that shows them, too', async () => {
    const contacts_attributes = [{ label: 'home', telephone: '5551234' }]
    const person = await house.add('person', { name: 'Cleo', primary_email: 'cleo@acme.example', contacts_attributes })
    const contacts = async () => (await house.operations.read(await house.by(agent), 'person', person))['contacts']
    expect(await contacts()).to.have.length(1)
    answer = ({ type }, decide) => type !== 'contact' && decide()
    expect(await contacts()).to.deep.equal([])
  })

  it('forbid a change of a record on all paths that change it', async () => {
    const others = await house.add('team', { name: 'Others', member_ids: [user] })
    const closed = await addRequest({ status: 'completed', completion_reason: 'solved' })
    const open = await addRequest()
    answer = ({ type, action, row }, decide) =>
      type === 'request' && action === 'update' && row?.['status'] === 'completed' ? false : decide()
    const call = await house.by(agent)
    const { operations } = house
    expect(await nameOf(operations.save(call, 'request', closed, { subject: 'Other' }))).to.equal('Forbidden')
    expect(await nameOf(operations.save(call, 'request', closed, { team_id: others }))).to.equal('Forbidden')
    expect(await nameOf(operations.unlinkAll(call, { type: 'request', id: closed }, 'cis'))).to.equal('Forbidden')
    const [refused, saved] = await operations.saveAll(call, 'request', [
      { id: closed, body: { subject: 'Other' } },
      { id: open, body: { subject: 'Other' } },
    ])
    expect([refused?.outcome, saved?.outcome]).to.deep.equal(['denied', 'updated'])
  })

  it('are asked once per type for references, however many a response has', async () => {
    for (let count = 0; count < 3; count++) await addRequest()
    const asked: string[] = []
    answer = ({ type, action, row }, decide) => {
      asked.push(`${action} ${type} ${row === null}`)
      return decide()
    }
    const call = await house.by(agent)
    const parameters = [['fields', 'team,requested_by,requested_for,created_by']] as const
    await house.operations.list(call, 'request', { parameters })
    expect(asked.sort()).to.deep.equal(['read person true', 'read request true', 'read team true'])
  })

  it('that fail are errors on these paths, never a permission', async () => {
    const request = await addRequest()
    answer = ({ type }, decide) => {
      if (type === 'team') throw new Error('no directory')
      return decide()
    }
    const error = await errorOf(house.operations.read(await house.by(agent), 'request', request))
    expect(error.message).to.equal("The host's authorize for team.read failed: no directory")
  })
})
