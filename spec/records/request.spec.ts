import { expect } from 'chai'
import { refusalOf, withHouse } from '../support/house.js'

describe('a request', () => {
  const house = withHouse()

  it('belongs to the organization of the person it is for, not of who asked', async () => {
    const [sales, plant] = [
      await house.add('organization', { name: 'Sales' }),
      await house.add('organization', { name: 'Plant' }),
    ]
    const asks = await house.addPerson('Ines', [], { organization_id: sales })
    const needs = await house.addPerson('Hank', [], { organization_id: plant })
    const team = await house.add('team', { name: 'Desk' })
    const body = { subject: 's', category: 'other', team_id: team, requested_by_id: asks, requested_for_id: needs }
    const row = await house.operations.save(await house.by(asks), 'request', null, body)
    expect(row['organization_id']).to.equal(plant)
  })

  it('goes to the only team of the member that is named without one', async () => {
    const [one, several, nobody] = [
      await house.addPerson('In one', ['specialist']),
      await house.addPerson('In several', ['specialist']),
      await house.addPerson('In none', ['specialist']),
    ]
    const teams = [await house.add('team', { name: 'One' }), await house.add('team', { name: 'Two' })]
    const old = await house.add('team', { name: 'Old', disabled: true })
    const members = [[teams[0], one, several] as const, [teams[1], several] as const, [old, one, nobody] as const]
    for (const [id, ...people] of members)
      for (const person of people)
        await house.operations.link(await house.system(), { type: 'team', id: id ?? 0 }, 'members', person)
    const asks = await house.addPerson('Asking for a team')
    const body = { subject: 's', category: 'other' }
    const save = async (actor: number, member_id: number) =>
      house.operations.save(await house.by(actor), 'request', null, { ...body, member_id })
    expect(await save(asks, one)).to.include({ team_id: teams[0], member_id: one })
    expect(await refusalOf(save(asks, several))).to.deep.equal([['team', 'blank']])
    expect(await refusalOf(save(asks, nobody))).to.deep.equal([['team', 'blank']])
    // The default is the first team of the caller.
    expect(await save(one, several)).to.include({ team_id: teams[0], member_id: several })
    expect(await refusalOf(save(one, nobody))).to.deep.equal([['member', 'not_a_member']])
    const passed = await house.operations.saveAll(await house.by(asks, { origin: 'import' }), 'request', [
      { id: null, body: { ...body, member_id: one } },
      { id: null, body: { ...body, member_id: several } },
    ])
    expect(passed.map(({ outcome }) => outcome)).to.deep.equal(['created', 'refused'])
  })

  it('is found and sorted by its targets, and by the words in their place', async () => {
    const agent = await house.addPerson('Sam', ['specialist'])
    const team = await house.add('team', { name: 'Targets' })
    const body = { subject: 't', category: 'other', team_id: team, requested_by_id: agent }
    const targets = ['2026-12-24 08:00:00', 'best_effort', 'clock_stopped', 'no_target', null]
    const ids: number[] = []
    for (const target of targets) {
      const id = Number((await house.operations.save(await house.by(agent), 'request', null, body))['id'])
      ids.push(id)
      const values = { response_target_at: target, resolution_target_at: target }
      await house.storage.knex('itsm_requests').where({ id }).update(values)
    }
    const [early, effort, stopped, none, empty] = ids
    for (const field of ['response_target_at', 'resolution_target_at']) {
      const found = async (value: string, sort = field) => {
        const parameters = [
          ['team', String(team)],
          ['fields', field],
          ['sort', sort],
          [field, value],
        ] as const
        const page = await house.operations.list(await house.by(agent), 'request', { parameters })
        return page.items.map(({ id }) => id)
      }
      expect(await found('best_effort')).to.deep.equal([effort])
      expect(await found('clock_stopped')).to.deep.equal([stopped])
      expect(await found('no_target')).to.deep.equal([none])
      expect(await found('')).to.deep.equal([empty])
      expect(await found('>2026-12-01')).to.deep.equal([early])
      expect(await found('>2026-12-25')).to.deep.equal([])
      expect(await found('!no_such', `-${field}`).catch((error: Error) => error.message)).to.equal(
        `Invalid value 'no_such' for field '${field}'`,
      )
      expect(await found('!no_target', `-${field}`)).to.deep.equal([stopped, effort, early, empty])
    }
  })

  it('is assigned again when its requester answers, and stays where a status is sent with the note', async () => {
    const agent = await house.addPerson('Answering agent', ['specialist'])
    const asks = await house.addPerson('Asking', ['specialist'])
    const team = await house.add('team', { name: 'Answers' })
    for (const one of [agent, asks])
      await house.operations.link(await house.system(), { type: 'team', id: team }, 'members', one)
    const body = { subject: 's', category: 'other', team_id: team, requested_by_id: asks, status: 'waiting_for_customer' }
    const statusAfter = async (note: (id: number) => Promise<unknown>) => {
      const id = Number((await house.operations.save(await house.by(agent), 'request', null, body))['id'])
      await note(id)
      return (await house.row('request', id))?.['status']
    }
    const byRequest = (person: number, more: object) => async (id: number) =>
      house.operations.save(await house.by(person), 'request', id, more)
    const onItsOwn = (person: number, more: object) => async (id: number) =>
      house.operations.save(await house.by(person), 'note', null, { text: 'n', ...more }, { type: 'request', id })
    expect(await statusAfter(byRequest(asks, { note: 'n' }))).to.equal('assigned')
    expect(await statusAfter(byRequest(asks, { note: 'n', status: 'waiting_for_customer' }))).to.equal('waiting_for_customer')
    expect(await statusAfter(byRequest(asks, { internal_note: 'n' }))).to.equal('waiting_for_customer')
    expect(await statusAfter(byRequest(agent, { note: 'n' }))).to.equal('waiting_for_customer')
    expect(await statusAfter(onItsOwn(asks, {}))).to.equal('assigned')
    expect(await statusAfter(onItsOwn(asks, { internal: true }))).to.equal('waiting_for_customer')
    expect(await statusAfter(onItsOwn(agent, {}))).to.equal('waiting_for_customer')
  })

  it('never stays open in a group that was completed while it joined, and joins one group with others', async () => {
    const agent = await house.addPerson('Grouping agent', ['specialist'])
    const team = await house.add('team', { name: 'Groups' })
    await house.operations.link(await house.system(), { type: 'team', id: team }, 'members', agent)
    const body = { subject: 's', category: 'other', team_id: team, requested_by_id: agent }
    const save = async (id: number | null, more: object) =>
      house.operations.save(await house.by(agent), 'request', id, id === null ? { ...body, ...more } : more)
    const add = async (more: object = {}) => Number((await save(null, more))['id'])
    for (let round = 0; round < 5; round += 1) {
      const first = await add()
      const group = Number((await house.row('request', await add({ grouped_into_id: first })))?.['grouped_into_id'])
      const late = [await add(), await add(), await add()]
      const joining = late.map((id) => save(id, { grouped_into_id: group }))
      const outcomes = await Promise.allSettled([save(group, { status: 'completed' }), ...joining])
      const rows = await Promise.all([group, first, ...late].map((id) => house.row('request', id)))
      for (const [index, row] of rows.entries())
        if (index < 2 || outcomes[index - 1]?.status === 'fulfilled') expect(row).to.include({ status: 'completed' })
        else expect(row).to.include({ status: 'assigned', grouping: 'none', grouped_into_id: null })

      const target = await add()
      const others = await Promise.all([add(), add(), add()])
      const joined = await Promise.allSettled(others.map((id) => save(id, { grouped_into_id: target })))
      const made = (await house.row('request', target))?.['grouped_into_id']
      expect(made).to.be.a('number')
      for (const [index, id] of others.entries()) {
        const isIn = joined[index]?.status === 'fulfilled'
        expect(await house.row('request', id)).to.include({ grouped_into_id: isIn ? made : null })
      }
    }
  })
})
