import { expect } from 'chai'
import { NotFound } from '../../plugin/core/errors.js'
import { refusalOf, withHouse } from '../support/house.js'

describe('a time entry', () => {
  const house = withHouse()
  const allocationFor = (organization: number) =>
    house.add('time_allocation', { name: `Meetings of ${organization}`, organization_ids: [organization] })

  it('belongs to the organization that its person was in when it was made', async () => {
    const [sales, plant] = [
      await house.add('organization', { name: 'Sales' }),
      await house.add('organization', { name: 'Plant' }),
    ]
    const person = await house.addPerson('Ines', [], { organization_id: sales })
    const body = { date: '2026-11-20', time_spent: 30, time_allocation_id: await allocationFor(sales) }
    const made = await house.operations.save(await house.by(person), 'time_entry', null, body)
    await house.operations.save(await house.system(), 'person', person, { organization_id: plant })
    const changed = await house.operations.save(await house.by(person), 'time_entry', Number(made['id']), { time_spent: 40 })
    expect(changed).to.include({ organization_id: sales, person_id: person, time_spent: 40 })
  })

  it('can be retrieved for three months after it was deleted', async () => {
    const office = await house.add('organization', { name: 'Office' })
    const person = await house.addPerson('Sam', [], { organization_id: office })
    const body = { date: '2026-11-20', time_spent: 30, time_allocation_id: await allocationFor(office) }
    const made = await house.operations.save(await house.by(person), 'time_entry', null, body)
    const id = Number(made['id'])
    await house.operations.remove(await house.by(person), 'time_entry', id)
    const listed = async () => (await house.operations.list(await house.by(person), 'time_entry', { parameters: [] })).items
    house.clock.set('2027-02-21T09:29:00Z')
    expect(await house.operations.read(await house.by(person), 'time_entry', id)).to.include({ deleted: true })
    expect(await listed()).to.have.length(1)
    house.clock.set('2027-02-21T09:31:00Z')
    let refusal: unknown = null
    await house.operations.read(await house.by(person), 'time_entry', id).catch((error: unknown) => {
      refusal = error
    })
    expect(refusal).to.be.instanceOf(NotFound)
    expect(await listed()).to.deep.equal([])
  })

  it('of a locked date is made, changed and removed only as a correction', async () => {
    const office = await house.add('organization', { name: 'Ledger' })
    const person = await house.addPerson('Leo', [], { organization_id: office })
    const by = () => house.by(person)
    const entry = { time_spent: 30, time_allocation_id: await allocationFor(office) }
    const make = async (body: object) =>
      Number((await house.operations.save(await by(), 'time_entry', null, { ...entry, ...body }))['id'])
    const change = async (id: number, body: object) => house.operations.save(await by(), 'time_entry', id, body)
    const [october, november] = [await make({ date: '2026-10-31' }), await make({ date: '2026-11-01' })]
    const locked = [['date', 'locked']]

    await house.accounts.put({ id: 'acme', name: 'ACME', timeEntriesLockedUntil: '2026-10-31' })
    expect(await refusalOf(make({ date: '2026-10-31' }))).to.deep.equal(locked)
    expect(await refusalOf(make({ date: '2020-01-01' }))).to.deep.equal(locked)
    expect(await refusalOf(change(october, { time_spent: 40 }))).to.deep.equal(locked)
    expect(await refusalOf(change(october, { date: '2026-11-02' }))).to.deep.equal(locked)
    expect(await refusalOf(change(november, { date: '2026-10-30' }))).to.deep.equal(locked)
    expect(await refusalOf(house.operations.remove(await by(), 'time_entry', october))).to.deep.equal(locked)
    const asSystem = house.operations.save(await house.system(), 'time_entry', october, { time_spent: 40 })
    expect(await refusalOf(asSystem)).to.deep.equal(locked)

    // What changes nothing is no change.
    expect(await change(october, { time_spent: 30 })).to.include({ time_spent: 30 })
    expect(await change(november, { time_spent: 45 })).to.include({ time_spent: 45 })
    expect(await house.row('time_entry', await make({ date: '2026-10-31', time_spent: -30, correction: true }))).to.include({
      time_spent: -30,
    })
    expect(await change(october, { time_spent: 20, correction: true })).to.include({ time_spent: 20, correction: true })
    await house.operations.remove(await by(), 'time_entry', october)
    expect(await house.row('time_entry', october)).to.include({ deleted: true })

    await house.accounts.put({ id: 'acme', name: 'ACME', timeEntriesLockedUntil: null })
    expect(await make({ date: '2026-10-31' })).to.be.a('number')
  })

  it('is not made by Time spent while today is locked', async () => {
    const agent = await house.addPerson('Tess', ['specialist'])
    const team = await house.add('team', { name: 'Ledger' })
    const body = { subject: 's', category: 'other', team_id: team, requested_by_id: agent }
    const request = Number((await house.operations.save(await house.by(agent), 'request', null, body))['id'])
    const spend = async () => house.operations.save(await house.by(agent), 'request', request, { time_spent: 5 })
    house.clock.set('2026-11-21T09:30:00Z')
    await house.accounts.put({ id: 'acme', name: 'ACME', timeEntriesLockedUntil: '2026-11-21' })
    expect(await refusalOf(spend())).to.deep.equal([['time_spent', 'locked']])
    await house.accounts.put({ id: 'acme', name: 'ACME', timeEntriesLockedUntil: '2026-11-20' })
    await spend()
    await house.accounts.put({ id: 'acme', name: 'ACME', timeEntriesLockedUntil: null })
  })

  it('of work has the customer and the service of the work, disabled ones too, and takes no time allocation', async () => {
    const add = house.add
    const [office, shop] = [await add('organization', { name: 'Lab' }), await add('organization', { name: 'Shop' })]
    const home = await add('organization', { name: 'Home' })
    await house.accounts.put({ id: 'acme', name: 'ACME', organizationId: home })
    const roles = ['specialist', 'problem_manager', 'change_manager', 'project_manager', 'release_manager'] as const
    const agent = await house.addPerson('Una', roles, { organization_id: office })
    const buyer = await house.addPerson('Bo', [], { organization_id: shop })
    const team = await add('team', { name: 'Crew', member_ids: [agent] })
    const service = await add('service', {
      name: 'Till',
      provider_id: office,
      support_team_id: team,
      problem_manager_id: agent,
    })
    const instance = await add('service_instance', { name: 'Till 1', service_id: service, support_team_id: team })
    const calendar = await add('calendar', { name: 'Hours' })
    const template = await add('project_task_template', { subject: 's', category: 'activity', planned_duration: 1 })
    const plan = { customer_id: shop, service_id: service, manager_id: agent, work_hours_id: calendar }
    const project = await add('project', { subject: 's', program: 'p', justification: 'move', ...plan })
    const made = {
      request: await add('request', {
        ...{ subject: 's', category: 'incident', impact: 'low', team_id: team, service_instance_id: instance },
        requested_by_id: buyer,
      }),
      problem: await add('problem', { subject: 's', impact: 'low', service_id: service, manager_id: agent }),
      project_task: await add('project_task', {
        ...{ subject: 's', category: 'activity', planned_duration: 1, project_id: project, template_id: template },
      }),
    }
    const save = async (type: string, id: number | null, body: object) =>
      house.operations.save(await house.by(agent), type, id, body)
    await house.operations.save(await house.system(), 'service', service, { disabled: true })
    await house.operations.save(await house.system(), 'organization', shop, { disabled: true })
    for (const [type, id] of Object.entries(made)) await save(type, id, { time_spent: 15 })

    const time_allocation_id = await allocationFor(office)
    const entries = (await house.table('time_entries')).filter((entry) => entry['person_id'] === agent)
    const customers = { request: shop, problem: home, project_task: shop }
    for (const [type, id] of Object.entries(made)) {
      const entry = entries.find((one) => one[`${type}_id`] === id)
      const customer_id = customers[type as keyof typeof customers]
      const is = { customer_id, service_id: service, organization_id: office, time_allocation_id: null }
      expect(entry, type).to.include(is)
      const change = save('time_entry', Number(entry?.['id']), { time_allocation_id, customer_id: home })
      const fixed = type === 'problem' ? [] : [['customer', 'cannot_be_changed']]
      expect(await refusalOf(change)).to.deep.equal([...fixed, ['time_allocation', 'cannot_be_changed']])
      const taken = await save('time_entry', Number(entry?.['id']), { time_spent: 20, description: 'Talks' })
      expect(taken).to.include({ ...is, time_spent: 20, description: 'Talks' })
    }
    await house.accounts.put({ id: 'acme', name: 'ACME', organizationId: null })
  })
})
