import { expect } from 'chai'
import { type House, refusalOf, withHouse } from '../support/house.js'
import { timersOf } from '../support/house-timers.js'

/** What projects need, with people who do the work. */
async function planIn(house: House) {
  const pam = await house.addPerson('Pam Manager', ['project_manager', 'problem_manager'])
  const [ann, bob] = [await house.addPerson('Ann Analyst', []), await house.addPerson('Bob Builder', [])]
  const organization = await house.add('organization', { name: 'Customer' })
  const service = await house.add('service', { name: 'Mail', provider_id: organization })
  const days = ['mon', 'tue', 'wed', 'thu', 'fri']
  const calendar = await house.add('calendar', {
    name: 'Office hours',
    calendar_hours: days.map((weekday) => ({ weekday, time_from: '09:00', time_until: '17:00' })),
  })
  const always = await house.add('calendar', {
    name: '24x7',
    calendar_hours: [...days, 'sat', 'sun'].map((weekday) => ({ weekday, time_from: '00:00', time_until: '24:00' })),
  })
  const template = await house.add('project_task_template', { subject: 'Any', category: 'activity', planned_duration: 8 })
  const desk = await house.add('team', { name: 'Desk' })
  const save = async (person: number, type: string, id: number, body: object) =>
    house.operations.save(await house.by(person), type, id, body)
  return {
    ...{ pam, ann, bob, always, desk, service, save },
    async project(more: object = {}) {
      const body = { subject: 'New office', program: 'Growth', justification: 'move', customer_id: organization }
      const rest = { service_id: service, manager_id: pam, time_zone: 'Amsterdam', work_hours_id: calendar }
      return Number((await house.operations.save(await house.by(pam), 'project', null, { ...body, ...rest, ...more }))['id'])
    },
    async task(project: number, more: object = {}) {
      const body = { subject: 'A task', category: 'activity', planned_duration: 8, project_id: project, template_id: template }
      return Number((await house.operations.save(await house.by(pam), 'project_task', null, { ...body, ...more }))['id'])
    },
    assign: (task: number, assignee_id: number) =>
      house.add('project_task_assignment', { assignee_id }, { owner: { type: 'project_task', id: task } }),
    phase: (project: number, name: string) => house.add('project_phase', { name }, { owner: { type: 'project', id: project } }),
    /** The named columns of a record. */
    async of(type: string, id: number, ...columns: readonly string[]) {
      const row = await house.row(type, id)
      return columns.map((column) => row?.[column])
    },
  }
}

describe('a project', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true })
  let plan: Awaited<ReturnType<typeof planIn>>
  before(async () => {
    plan = await planIn(house)
  })
  const statusOf = async (type: string, id: number) => (await plan.of(type, id, 'status'))[0]
  const statusesOf = (type: string, ids: readonly number[]) => Promise.all(ids.map((id) => statusOf(type, id)))
  const at = (time: string) => house.clock.set(time)
  beforeEach(() => at('2026-11-21T09:30:00Z'))

  it('is halted when a finished task is corrected to failed, and withdrawn when all are canceled', async () => {
    const project = await plan.project()
    const [one, two] = [await plan.task(project), await plan.task(project, { category: 'approval' })]
    const endOf = () => plan.of('project', project, 'status', 'completion_reason')
    await plan.save(plan.pam, 'project_task', one, { status: 'completed' })
    await plan.save(plan.pam, 'project_task', two, { status: 'approved' })
    expect(await endOf()).to.deep.equal(['completed', 'complete'])
    await plan.save(plan.pam, 'project_task', two, { status: 'rejected' })
    expect(await endOf()).to.deep.equal(['progress_halted', null])
    for (const task of [one, two]) await plan.save(plan.pam, 'project_task', task, { status: 'canceled' })
    expect(await endOf()).to.deep.equal(['completed', 'withdrawn'])
    await plan.save(plan.pam, 'project', project, { completion_reason: 'abandoned' })
    await plan.save(plan.pam, 'project_task', one, { status: 'completed' })
    expect(await endOf()).to.deep.equal(['completed', 'abandoned'])
  })

  it('goes through its phases to its end', async () => {
    const project = await plan.project()
    const [first, second] = [await plan.phase(project, 'Design'), await plan.phase(project, 'Build')]
    expect(await plan.of('project', project, 'status')).to.deep.equal(['registered'])
    const design = await plan.task(project, { phase_id: first })
    const check = await plan.task(project, {
      phase_id: first,
      category: 'milestone',
      planned_duration: 0,
      predecessor_ids: [design],
    })
    const build = await plan.task(project, { phase_id: second, predecessor_ids: [check] })
    const phases = () =>
      Promise.all([first, second].map((id) => plan.of('project_phase', id, 'status', 'started_at', 'completed_at')))
    expect(await phases()).to.deep.equal([
      ['in_progress', '2026-11-21T09:30:00Z', null],
      ['registered', null, null],
    ])
    expect(await statusesOf('project_task', [design, check, build])).to.deep.equal(['assigned', 'registered', 'registered'])
    expect(await plan.of('project', project, 'status', 'completion_target_at')).to.deep.equal([
      'in_progress',
      '2026-11-24T16:00:00Z',
    ])
    at('2026-11-23T10:00:00Z')
    await plan.save(plan.pam, 'project_task', design, { status: 'completed' })
    expect(await statusOf('project_task', check)).to.equal('assigned')
    at('2026-11-23T11:00:00Z')
    await plan.save(plan.pam, 'project_task', check, { status: 'completed' })
    expect(await phases()).to.deep.equal([
      ['completed', '2026-11-21T09:30:00Z', '2026-11-23T11:00:00Z'],
      ['in_progress', '2026-11-23T11:00:00Z', null],
    ])
    expect(await plan.of('project_task', build, 'assigned_at', 'completion_target_at')).to.deep.equal([
      '2026-11-23T11:00:00Z',
      '2026-11-24T11:00:00Z',
    ])
    await plan.save(plan.pam, 'project_task', build, { status: 'failed' })
    expect(await statusOf('project', project)).to.equal('progress_halted')
    await plan.save(plan.pam, 'project_task', build, { status: 'registered' })
    await plan.save(plan.pam, 'project_task', build, { status: 'completed' })
    expect(await plan.of('project', project, 'status', 'completion_reason', 'completed_at')).to.deep.equal([
      'completed',
      'complete',
      '2026-11-23T11:00:00Z',
    ])
  })

  it('counts in its own work hours and time zone, also when they change', async () => {
    const project = await plan.project()
    const task = await plan.task(project)
    expect(await plan.of('project_task', task, 'completion_target_at')).to.deep.equal(['2026-11-23T16:00:00Z'])
    await plan.save(plan.pam, 'project', project, { time_zone: 'London' })
    expect(await plan.of('project_task', task, 'completion_target_at')).to.deep.equal(['2026-11-23T17:00:00Z'])
    await plan.save(plan.pam, 'project', project, { work_hours_id: plan.always })
    expect(await plan.of('project_task', task, 'completion_target_at')).to.deep.equal(['2026-11-21T17:30:00Z'])
  })

  it('has activities that are completed when all who work on them are', async () => {
    const project = await plan.project()
    const first = await plan.task(project)
    const task = await plan.task(project, { predecessor_ids: [first] })
    const ids = [await plan.assign(task, plan.ann), await plan.assign(task, plan.bob)]
    expect(await statusesOf('project_task_assignment', ids)).to.deep.equal(['registered', 'registered'])
    await plan.save(plan.pam, 'project_task', first, { status: 'completed' })
    expect(await statusesOf('project_task_assignment', ids)).to.deep.equal(['assigned', 'assigned'])
    await plan.save(plan.ann, 'project_task_assignment', ids[0] ?? 0, { status: 'completed' })
    expect([await statusOf('project_task', task), await statusOf('project', project)]).to.deep.equal([
      'assigned',
      'in_progress',
    ])
    await plan.save(plan.bob, 'project_task_assignment', ids[1] ?? 0, { status: 'completed' })
    expect([await statusOf('project_task', task), await statusOf('project', project)]).to.deep.equal(['completed', 'completed'])
  })

  it('gives an assignment back to the person who waits, at the time that was set', async () => {
    const task = await plan.task(await plan.project())
    const id = await plan.assign(task, plan.ann)
    const waiting = { status: 'waiting_for', waiting_until: '2026-11-22T08:00:00Z' }
    await plan.save(plan.ann, 'project_task_assignment', id, waiting)
    at('2026-11-22T08:00:00Z')
    expect((await timersOf(house, { pageSize: 10 }).fireDue()).saved).to.equal(1)
    expect(await plan.of('project_task_assignment', id, 'status', 'waiting_until')).to.deep.equal(['assigned', null])
  })

  describe('with an approval', () => {
    const approval = async (...people: readonly number[]) => {
      const project = await plan.project()
      const task = await plan.task(project, { category: 'approval', required_approvals: Math.max(1, people.length) })
      const ids: number[] = []
      for (const person of people) ids.push(await plan.assign(task, person))
      return { project, task, ids }
    }

    it('counts what the approvers say', async () => {
      const { project, task, ids } = await approval(plan.ann, plan.bob)
      await plan.save(plan.ann, 'project_task_assignment', ids[0] ?? 0, { status: 'approved' })
      expect(await statusOf('project_task', task)).to.equal('assigned')
      await plan.save(plan.bob, 'project_task_assignment', ids[1] ?? 0, { status: 'rejected' })
      expect([await statusOf('project_task', task), await statusOf('project', project)]).to.deep.equal([
        'rejected',
        'progress_halted',
      ])
    })

    it('lets nobody speak but the approvers', async () => {
      const { task, ids } = await approval(plan.ann, plan.bob)
      const decide = (type: string, id: number, status = 'approved') => refusalOf(plan.save(plan.pam, type, id, { status }))
      expect(await decide('project_task', task)).to.deep.equal([['status', 'decided_by_approvers']])
      expect(await decide('project_task_assignment', ids[0] ?? 0)).to.deep.equal([['status', 'not_the_approver']])
      const { task: single, ids: one } = await approval(plan.ann)
      expect(await decide('project_task', single, 'rejected')).to.deep.equal([['status', 'not_the_approver']])
      expect(await decide('project_task_assignment', one[0] ?? 0)).to.deep.equal([['status', 'not_the_approver']])
      await plan.save(plan.ann, 'project_task_assignment', one[0] ?? 0, { status: 'approved' })
      expect(await statusOf('project_task', single)).to.equal('approved')
      const { task: nobody } = await approval()
      await plan.save(plan.pam, 'project_task', nobody, { status: 'approved' })
      expect(await statusOf('project_task', nobody)).to.equal('approved')
    })
  })

  it('is ended by its manager, with everything that was left to do', async () => {
    const project = await plan.project()
    const phase = await plan.phase(project, 'Design')
    const one = await plan.task(project, { phase_id: phase })
    const two = await plan.task(project, { phase_id: phase, predecessor_ids: [one] })
    const assignment = await plan.assign(one, plan.ann)
    await plan.save(plan.pam, 'project', project, { status: 'completed', completion_reason: 'abandoned' })
    expect(await statusesOf('project_task', [one, two])).to.deep.equal(['canceled', 'canceled'])
    expect(await statusOf('project_task_assignment', assignment)).to.equal('canceled')
    expect(await statusOf('project_phase', phase)).to.equal('completed')
    expect(await plan.of('project', project, 'status', 'completion_reason')).to.deep.equal(['completed', 'abandoned'])
  })

  for (const [reason, request, problem] of [
    ['complete', ['completed', 'solved'], ['assigned']],
    ['withdrawn', ['assigned', null], ['assigned']],
  ] as const) {
    it(`tells those who wait for it that it is ${reason}`, async () => {
      const project = await plan.project()
      await plan.task(project)
      const asked = { subject: 'Desk', category: 'other', requested_by_id: plan.ann, team_id: plan.desk, project_id: project }
      const ids = await Promise.all([1, 2, 3].map(() => house.add('request', asked)))
      const found = await house.add('problem', {
        ...{ subject: 'Noise', category: 'reactive', impact: 'low', service_id: plan.service, team_id: plan.desk },
        ...{ manager_id: plan.pam, project_id: project },
      })
      expect(await statusesOf('request', ids)).to.deep.equal(['project_pending', 'project_pending', 'project_pending'])
      await plan.save(plan.pam, 'project', project, { completion_reason: reason })
      for (const id of ids) expect(await plan.of('request', id, 'status', 'completion_reason')).to.deep.equal(request)
      expect(await plan.of('problem', found, 'status')).to.deep.equal(problem)
      expect(await plan.of('problem', found, 'member_id')).to.deep.equal([plan.pam])
    })
  }
})
