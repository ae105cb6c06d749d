import { expect } from 'chai'
import { countStatements } from '../support/count-statements.js'
import { withHouse } from '../support/house.js'

describe('tasks for the requester', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true })
  let people: Readonly<Record<'mia' | 'ada' | 'ben' | 'rita' | 'bob', number>>
  let ids: Readonly<Record<'service' | 'team' | 'managers' | 'users' | 'release', number>>

  before(async () => {
    const ada = await house.addPerson('Ada Above')
    const ben = await house.addPerson('Ben Business')
    const provider = await house.add('organization', { name: 'Provider', business_unit: true, manager_id: ben })
    people = {
      ...{ ada, ben },
      mia: await house.addPerson('Mia Manager', ['change_manager', 'project_manager', 'specialist']),
      bob: await house.addPerson('Bob Board'),
      rita: await house.addPerson('Rita Requester', [], { manager_id: ada, organization_id: provider }),
    }
    ids = {
      service: await house.add('service', { name: 'Mail', provider_id: provider, change_manager_id: people.mia }),
      team: await house.add('team', { name: 'Servers' }),
      managers: await house.add('team', { name: 'Change managers' }),
      users: await house.add('team', { name: 'Users' }),
      release: await house.add('release', { subject: 'Spring', manager_id: await house.addPerson('Rel', ['release_manager']) }),
    }
    const system = await house.system()
    await house.operations.link(system, { type: 'team', id: ids.managers }, 'members', people.mia)
    await house.operations.link(system, { type: 'team', id: ids.users }, 'members', people.rita)
  })

  const template = (more: object) =>
    house.add('task_template', { subject: 'A task', category: 'implementation', planned_duration: 2, ...more })
  const changeTemplate = (task_template_ids: readonly number[]) =>
    house.add('change_template', {
      ...{ subject: 'A change', category: 'standard', change_type: 'infrastructure_change', justification: 'improvement' },
      ...{ task_template_ids, service_id: ids.service },
    })
  const change = (template_id: number, more: object = {}) =>
    house.add('change', { subject: 'New servers', template_id, release_id: ids.release, manager_id: people.mia, ...more })
  const request = (more: object = {}) =>
    house.add('request', {
      ...{ subject: 'Slow mail', category: 'incident', impact: 'low', requested_by_id: people.mia },
      ...{ requested_for_id: people.rita, team_id: ids.team, ...more },
    })
  const tasksOf = async (id: number) => (await house.table('tasks')).filter((row) => Number(row['change_id']) === id)
  const memberOf = (tasks: readonly Record<string, unknown>[], subject: string) => {
    const task = tasks.find((row) => row['subject'] === subject)
    return [task?.['member_id'] ?? null, task?.['team_id'] ?? null]
  }
  const approversOf = async (id: unknown) =>
    (await house.table('task_approvals'))
      .filter((row) => Number(row['owner_id']) === Number(id))
      .map((row) => [row['approver_id'], row['status']])

  const tasks = async () => [
    await template({ subject: 'Ask', assign_to_requester: true, team_id: ids.team }),
    await template({ subject: 'Ask without team', assign_to_requester: true }),
    await template({ subject: 'Ask above', assign_to_requester_manager: true, team_id: ids.team }),
    await template({ subject: 'Ask the unit', assign_to_requester_business_unit_manager: true, team_id: ids.team }),
    await template({ subject: 'Chosen', assign_to_requester: true, member_id: people.bob, team_id: ids.team }),
    await template({ subject: 'Not meant', team_id: ids.team }),
    await template({ subject: 'Approve', category: 'approval', assign_to_change_manager: true, assign_to_requester: true }),
  ]
  const check = async (id: number) => {
    const found = await tasksOf(id)
    expect(memberOf(found, 'Ask')).to.deep.equal([people.rita, ids.team])
    expect(memberOf(found, 'Ask without team')).to.deep.equal([people.rita, ids.users])
    expect(memberOf(found, 'Ask above')).to.deep.equal([people.ada, ids.team])
    expect(memberOf(found, 'Ask the unit')).to.deep.equal([people.ben, ids.team])
    expect(memberOf(found, 'Chosen')).to.deep.equal([people.bob, ids.team])
    expect(memberOf(found, 'Not meant')).to.deep.equal([null, ids.team])
    const approval = found.find((row) => row['subject'] === 'Approve')
    expect(approval?.['member_id']).to.equal(null)
    expect(await approversOf(approval?.['id'])).to.have.deep.members([
      [people.mia, 'assigned'],
      [people.rita, 'assigned'],
    ])
  }

  it('go to the requester when a request is created with their change', async () => {
    const id = await change(await changeTemplate(await tasks()))
    expect(memberOf(await tasksOf(id), 'Ask')).to.deep.equal([null, ids.team])
    expect(memberOf(await tasksOf(id), 'Ask without team')).to.deep.equal([null, ids.managers])
    await request({ change_id: id })
    await check(id)
  })

  it('go to the requester when a request is linked to their change', async () => {
    const id = await change(await changeTemplate(await tasks()))
    const one = await request()
    await house.operations.link(await house.by(people.mia), { type: 'change', id }, 'requests', one)
    await check(id)
  })

  it('go to the requester when a request starts their change', async () => {
    const change_template_id = await changeTemplate(await tasks())
    const template_id = await house.add('request_template', {
      ...{ subject: 'A server', category: 'rfc', status: 'change_pending', change_template_id, service_id: ids.service },
    })
    const body = { template_id, requested_by_id: people.mia, requested_for_id: people.rita, team_id: ids.team }
    const one = await house.row('request', await house.add('request', body))
    expect(one?.['status']).to.equal('change_pending')
    await check(Number(one?.['change_id']))
  })

  it('stay with the requester of the first request, and with whoever has begun', async () => {
    const all = [
      await template({ subject: 'Ask', assign_to_requester: true, team_id: ids.team }),
      await template({ subject: 'Begun', assign_to_requester: true, team_id: ids.team }),
      await template({ subject: 'Approve', category: 'approval', assign_to_requester: true, team_id: ids.team }),
    ]
    const id = await change(await changeTemplate(all))
    const approve = (await tasksOf(id)).find((row) => row['subject'] === 'Approve')
    await house.operations.save(await house.by(people.mia), 'task', Number(approve?.['id']), { status: 'canceled' })
    const begun = (await tasksOf(id)).find((row) => row['subject'] === 'Begun')
    await house.operations.save(await house.by(people.mia), 'task', Number(begun?.['id']), { status: 'in_progress' })
    await request({ change_id: id })
    await request({ change_id: id, requested_for_id: people.bob })
    const found = await tasksOf(id)
    expect(memberOf(found, 'Ask')).to.deep.equal([people.rita, ids.team])
    expect(memberOf(found, 'Begun')).to.deep.equal([null, ids.team])
    expect(memberOf(found, 'Approve')).to.deep.equal([null, ids.team])
  })

  it('go to one of two requesters whose requests are linked at the same time', async () => {
    const all = [
      await template({ subject: 'Ask', assign_to_requester: true, team_id: ids.team }),
      await template({ subject: 'Approve', category: 'approval', assign_to_change_manager: true, assign_to_requester: true }),
    ]
    const from = await changeTemplate(all)
    for (let round = 0; round < 4; round += 1) {
      const id = await change(from)
      const [one, other] = [await request(), await request({ requested_for_id: people.bob })]
      const link = async (request: number) => house.operations.save(await house.system(), 'request', request, { change_id: id })
      await Promise.all([link(one), link(other), request({ change_id: id, requested_for_id: people.ben })])
      const approval = (await tasksOf(id)).find((row) => row['subject'] === 'Approve')
      const approvers = (await approversOf(approval?.['id'])).map(([person]) => person)
      expect(approvers).to.have.length(2).and.include(people.mia)
      const [member] = memberOf(await tasksOf(id), 'Ask')
      expect(approvers).to.include(member)
    }
  })

  it('of a project get assignments', async () => {
    const project_id = await house.add('project', {
      ...{ subject: 'New office', customer_id: await house.add('organization', { name: 'Customer' }), program: 'P' },
      ...{ justification: 'expansion', manager_id: people.mia, service_id: ids.service, time_zone: 'Amsterdam' },
      work_hours_id: await house.add('calendar', { name: 'Office hours' }),
    })
    const template_id = await house.add('project_task_template', {
      ...{ subject: 'Hire movers', category: 'activity', planned_duration: 8, assign_to_project_manager: true },
      ...{ assign_to_requester: true, planned_effort_requester: 3, assign_to_requester_manager: true },
    })
    await house.add('project_task', { project_id, template_id })
    await request({ project_id })
    const assignments = await house.table('project_task_assignments')
    expect(assignments.map((row) => [row['assignee_id'], row['planned_effort'], row['status']])).to.deep.equal([
      [people.mia, null, 'assigned'],
      [people.rita, 3, 'assigned'],
      [people.ada, null, 'assigned'],
    ])
  })

  it('take as many statements for fifty tasks as for three', async () => {
    const cost = async (many: number) => {
      const all: number[] = []
      for (let index = 0; index < many; index += 1) {
        all.push(await template({ assign_to_requester: true }))
        all.push(await template({ category: 'approval', assign_to_requester: true, assign_to_requester_manager: true }))
      }
      const id = await change(await changeTemplate(all))
      const one = await request()
      const system = await house.system()
      return countStatements(house.storage.knex).during(() => house.operations.save(system, 'request', one, { change_id: id }))
    }
    const [three, fifty] = [await cost(3), await cost(50)]
    expect(fifty).to.be.at.most(three + 10)
  })
})
