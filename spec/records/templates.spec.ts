import { expect } from 'chai'
import { countStatements } from '../support/count-statements.js'
import { refusalOf, withHouse } from '../support/house.js'

describe('a task from a template', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true })
  let people: Readonly<Record<'mia' | 'ann' | 'bob' | 'ada' | 'ben' | 'rita' | 'sue', number>>
  let ids: Readonly<Record<'service' | 'team' | 'managers' | 'release' | 'changeTemplate' | 'ci' | 'instance', number>>
  before(async () => {
    people = {
      mia: await house.addPerson('Mia Manager', ['change_manager']),
      ann: await house.addPerson('Ann Approver'),
      bob: await house.addPerson('Bob Board'),
      ada: await house.addPerson('Ada Above'),
      ben: await house.addPerson('Ben Business'),
      rita: 0,
      sue: await house.addPerson('Sue Service'),
    }
    const provider = await house.add('organization', { name: 'Provider', business_unit: true, manager_id: people.ben })
    people = {
      ...people,
      rita: await house.addPerson('Rita Requester', [], { manager_id: people.ada, organization_id: provider }),
    }
    const service = await house.add('service', { name: 'Mail', provider_id: provider, service_owner_id: people.sue })
    const team = await house.add('team', { name: 'Servers' })
    const managers = await house.add('team', { name: 'Change managers' })
    await house.operations.link(await house.system(), { type: 'team', id: managers }, 'members', people.mia)
    const product = await house.add('product', {
      name: 'Server',
      brand: 'B',
      model: 'M',
      category_id: await house.add('product_category', { name: 'Servers', rule_set: 'physical_asset', group: 'Servers' }),
    })
    ids = {
      ...{ service, team, managers },
      release: await house.add('release', { subject: 'Spring', manager_id: await house.addPerson('Rel', ['release_manager']) }),
      changeTemplate: await house.add('change_template', { subject: 'Any change' }),
      ci: await house.add('ci', {
        label: 'S-1',
        name: 'Server',
        product_id: product,
        status: 'in_production',
        support_team_id: team,
      }),
      instance: await house.add('service_instance', { name: 'Mail Europe', service_id: service }),
    }
  })

  const change = async (more: object = {}) => {
    const { changeTemplate: template_id, release: release_id, service: service_id } = ids
    const body = { subject: 'New servers', category: 'standard', change_type: 'infrastructure_change', ...more }
    const plan = { template_id, justification: 'improvement', release_id, service_id, ...body }
    return Number((await house.operations.save(await house.by(people.mia), 'change', null, plan))['id'])
  }
  const template = (more: object) =>
    house.add('task_template', { subject: 'A task', category: 'implementation', planned_duration: 2, ...more })
  const task = async (change_id: number, template_id: number, more: object = {}) =>
    house.operations.save(await house.by(people.mia), 'task', null, { change_id, template_id, ...more })
  const approvalsOf = async (id: unknown) =>
    (await house.table('task_approvals'))
      .filter((row) => row['owner_id'] === id)
      .map((row) => [row['approver_id'], row['status']])
  const notesOf = async (type: string, id: unknown) =>
    (await house.table('notes')).filter((row) => row['owner_type'] === type && row['owner_id'] === id).map((row) => row['text'])
  const linksOf = async (table: string, id: unknown) =>
    (await house.storage.knex(house.storage.table(table)).where({ task_id: id })).map(
      (row) => row['ci_id'] ?? row['service_instance_id'],
    )

  it('has its note, its configuration items and its service instances', async () => {
    const links = { ci_ids: [ids.ci], service_instance_ids: [ids.instance] }
    const from = await template({ note: 'Call the night shift.', instructions: 'Slowly.', team_id: ids.team, ...links })
    const owner = await change()
    const { id, instructions } = await task(owner, from)
    expect(instructions).to.equal('Slowly.')
    expect(await notesOf('task', id)).to.deep.equal(['Call the night shift.'])
    expect(await notesOf('change', owner)).to.deep.equal([])
    expect([await linksOf('task_cis', id), await linksOf('task_service_instances', id)]).to.deep.equal([
      [ids.ci],
      [ids.instance],
    ])
    const own = await task(owner, from, { note: 'Do not call.', ci_ids: [] })
    expect(await notesOf('task', own['id'])).to.deep.equal(['Do not call.'])
    expect([await linksOf('task_cis', own['id']), await linksOf('task_service_instances', own['id'])]).to.deep.equal([
      [],
      [ids.instance],
    ])
  })

  it('brings its note to the change, too, if the template says so', async () => {
    const from = await template({ note: 'Nobody can print.', copy_notes_to_change: true, team_id: ids.team })
    const owner = await change()
    await task(owner, from)
    expect(await notesOf('change', owner)).to.deep.equal(['Nobody can print.'])
  })

  it('is approved by those whom the template names', async () => {
    const from = await template({ category: 'approval', required_approvals: 2, assign_to_service_owner: true })
    for (const approver_id of [people.ann, people.bob, people.sue])
      await house.add('task_template_approval', { approver_id }, { owner: { type: 'task_template', id: from } })
    const owner = await change()
    const { id } = await task(owner, from)
    expect(await approvalsOf(id)).to.deep.equal([people.ann, people.bob, people.sue].map((person) => [person, 'assigned']))
    expect((await house.row('task', Number(id)))?.['member_id']).to.equal(null)
    const named = await task(owner, from, { member_id: people.ann, team_id: ids.team })
    expect([named['member_id'], await approvalsOf(named['id'])]).to.deep.equal([people.ann, []])
  })

  it('goes to those whom the template means', async () => {
    const owner = await change()
    const memberBy = async (flag: string, more: object = {}) =>
      (await task(owner, await template({ [flag]: true, team_id: ids.team }), more))['member_id']
    expect(await memberBy('assign_to_requester')).to.equal(null)
    const body = { subject: 'Slow mail', category: 'incident', impact: 'low', requested_by_id: people.mia, team_id: ids.team }
    await house.add('request', { ...body, requested_for_id: people.rita, change_id: owner })
    expect(await memberBy('assign_to_change_manager')).to.equal(people.mia)
    expect(await memberBy('assign_to_requester')).to.equal(people.rita)
    expect(await memberBy('assign_to_requester_manager')).to.equal(people.ada)
    expect(await memberBy('assign_to_requester_business_unit_manager')).to.equal(people.ben)
    expect(await memberBy('assign_to_service_owner')).to.equal(people.sue)
    expect(await memberBy('assign_to_service_owner', { member_id: people.bob })).to.equal(people.bob)
    const managed = await task(owner, await template({ assign_to_change_manager: true }))
    expect(managed['team_id']).to.equal(ids.managers)
  })

  describe('of a change', () => {
    const changeTemplate = (task_template_ids: readonly number[], more: object = {}) =>
      house.add('change_template', { subject: 'A change', task_template_ids, ...more })
    const tasksOf = async (id: number) => (await house.table('tasks')).filter((row) => row['change_id'] === id)

    it('is created with the change, behind those of the categories before', async () => {
      const build = await template({ subject: 'Build', team_id: ids.team })
      const test = await template({ subject: 'Test', team_id: ids.team })
      const assess = await template({ subject: 'Assess', category: 'risk_and_impact', impact: 'high', team_id: ids.team })
      const approve = await template({ subject: 'Approve', category: 'approval' })
      for (const approver_id of [people.ann, people.bob])
        await house.add('task_template_approval', { approver_id }, { owner: { type: 'task_template', id: approve } })
      const off = await template({ subject: 'No more', disabled: true, team_id: ids.team })
      const from = await changeTemplate([build, test, assess, approve, off], { note: 'Every month.' })
      const owner = await change({ template_id: from })
      const tasks = await tasksOf(owner)
      expect(tasks.map(({ subject, status }) => [subject, status])).to.deep.equal([
        ['Assess', 'assigned'],
        ['Approve', 'registered'],
        ['Build', 'registered'],
        ['Test', 'registered'],
      ])
      const idOf = (subject: string) => tasks.find((row) => row['subject'] === subject)?.['id']
      const pairs = (await house.storage.knex(house.storage.table('task_predecessors'))).filter((row) =>
        tasks.some(({ id }) => id === row['task_id']),
      )
      expect(pairs.map((row) => [row['task_id'], row['predecessor_id']])).to.have.deep.members([
        [idOf('Approve'), idOf('Assess')],
        [idOf('Build'), idOf('Approve')],
        [idOf('Test'), idOf('Approve')],
      ])
      expect(await notesOf('change', owner)).to.deep.equal(['Every month.'])
      const row = await house.row('change', owner)
      expect([row?.['status'], row?.['impact']]).to.deep.equal(['risk_and_impact', 'high'])
      const done = await change({ template_id: from, completion_reason: 'complete' })
      expect(await tasksOf(done)).to.deep.equal([])
    })

    it('goes to a team of its member, else to one of the manager, and the change is refused without any', async () => {
      const lost = await template({ subject: 'Lost', member_id: people.ann })
      const owner = await change({ template_id: await changeTemplate([lost]) })
      expect((await tasksOf(owner)).map((row) => [row['member_id'], row['team_id']])).to.deep.equal([
        [people.ann, ids.managers],
      ])
      const max = await house.addPerson('Max Manager', ['change_manager'])
      const from = await changeTemplate([lost])
      const refused = await refusalOf(change({ template_id: from, manager_id: max }))
      expect(refused).to.deep.equal([['template', 'task_without_team', { value: 'Lost' }]])
    })

    it('takes as many statements for fifty tasks as for three', async () => {
      const cost = async (many: number) => {
        const all: number[] = []
        for (let index = 0; index < many; index++) all.push(await template({ team_id: ids.team, note: 'N' }))
        const from = await changeTemplate(all)
        return countStatements(house.storage.knex).during(() => change({ template_id: from }))
      }
      const [three, fifty] = [await cost(3), await cost(50)]
      expect(fifty).to.be.at.most(three + 10)
    })

    it('takes little more for two hundred tasks that wait for each other', async () => {
      const categories = ['risk_and_impact', 'approval', 'implementation']
      const cost = async (many: number) => {
        const items = Array.from({ length: many }, (_, index) => ({
          id: null,
          body: { subject: 'Much', category: categories[index % 3], planned_duration: 1, note: 'N', team_id: ids.team },
        }))
        const made = await house.operations.saveAll(await house.system(), 'task_template', items)
        const from = await changeTemplate(made.map((one) => ('row' in one ? Number(one.row['id']) : 0)))
        let id = 0
        const count = await countStatements(house.storage.knex).during(async () => {
          id = await change({ template_id: from })
        })
        expect(await tasksOf(id)).to.have.length(many)
        return count
      }
      const [three, many] = [await cost(3), await cost(200)]
      expect(many).to.be.at.most(three + 40)
    })
  })

  it('may belong to a trusted account, with all that it has', async () => {
    const ann = await house.addPerson('Ann Guest')
    const ofGlobex = { account: 'globex' }
    const own = { subject: 'Approve', category: 'approval', planned_duration: 1, note: 'Both of you.' }
    const task_template = await house.add('task_template', own, ofGlobex)
    for (const approver_id of [people.ann, ann]) {
      await house.add(
        'task_template_approval',
        { approver_id },
        { ...ofGlobex, owner: { type: 'task_template', id: task_template } },
      )
    }
    const shared = await house.add('change_template', { subject: 'Shared', task_template_ids: [task_template] }, ofGlobex)
    const plans = [shared, await house.add('change_template', { subject: 'Own', task_template_ids: [task_template] })]
    for (const template_id of plans) {
      const id = await change({ template_id })
      const tasks = (await house.table('tasks')).filter((row) => row['change_id'] === id)
      expect(tasks.map((row) => [row['account_id'], row['subject']])).to.deep.equal([['acme', 'Approve']])
      expect(await approvalsOf(tasks[0]?.['id'])).to.deep.equal([
        [people.ann, 'assigned'],
        [ann, 'assigned'],
      ])
      expect(await notesOf('task', tasks[0]?.['id'])).to.deep.equal(['Both of you.'])
    }
  })

  it('costs as many statements as fifty of them', async () => {
    const links = { ci_ids: [ids.ci], service_instance_ids: [ids.instance] }
    const from = await template({
      ...links,
      category: 'approval',
      note: 'N',
      copy_notes_to_change: true,
      assign_to_service_owner: true,
    })
    for (const approver_id of [people.ann, people.bob])
      await house.add('task_template_approval', { approver_id }, { owner: { type: 'task_template', id: from } })
    const cost = async (many: number) => {
      const change_id = await change()
      const items = Array.from({ length: many }, () => ({ id: null, body: { change_id, template_id: from } }))
      const call = await house.by(people.mia)
      return countStatements(house.storage.knex).during(async () => {
        const made = await house.operations.saveAll(call, 'task', items)
        expect(made.map(({ outcome }) => outcome)).to.deep.equal(items.map(() => 'created'))
      })
    }
    const [one, fifty] = [await cost(1), await cost(50)]
    expect(fifty).to.be.at.most(one + 10)
  })
})

describe('a project task from a template', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true })

  it('has its assignments with their efforts, and its note', async () => {
    const petra = await house.addPerson('Petra Planner', ['project_manager'])
    const [ann, sue] = [await house.addPerson('Ann'), await house.addPerson('Sue')]
    const organization = await house.add('organization', { name: 'Provider' })
    const service_id = await house.add('service', { name: 'Moves', provider_id: organization, service_owner_id: sue })
    const project_id = await house.add('project', {
      ...{ subject: 'New office', customer_id: organization, justification: 'expansion', manager_id: petra, program: 'P' },
      ...{ service_id, time_zone: 'Amsterdam', work_hours_id: await house.add('calendar', { name: 'Office hours' }) },
    })
    const template_id = await house.add('project_task_template', {
      ...{ subject: 'Hire movers', category: 'activity', planned_duration: 8, note: 'Ask three.', copy_notes_to_project: true },
      ...{ assign_to_project_manager: true, planned_effort_project_manager: 2, assign_to_service_owner: true },
    })
    const owner = { type: 'project_task_template', id: template_id }
    await house.add('project_task_template_assignment', { assignee_id: ann, planned_effort: 3 }, { owner })
    await house.add('project_task_template_assignment', { assignee_id: sue, planned_effort: 1 }, { owner })
    const call = await house.by(petra)
    const { id } = await house.operations.save(call, 'project_task', null, { project_id, template_id })
    const assignments = await house.table('project_task_assignments')
    expect(assignments.map((row) => [row['owner_id'], row['assignee_id'], row['planned_effort'], row['status']])).to.deep.equal(
      [
        [id, ann, 3, 'assigned'],
        [id, sue, 1, 'assigned'],
        [id, petra, 2, 'assigned'],
      ],
    )
    const notes = await house.table('notes')
    expect(notes.map((row) => [row['owner_type'], row['owner_id'], row['text']])).to.deep.equal([
      ['project_task', id, 'Ask three.'],
      ['project', project_id, 'Ask three.'],
    ])
  })
})
