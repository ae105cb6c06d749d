import { expect } from 'chai'
import { countStatements } from '../support/count-statements.js'
import { type House, refusalOf, withHouse } from '../support/house.js'

/** What changes and tasks need, with people who do the work. */
interface Plan {
  readonly mia: number
  readonly tom: number
  readonly ann: number
  readonly bob: number
  readonly team: number
  readonly release: number
  change(more?: object): Promise<number>
  task(change: number, more?: object): Promise<number>
  save(person: number, type: string, id: number, body: object): Promise<unknown>
  /** The named columns of each task. */
  of(type: string, id: number, ...columns: readonly string[]): Promise<readonly unknown[]>
}

async function planIn(house: House): Promise<Plan> {
  const mia = await house.addPerson('Mia Manager', ['change_manager', 'release_manager'])
  const tom = await house.addPerson('Tom Technician', ['specialist'])
  const [ann, bob] = [await house.addPerson('Ann Approver', []), await house.addPerson('Bob Board', [])]
  const organization = await house.add('organization', { name: 'Provider' })
  const service = await house.add('service', { name: 'Mail', provider_id: organization })
  const days = ['mon', 'tue', 'wed', 'thu', 'fri']
  const calendar = await house.add('calendar', {
    name: 'Office hours',
    calendar_hours: days.map((weekday) => ({ weekday, time_from: '09:00', time_until: '17:00' })),
  })
  const team = await house.add('team', { name: 'Servers', work_hours_id: calendar, time_zone: 'Amsterdam' })
  const managers = await house.add('team', { name: 'Change managers' })
  await house.operations.link(await house.system(), { type: 'team', id: managers }, 'members', mia)
  const templates = {
    change: await house.add('change_template', { subject: 'Any change' }),
    task: await house.add('task_template', { subject: 'Any task', category: 'implementation', planned_duration: 8 }),
  }
  const release = await house.add('release', { subject: 'Spring', manager_id: mia })
  const save: Plan['save'] = async (person, type, id, body) => house.operations.save(await house.by(person), type, id, body)
  return {
    ...{ mia, tom, ann, bob, team, release, save },
    async change(more = {}) {
      const body = { subject: 'New servers', category: 'standard', change_type: 'infrastructure_change', service_id: service }
      const call = await house.by(mia)
      const plan = { ...body, justification: 'improvement', release_id: release, template_id: templates.change, ...more }
      return Number((await house.operations.save(call, 'change', null, plan))['id'])
    },
    async task(change, more = {}) {
      const body = { subject: 'A task', category: 'implementation', planned_duration: 8, team_id: team, change_id: change }
      const call = await house.by(mia)
      return Number((await house.operations.save(call, 'task', null, { template_id: templates.task, ...body, ...more }))['id'])
    },
    async of(type, id, ...columns) {
      const row = await house.row(type, id)
      return columns.map((column) => row?.[column])
    },
  }
}

describe('a change', function () {
  this.timeout(60_000)
  const house = withHouse({
    file: true,
    before: {
      'request.save': [
        ({ before, fail, next }) => {
          const isBlocked = next['subject'] === 'Blocked' || (next['subject'] === 'Checked' && next['status'] === 'completed')
          if (before && isBlocked) fail('status', 'locked')
        },
      ],
    },
  })
  let plan: Plan
  before(async () => {
    plan = await planIn(house)
  })
  const statusOf = async (type: string, id: number) => (await plan.of(type, id, 'status'))[0]

  it('goes through its tasks, one behind the other, to its end', async () => {
    const change = await plan.change()
    expect(await plan.of('change', change, 'status', 'impact')).to.deep.equal(['registered', 'none'])
    const assess = await plan.task(change, { category: 'risk_and_impact', impact: 'low' })
    const approve = await plan.task(change, { category: 'approval', predecessor_ids: [assess], member_id: plan.ann })
    const build = await plan.task(change, { impact: 'high', predecessor_ids: [approve] })
    expect(await Promise.all([assess, approve, build].map((id) => statusOf('task', id)))).to.deep.equal([
      'assigned',
      'registered',
      'registered',
    ])
    expect(await plan.of('change', change, 'status', 'impact')).to.deep.equal(['risk_and_impact', 'high'])
    expect(await plan.of('task', assess, 'assigned_at', 'new_assignment')).to.deep.equal(['2026-11-21T09:30:00Z', true])

    await plan.save(plan.tom, 'task', assess, { status: 'completed' })
    expect([await statusOf('task', approve), await statusOf('change', change)]).to.deep.equal(['assigned', 'approval'])
    await plan.save(plan.ann, 'task', approve, { status: 'approved' })
    expect([await statusOf('task', build), await statusOf('change', change)]).to.deep.equal(['assigned', 'implementation'])
    await plan.save(plan.tom, 'task', build, { status: 'completed' })
    expect(await plan.of('change', change, 'status', 'completion_reason', 'completed_at')).to.deep.equal([
      'completed',
      'complete',
      '2026-11-21T09:30:00Z',
    ])
  })

  it('expects its tasks in the working hours of their teams', async () => {
    // Saturday: the office opens on Monday at 8:00 UTC, and closes at 16:00.
    const change = await plan.change()
    const one = await plan.task(change, { planned_duration: 4 })
    const two = await plan.task(change, { planned_duration: 6, predecessor_ids: [one] })
    expect(await plan.of('task', one, 'anticipated_assignment_at', 'completion_target_at')).to.deep.equal([
      '2026-11-21T09:30:00Z',
      '2026-11-23T12:00:00Z',
    ])
    expect(await plan.of('task', two, 'anticipated_assignment_at', 'completion_target_at')).to.deep.equal([
      '2026-11-23T12:00:00Z',
      '2026-11-24T10:00:00Z',
    ])
    expect(await plan.of('change', change, 'completion_target_at')).to.deep.equal(['2026-11-24T10:00:00Z'])
  })

  it('counts the hours of a team without a time zone in that of the account', async () => {
    const hours = (await house.row('team', plan.team))?.['work_hours_id']
    const team = await house.add('team', { name: 'Anywhere', work_hours_id: hours })
    const change = await plan.change()
    const [here, anywhere] = [await plan.task(change), await plan.task(change, { team_id: team })]
    const [target] = await plan.of('task', anywhere, 'completion_target_at')
    // Both are in Amsterdam: eight hours of Monday.
    expect(target).to.equal('2026-11-23T16:00:00Z')
    expect(await plan.of('task', here, 'completion_target_at')).to.deep.equal([target])
  })

  it('takes a new task in between', async () => {
    const change = await plan.change({ start_at: '2026-12-01T09:00:00Z' })
    const first = await plan.task(change)
    const last = await plan.task(change, { predecessor_ids: [first] })
    const between = await plan.task(change, { predecessor_ids: [first], successor_ids: [last] })
    await plan.save(plan.tom, 'task', first, { status: 'completed' })
    expect([await statusOf('task', between), await statusOf('task', last)]).to.deep.equal(['assigned', 'registered'])
    await plan.save(plan.tom, 'task', between, { status: 'canceled' })
    expect(await statusOf('task', last)).to.equal('assigned')
  })

  it('keeps in mind when its first tasks begin, until they have', async () => {
    const change = await plan.change({ start_at: '2026-12-01T09:00:00Z' })
    const task = await plan.task(change)
    const later = await plan.task(change, { predecessor_ids: [task] })
    expect(await statusOf('task', task)).to.equal('registered')
    expect(await plan.of('change', change, 'starts_at', 'status')).to.deep.equal(['2026-12-01T09:00:00Z', 'registered'])
    await plan.save(plan.mia, 'change', change, { start_at: '2026-11-20T09:00:00Z' })
    expect(await Promise.all([task, later].map((id) => statusOf('task', id)))).to.deep.equal(['assigned', 'registered'])
    expect(await plan.of('change', change, 'starts_at', 'status')).to.deep.equal([null, 'implementation'])
  })

  it('halts at a task that failed, until its manager decides', async () => {
    const change = await plan.change()
    const one = await plan.task(change)
    const two = await plan.task(change, { predecessor_ids: [one] })
    await plan.save(plan.tom, 'task', one, { status: 'failed' })
    expect([await statusOf('change', change), await statusOf('task', two)]).to.deep.equal(['progress_halted', 'registered'])
    await plan.save(plan.mia, 'task', one, { status: 'registered' })
    expect(await Promise.all([one, two].map((id) => statusOf('task', id)))).to.deep.equal(['assigned', 'registered'])
    expect(await plan.of('task', one, 'finished_at')).to.deep.equal([null])
    await plan.save(plan.tom, 'task', one, { status: 'failed' })
    await plan.save(plan.mia, 'task', one, { status: 'canceled' })
    expect([await statusOf('change', change), await statusOf('task', two)]).to.deep.equal(['implementation', 'assigned'])
  })

  it('is ended by its manager, with everything that was left to do', async () => {
    const change = await plan.change()
    const [one, two] = [await plan.task(change), await plan.task(change)]
    await plan.save(plan.tom, 'task', one, { status: 'failed' })
    await plan.save(plan.mia, 'change', change, { completion_reason: 'withdrawn' })
    expect(await plan.of('change', change, 'status', 'completion_reason')).to.deep.equal(['completed', 'withdrawn'])
    expect(await Promise.all([one, two].map((id) => statusOf('task', id)))).to.deep.equal(['failed', 'canceled'])
    await plan.save(plan.mia, 'task', two, { status: 'assigned' })
    expect(await plan.of('change', change, 'status', 'completion_reason', 'completed_at')).to.deep.equal([
      'progress_halted',
      null,
      null,
    ])
  })

  describe('whose tasks have ended', () => {
    const ended = async (...statuses: readonly string[]) => {
      const change = await plan.change()
      const ids: number[] = []
      for (const _ of statuses) ids.push(await plan.task(change))
      for (const [index, status] of statuses.entries()) await plan.save(plan.tom, 'task', ids[index] ?? 0, { status })
      return { change, ids: ids as [number, ...number[]] }
    }
    const endOf = (change: number) => plan.of('change', change, 'status', 'completion_reason', 'completed_at')

    it('is halted when one of them is corrected to failed, and completed again when that was wrong', async () => {
      const { change, ids } = await ended('completed', 'canceled')
      expect(await endOf(change)).to.deep.equal(['completed', 'complete', '2026-11-21T09:30:00Z'])
      await plan.save(plan.tom, 'task', ids[0], { status: 'failed' })
      expect(await endOf(change)).to.deep.equal(['progress_halted', null, null])
      await plan.save(plan.tom, 'task', ids[0], { status: 'completed' })
      expect(await endOf(change)).to.deep.equal(['completed', 'complete', '2026-11-21T09:30:00Z'])
    })

    it('is withdrawn when all of them are canceled: nothing has been solved', async () => {
      const { change, ids } = await ended('in_progress', 'canceled')
      const organization = await house.add('organization', { name: 'Asks for nothing' })
      const paul = await house.addPerson('Paul', [], { organization_id: organization })
      const body = { subject: 'New disk', category: 'rfc', requested_by_id: paul, team_id: plan.team, change_id: change }
      const request = await house.add('request', body)
      await plan.save(plan.mia, 'task', ids[0], { status: 'canceled' })
      expect((await endOf(change)).slice(0, 2)).to.deep.equal(['completed', 'withdrawn'])
      expect(await statusOf('request', request)).to.equal('assigned')
      await plan.save(plan.mia, 'task', ids[0], { status: 'completed' })
      expect((await endOf(change)).slice(0, 2)).to.deep.equal(['completed', 'complete'])
    })

    it('keeps the reason that a person has given, even if it is the one that it had', async () => {
      const { change, ids } = await ended('completed', 'completed')
      for (const completion_reason of ['complete', 'partial']) {
        await plan.save(plan.mia, 'change', change, { completion_reason })
        await plan.save(plan.tom, 'task', ids[0], { status: 'failed' })
        await plan.save(plan.mia, 'change', change, { subject: completion_reason })
        expect((await endOf(change)).slice(0, 2)).to.deep.equal(['completed', completion_reason])
        await plan.save(plan.tom, 'task', ids[0], { status: 'completed' })
      }
      // Without it, the tasks decide again.
      await plan.save(plan.mia, 'change', change, { completion_reason: null })
      expect((await endOf(change)).slice(0, 2)).to.deep.equal(['completed', 'complete'])
      await plan.save(plan.tom, 'task', ids[0], { status: 'failed' })
      expect((await endOf(change)).slice(0, 2)).to.deep.equal(['progress_halted', null])
    })

    it('is what they say, although several are corrected at once', async () => {
      const { change, ids } = await ended('completed', 'completed', 'completed', 'canceled')
      const correct = (statuses: readonly string[]) =>
        Promise.all(statuses.map((status, index) => plan.save(plan.tom, 'task', ids[index] ?? 0, { status })))
      await correct(['failed', 'canceled', 'completed'])
      expect((await endOf(change)).slice(0, 2)).to.deep.equal(['progress_halted', null])
      await correct(['canceled', 'canceled', 'canceled'])
      expect((await endOf(change)).slice(0, 2)).to.deep.equal(['completed', 'withdrawn'])
    })
  })

  it('gives a declined task to its manager', async () => {
    const change = await plan.change()
    const task = await plan.task(change, { member_id: plan.tom })
    await plan.save(plan.tom, 'task', task, { status: 'declined' })
    const [status, member, team] = await plan.of('task', task, 'status', 'member_id', 'team_id')
    expect([status, member]).to.deep.equal(['declined', plan.mia])
    expect(team).to.not.equal(plan.team)
  })

  it('is finished, whoever was disabled by then', async () => {
    const max = await house.addPerson('Max Manager', ['change_manager', 'problem_manager'])
    const eve = await house.addPerson('Eve Approver')
    const change = await plan.change({ manager_id: max })
    const [task, approval] = [await plan.task(change), await plan.task(change, { category: 'approval' })]
    const owner = { type: 'task', id: approval }
    await house.add('task_approval', { approver_id: eve }, { owner })
    const other = await house.add('task_approval', { approver_id: plan.bob }, { owner })
    const { service_id } = (await house.row('change', change)) ?? {}
    const body = { subject: 'Noise', impact: 'low', service_id, manager_id: max, team_id: plan.team, change_id: change }
    const problem = await house.add('problem', body)
    for (const person of [max, eve]) await house.operations.save(await house.system(), 'person', person, { disabled: true })
    await plan.save(plan.tom, 'task', task, { status: 'declined' })
    expect(await plan.of('task', task, 'status', 'member_id', 'team_id')).to.deep.equal(['declined', null, plan.team])
    // The only approver who is left is the member, even if that person is disabled.
    await house.operations.remove(await house.system(), 'task_approval', other, owner)
    expect(await plan.of('task', approval, 'member_id')).to.deep.equal([eve])
    for (const id of [task, approval]) await plan.save(plan.mia, 'task', id, { status: 'canceled' })
    expect(await statusOf('change', change)).to.equal('completed')
    expect(await plan.of('problem', problem, 'status', 'member_id')).to.deep.equal(['assigned', max])
  })

  describe('with an approval task', () => {
    const approval = async (required: number, ...approvers: readonly number[]) => {
      const change = await plan.change()
      const task = await plan.task(change, { category: 'approval', required_approvals: required, member_id: plan.tom })
      const ids: number[] = []
      for (const approver_id of approvers)
        ids.push(await house.add('task_approval', { approver_id }, { owner: { type: 'task', id: task } }))
      return { change, task, ids }
    }

    it('asks its approvers, and counts what they say', async () => {
      const { change, task, ids } = await approval(2, plan.ann, plan.bob, plan.tom)
      expect(await plan.of('task', task, 'member_id')).to.deep.equal([null])
      expect(await Promise.all(ids.map((id) => statusOf('task_approval', id)))).to.deep.equal([
        'assigned',
        'assigned',
        'assigned',
      ])
      await plan.save(plan.ann, 'task_approval', ids[0] ?? 0, { status: 'approved' })
      expect(await statusOf('task', task)).to.equal('assigned')
      await plan.save(plan.bob, 'task_approval', ids[1] ?? 0, { status: 'approved' })
      expect([await statusOf('task', task), await statusOf('task_approval', ids[2] ?? 0)]).to.deep.equal([
        'approved',
        'canceled',
      ])
      expect(await statusOf('change', change)).to.equal('completed')
    })

    it('is rejected as soon as it cannot be approved any more', async () => {
      const { change, task, ids } = await approval(2, plan.ann, plan.bob)
      await plan.save(plan.ann, 'task_approval', ids[0] ?? 0, { status: 'rejected' })
      expect([await statusOf('task', task), await statusOf('change', change)]).to.deep.equal(['rejected', 'progress_halted'])
    })

    it('lets nobody speak but the approver', async () => {
      const { task: single } = await approval(1)
      const refused = (task: number, person: number) => refusalOf(plan.save(person, 'task', task, { status: 'approved' }))
      expect(await refused(single, plan.mia)).to.deep.equal([['status', 'not_the_approver']])
      const { task: several } = await approval(1, plan.ann, plan.bob)
      expect(await refused(several, plan.mia)).to.deep.equal([['status', 'decided_by_approvers']])
      const { task, ids } = await approval(1, plan.ann)
      expect(await refused(task, plan.tom)).to.deep.equal([['status', 'not_the_approver']])
      await plan.save(plan.ann, 'task', task, { status: 'rejected' })
      expect(await statusOf('task_approval', ids[0] ?? 0)).to.equal('rejected')
    })

    it('keeps what was decided once it is finished', async () => {
      const { task, ids } = await approval(1, plan.ann)
      await plan.save(plan.ann, 'task_approval', ids[0] ?? 0, { status: 'approved' })
      const again = plan.save(plan.ann, 'task_approval', ids[0] ?? 0, { status: 'rejected' })
      expect(await refusalOf(again)).to.deep.equal([['status', 'cannot_be_changed']])
      await plan.save(plan.ann, 'task', task, { status: 'rejected' })
      expect(await statusOf('task_approval', ids[0] ?? 0)).to.equal('rejected')
    })

    it('needs no team while several people approve', async () => {
      const { task } = await approval(1, plan.ann, plan.bob)
      await plan.save(plan.mia, 'task', task, { team_id: null })
      expect(await plan.of('task', task, 'team_id')).to.deep.equal([null])
      const { task: one } = await approval(1, plan.ann)
      expect(await refusalOf(plan.save(plan.mia, 'task', one, { team_id: null }))).to.deep.equal([['team', 'blank']])
    })
  })

  it('goes on when the approvers of a task without a team are removed', async () => {
    const change = await plan.change()
    const task = await plan.task(change, { category: 'approval' })
    const ids: number[] = []
    for (const approver_id of [plan.ann, plan.bob])
      ids.push(await house.add('task_approval', { approver_id }, { owner: { type: 'task', id: task } }))
    await plan.save(plan.mia, 'task', task, { team_id: null })
    await house.operations.remove(await house.by(plan.mia), 'task_approval', ids[1] ?? 0)
    expect(await plan.of('task', task, 'team_id', 'member_id', 'status')).to.deep.equal([null, plan.ann, 'assigned'])
    await plan.save(plan.mia, 'change', change, { completion_reason: 'withdrawn' })
    expect(await statusOf('task', task)).to.equal('canceled')
  })

  it('tells its release how far it is', async () => {
    const release = await house.add('release', { subject: 'Summer', manager_id: plan.mia })
    const [one, two] = [await plan.change({ release_id: release }), await plan.change({ release_id: release })]
    expect(await plan.of('release', release, 'status', 'impact')).to.deep.equal(['registered', 'none'])
    const tasks = [await plan.task(one, { impact: 'medium' }), await plan.task(two, { category: 'risk_and_impact' })]
    expect(await plan.of('release', release, 'status', 'impact')).to.deep.equal(['implementation', 'medium'])
    await plan.save(plan.tom, 'task', tasks[0] ?? 0, { status: 'completed' })
    await plan.save(plan.tom, 'task', tasks[1] ?? 0, { status: 'failed' })
    expect(await statusOf('release', release)).to.equal('progress_halted')
    await plan.save(plan.mia, 'change', two, { completion_reason: 'rejected' })
    expect(await plan.of('release', release, 'status', 'completion_reason', 'completed_at')).to.deep.equal([
      'completed',
      'partial',
      '2026-11-21T09:30:00Z',
    ])
  })

  it('completes the requests that wait for it, and gives back those that cannot be completed', async () => {
    const change = await plan.change()
    const task = await plan.task(change)
    const asked = { category: 'other', team_id: plan.team, requested_by_id: plan.ann, change_id: change }
    const ids: number[] = []
    for (const subject of ['One', 'Checked', 'Two', 'Blocked']) ids.push(await house.add('request', { subject, ...asked }))
    await plan.save(plan.tom, 'task', task, { status: 'completed' })
    expect(await statusOf('change', change)).to.equal('completed')
    expect(await Promise.all(ids.map((id) => plan.of('request', id, 'status', 'completion_reason')))).to.deep.equal([
      ['completed', 'solved'],
      ['assigned', null],
      ['completed', 'solved'],
      ['change_pending', null],
    ])
  })

  for (const many of [2, 20]) {
    it(`goes on when ${many} tasks are finished at once`, async () => {
      const change = await plan.change()
      const ids: number[] = []
      for (let n = 0; n < many; n++) ids.push(await plan.task(change))
      const last = await plan.task(change, { predecessor_ids: ids })
      await Promise.all(ids.map((id) => plan.save(plan.tom, 'task', id, { status: 'completed' })))
      expect([await statusOf('task', last), await statusOf('change', change)]).to.deep.equal(['assigned', 'implementation'])
      await plan.save(plan.tom, 'task', last, { status: 'completed' })
      expect(await statusOf('change', change)).to.equal('completed')
    })
  }

  it('takes as many statements for a step with 200 tasks as with three', async () => {
    const stepOf = async (many: number) => {
      const change = await plan.change()
      const first = await plan.task(change)
      const items = Array.from({ length: many }, () => ({
        id: null,
        body: { change_id: change, predecessor_ids: [first], subject: 'Next', category: 'implementation', planned_duration: 1 },
      }))
      const [row] = [await house.row('task', first)]
      const more = { template_id: row?.['template_id'], team_id: plan.team }
      const made = await house.operations.saveAll(
        await house.by(plan.mia),
        'task',
        items.map((item) => ({ ...item, body: { ...item.body, ...more } })),
      )
      expect(made.map(({ outcome }) => outcome)).to.deep.equal(Array.from({ length: many }, () => 'created'))
      return countStatements(house.storage.knex).during(() => plan.save(plan.tom, 'task', first, { status: 'completed' }))
    }
    // Rows are written in chunks.
    expect(await stepOf(200)).to.be.at.most((await stepOf(3)) + 5)
  })
})
