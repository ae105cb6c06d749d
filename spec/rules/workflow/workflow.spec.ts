import { expect } from 'chai'
import type { Instant } from '../../../plugin/core/clock.js'
import { approvalStatus, verdictOf } from '../../../plugin/rules/workflow/approvals.js'
import { completionOf, highest, progressOf } from '../../../plugin/rules/workflow/progress.js'
import { latest, schedule } from '../../../plugin/rules/workflow/schedule.js'
import { advance, verdictOnApproval, type Workflow } from '../../../plugin/rules/workflow/workflow.js'
import { inOrder, predecessorsOf, type WorkflowTask } from '../../../plugin/rules/workflow/workflow-task.js'
import { NOW } from '../context.js'

const taskWith = (id: number, more: Partial<WorkflowTask> = {}): WorkflowTask => ({
  id,
  status: 'registered',
  category: 'implementation',
  required_approvals: 1,
  planned_duration: 2,
  start_at: null,
  assigned_at: null,
  finished_at: null,
  anticipated_assignment_at: null,
  completion_target_at: null,
  ...more,
})
const link = (from: number, to: number) => ({ from, to })
/** Works around the clock. */
const afterWork = (_task: WorkflowTask, moment: Instant, minutes: number) =>
  `${new Date(Date.parse(moment) + minutes * 60_000).toISOString().slice(0, 19)}Z`
const workflow = (tasks: readonly WorkflowTask[], more: Partial<Workflow<WorkflowTask>> = {}) =>
  advance({
    tasks,
    decisionsOf: () => [],
    order: [],
    startAt: null,
    createdAt: '2026-11-20T08:00:00Z',
    now: NOW,
    verdict: verdictOnApproval,
    afterWork,
    ...more,
  })

describe('decisions of approvers', () => {
  for (const [required, statuses, verdict] of [
    [1, [], null],
    [1, ['registered'], null],
    [1, ['approved'], 'approved'],
    [1, ['assigned', 'approved'], 'approved'],
    [2, ['assigned', 'approved'], null],
    [2, ['approved', 'approved', 'assigned'], 'approved'],
    [1, ['rejected', 'assigned'], null],
    [2, ['rejected', 'assigned'], 'rejected'],
    [2, ['rejected', 'assigned', 'approved'], null],
    [2, ['rejected', 'rejected', 'approved'], 'rejected'],
    [1, ['rejected'], 'rejected'],
    // Nobody has rejected: further approvers may follow.
    [3, ['approved', 'approved'], null],
    [1, ['canceled'], null],
    [1, ['canceled', 'rejected'], 'rejected'],
    [1, ['canceled', 'approved'], 'approved'],
  ] as const) {
    it(`${statuses.join(', ') || 'none'}, ${required} required: ${verdict}`, () => {
      expect(
        verdictOf(
          required,
          statuses.map((status) => ({ status })),
        ),
      ).to.equal(verdict)
    })
  }

  for (const [was, is, approval, status] of [
    ['registered', 'registered', 'registered', null],
    ['registered', 'registered', 'approved', 'registered'],
    ['rejected', 'registered', 'approved', 'registered'],
    ['rejected', 'registered', 'canceled', 'registered'],
    // A task whose predecessors are done begins again in the step in which it is registered.
    ['registered', 'assigned', 'registered', 'assigned'],
    ['registered', 'assigned', 'rejected', 'assigned'],
    ['registered', 'assigned', 'canceled', 'assigned'],
    ['registered', 'assigned', 'assigned', null],
    ['assigned', 'in_progress', 'registered', 'assigned'],
    ['assigned', 'assigned', 'accepted', null],
    ['assigned', 'assigned', 'approved', null],
    ['assigned', 'approved', 'assigned', 'canceled'],
    ['assigned', 'approved', 'approved', null],
    ['assigned', 'canceled', 'rejected', null],
    ['registered', 'canceled', 'registered', 'canceled'],
  ] as const) {
    it(`of a task that was ${was} and is ${is}, ${approval} ${status ? `becomes ${status}` : 'stays'}`, () => {
      expect(approvalStatus({ was, is }, approval)).to.equal(status)
    })
  }
})

describe('the order of tasks', () => {
  it('puts each behind its predecessors, and leaves out circles and links to others', () => {
    const tasks = [1, 2, 3, 4, 5].map((id) => taskWith(id))
    const before = predecessorsOf(tasks, [link(1, 3), link(3, 2), link(1, 2), link(4, 5), link(5, 4), link(2, 99)])
    expect(before.get(1)).to.deep.equal([3, 2])
    expect(inOrder(tasks, before).map(({ id }) => id)).to.deep.equal([2, 3, 1])
  })
})

describe('a step of a workflow', () => {
  const statuses = (...args: Parameters<typeof workflow>) => Object.fromEntries(workflow(...args).statuses)

  it('begins the first tasks at once, and no others', () => {
    expect(
      statuses(
        [1, 2, 3].map((id) => taskWith(id)),
        { order: [link(3, 1)] },
      ),
    ).to.deep.equal({
      1: 'assigned',
      2: 'assigned',
      3: 'registered',
    })
  })

  for (const [name, startAt, status, startsAt] of [
    ['waits for its start', '2026-11-21T09:30:01Z', 'registered', '2026-11-21T09:30:01Z'],
    ['begins at its start', NOW, 'assigned', null],
    ['begins after its start', '2026-11-01T00:00:00Z', 'assigned', null],
  ] as const) {
    it(`${name}`, () => {
      const { statuses, startsAt: at } = workflow([taskWith(1)], { startAt })
      expect([statuses.get(1), at]).to.deep.equal([status, startsAt])
    })
  }

  describe('with an earliest start of a task', () => {
    const DONE = { status: 'completed', assigned_at: NOW, finished_at: NOW }
    const FAILED = { ...DONE, status: 'failed' }
    for (const [name, first, start_at, startAt, status, startsAt] of [
      ['does not begin it before', DONE, '2026-11-21T09:30:01Z', null, 'registered', '2026-11-21T09:30:01Z'],
      ['begins it then', DONE, NOW, null, 'assigned', null],
      ['begins it when what comes before is later', DONE, '2026-11-01T00:00:00Z', null, 'assigned', null],
      ['lets it wait for what comes before', {}, '2026-11-22T00:00:00Z', null, 'registered', null],
      ['lets it wait behind what failed', FAILED, '2026-11-22T00:00:00Z', null, 'registered', null],
      [
        'lets it wait for the start of all',
        { status: 'canceled' },
        '2026-11-22T00:00:00Z',
        '2026-11-23T00:00:00Z',
        'registered',
        null,
      ],
      ['is started all the same', { ...DONE, status: 'accepted' }, null, '2026-11-23T00:00:00Z', 'registered', null],
    ] as const) {
      it(name, () => {
        const { tasks } = workflow([taskWith(1, first), taskWith(2, { start_at })], { order: [link(2, 1)], startAt })
        const { status: is, starts_at } = tasks.get(2) ?? {}
        expect([is, starts_at]).to.deep.equal([status, startsAt])
      })
    }
  })

  it('has begun when somebody has begun with a task, and not when one is canceled', () => {
    const startAt = '2027-01-01T00:00:00Z'
    expect(statuses([taskWith(1, { status: 'accepted' }), taskWith(2)], { startAt })).to.include({ 2: 'assigned' })
    expect(statuses([taskWith(1, { status: 'canceled' }), taskWith(2)], { startAt })).to.include({ 2: 'registered' })
  })

  for (const [status, then] of [
    ['completed', 'assigned'],
    ['approved', 'assigned'],
    ['canceled', 'assigned'],
    ['failed', 'registered'],
    ['rejected', 'registered'],
    ['in_progress', 'registered'],
    ['declined', 'registered'],
  ] as const) {
    it(`behind one that is ${status}, a task is ${then}`, () => {
      expect(statuses([taskWith(1, { status }), taskWith(2)], { order: [link(2, 1)] })).to.include({ 2: then })
    })
  }

  it('waits for all predecessors', () => {
    const order = [link(3, 1), link(3, 2)]
    const [one, three] = [taskWith(1, { status: 'completed' }), taskWith(3)]
    expect(statuses([one, taskWith(2, { status: 'accepted' }), three], { order })).to.include({ 3: 'registered' })
    expect(statuses([one, taskWith(2, { status: 'canceled' }), three], { order })).to.include({ 3: 'assigned' })
  })

  it('counts decisions while a task is in hand, and begins what waits for them', () => {
    const approval = taskWith(1, { category: 'approval', status: 'assigned', required_approvals: 2 })
    const decisions = [
      { id: 11, status: 'approved', person: 11 },
      { id: 12, status: 'approved', person: 12 },
      { id: 13, status: 'assigned', person: 13 },
    ]
    const step = (task: WorkflowTask) =>
      workflow([task, taskWith(2)], { order: [link(2, 1)], decisionsOf: (id) => (id === 1 ? decisions : []) })
    const approved = step(approval)
    expect(Object.fromEntries(approved.statuses)).to.deep.equal({ 1: 'approved', 2: 'assigned' })
    expect([...approved.decisions]).to.deep.equal([[13, { status: 'canceled' }]])
    const canceled = step({ ...approval, status: 'canceled' })
    expect(canceled.statuses.get(1)).to.equal('canceled')
    const other = step({ ...approval, category: 'implementation' })
    expect(other.statuses.get(1)).to.equal('assigned')
  })

  it('asks the approvers of a task that begins', () => {
    const decisionsOf = () => [{ id: 11, status: 'registered', person: 11 }]
    const { decisions } = workflow([taskWith(1, { category: 'approval' })], { decisionsOf })
    expect([...decisions]).to.deep.equal([[11, { status: 'assigned' }]])
  })
})

describe('the schedule of a workflow', () => {
  const times = (tasks: readonly WorkflowTask[], order: readonly ReturnType<typeof link>[], start: Instant | null) =>
    Object.fromEntries(
      [...schedule(tasks, predecessorsOf(tasks, order), start, afterWork)].map(([id, at]) => [
        id,
        [at.anticipated_assignment_at, at.completion_target_at],
      ]),
    )

  it('adds durations along the longest path', () => {
    const tasks = [taskWith(1), taskWith(2, { planned_duration: 5 }), taskWith(3, { planned_duration: 1 })]
    expect(times(tasks, [link(3, 1), link(3, 2)], '2026-12-01T00:00:00Z')).to.deep.equal({
      1: ['2026-12-01T00:00:00Z', '2026-12-01T02:00:00Z'],
      2: ['2026-12-01T00:00:00Z', '2026-12-01T05:00:00Z'],
      3: ['2026-12-01T05:00:00Z', '2026-12-01T06:00:00Z'],
    })
  })

  it('keeps what a finished task has, once that was computed from its assignment', () => {
    const at = '2026-12-01T00:00:00Z'
    const kept = { assigned_at: at, finished_at: at, completion_target_at: '2026-11-30T00:00:00Z' }
    const computed = { ...kept, anticipated_assignment_at: at }
    const tasks = [
      taskWith(1, { status: 'completed', ...computed }),
      taskWith(2, { status: 'completed', ...kept }),
      taskWith(3, { status: 'in_progress', ...computed, finished_at: null }),
      taskWith(4, { status: 'canceled', ...computed, assigned_at: null }),
    ]
    expect(times(tasks, [], null)).to.deep.equal({
      1: [at, '2026-11-30T00:00:00Z'],
      2: [at, '2026-12-01T02:00:00Z'],
      3: [at, '2026-12-01T02:00:00Z'],
      4: [at, null],
    })
  })

  it('counts from the assignment of tasks in hand, and from the end of finished ones', () => {
    const tasks = [
      taskWith(1, { status: 'completed', assigned_at: '2026-12-01T00:00:00Z', finished_at: '2026-12-01T01:00:00Z' }),
      taskWith(2, {
        status: 'accepted',
        assigned_at: '2026-12-01T01:00:00Z',
        anticipated_assignment_at: '2026-12-01T02:00:00Z',
      }),
      taskWith(3),
    ]
    expect(times(tasks, [link(2, 1), link(3, 2)], null)).to.deep.equal({
      1: ['2026-12-01T00:00:00Z', '2026-12-01T02:00:00Z'],
      2: ['2026-12-01T01:00:00Z', '2026-12-01T03:00:00Z'],
      3: ['2026-12-01T03:00:00Z', '2026-12-01T05:00:00Z'],
    })
  })

  it('counts the duration from the earliest start of a task when that is later', () => {
    const late = taskWith(1, { start_at: '2026-12-05T00:00:00Z' })
    expect(times([late], [], '2026-12-01T00:00:00Z')[1]).to.deep.equal(['2026-12-05T00:00:00Z', '2026-12-05T02:00:00Z'])
    const inHand = { ...late, status: 'assigned', assigned_at: '2026-12-02T00:00:00Z' }
    expect(times([inHand], [], null)[1]).to.deep.equal(['2026-12-02T00:00:00Z', '2026-12-05T02:00:00Z'])
    const early = taskWith(1, { start_at: '2026-11-05T00:00:00Z' })
    expect(times([early], [], '2026-12-01T00:00:00Z')[1]).to.deep.equal(['2026-12-01T00:00:00Z', '2026-12-01T02:00:00Z'])
  })

  it('expects nothing behind a task that failed, nor what a calendar never allows', () => {
    const failed = taskWith(1, { status: 'failed', assigned_at: NOW, finished_at: NOW })
    expect(times([failed, taskWith(2), taskWith(3)], [link(2, 1), link(3, 2)], NOW)).to.deep.include({
      2: [null, null],
      3: [null, null],
    })
    const never = schedule([taskWith(1)], predecessorsOf([taskWith(1)], []), NOW, () => null)
    expect(never.get(1)).to.deep.equal({ anticipated_assignment_at: NOW, completion_target_at: null })
  })

  it('forgets what it expected of a task once one before it has failed', () => {
    const failed = taskWith(1, { status: 'failed', assigned_at: NOW, finished_at: NOW })
    const behind = taskWith(2, { anticipated_assignment_at: '2026-12-24T00:00:00Z' })
    const canceled = taskWith(3, { status: 'canceled', anticipated_assignment_at: '2026-12-24T00:00:00Z' })
    expect(times([failed, behind, canceled], [link(2, 1), link(3, 1)], NOW)).to.deep.include({
      2: [null, null],
      3: ['2026-12-24T00:00:00Z', null],
    })
  })

  it('knows the latest of times only when it knows them all', () => {
    expect(latest([NOW, '2026-01-01T00:00:00Z'])).to.equal(NOW)
    expect(latest([NOW, null])).to.equal(null)
    expect(latest([])).to.equal(null)
  })
})

describe('the progress of a workflow', () => {
  const STAGES = ['risk_and_impact', 'approval', 'implementation'] as const
  const progress = (...tasks: readonly (readonly [category: string, status: string])[]) =>
    progressOf(
      tasks.map(([category, status]) => ({ category, status })),
      STAGES,
      (category) => STAGES.find((stage) => stage === category),
    )

  for (const [tasks, is] of [
    [[['approval', 'registered']], 'registered'],
    [
      [
        ['approval', 'registered'],
        ['implementation', 'canceled'],
      ],
      'registered',
    ],
    [
      [
        ['approval', 'assigned'],
        ['implementation', 'registered'],
      ],
      'approval',
    ],
    [
      [
        ['approval', 'assigned'],
        ['implementation', 'waiting_for'],
      ],
      'implementation',
    ],
    [[['risk_and_impact', 'declined']], 'risk_and_impact'],
    [
      [
        ['implementation', 'completed'],
        ['approval', 'assigned'],
      ],
      'approval',
    ],
    [
      [
        ['approval', 'approved'],
        ['implementation', 'registered'],
      ],
      'approval',
    ],
    [
      [
        ['approval', 'rejected'],
        ['implementation', 'in_progress'],
      ],
      'progress_halted',
    ],
    [
      [
        ['implementation', 'failed'],
        ['implementation', 'completed'],
      ],
      'progress_halted',
    ],
    [
      [
        ['approval', 'approved'],
        ['implementation', 'completed'],
        ['implementation', 'canceled'],
      ],
      'completed',
    ],
    [[['implementation', 'canceled']], 'completed'],
  ] as const) {
    it(`${tasks.map((task) => task.join(' ')).join(', ')}: ${is}`, () => {
      expect(progress(...tasks)).to.equal(is)
    })
  }

  it('completes, keeps the reason that somebody gave, and opens what has something to do', () => {
    const open = { status: 'approval', completion_reason: null, reason_from_tasks: false }
    const given = { status: 'completed', completion_reason: 'withdrawn', reason_from_tasks: false }
    const found = { status: 'completed', completion_reason: 'complete', reason_from_tasks: true }
    const halted = { status: 'progress_halted', completion_reason: null, reason_from_tasks: false }
    expect(completionOf(open, 'completed', ['approved'])).to.deep.equal(found)
    expect(completionOf(given, 'completed', ['completed'])).to.deep.equal(given)
    expect(completionOf(given, 'progress_halted', ['failed', 'canceled'])).to.deep.equal(given)
    expect(completionOf(given, 'approval', ['assigned'])).to.deep.equal(open)
    expect(completionOf(open, 'progress_halted', ['failed'])).to.deep.equal(halted)
    expect(completionOf(found, 'progress_halted', ['failed', 'canceled'])).to.deep.equal(halted)
    expect(completionOf(found, 'completed', ['canceled'])).to.deep.equal({ ...found, completion_reason: 'withdrawn' })
  })

  it('has the highest impact of its tasks', () => {
    const order = ['none', 'low', 'medium', 'high', 'top'] as const
    expect(highest(['low', null, 'high', 'medium'], order)).to.equal('high')
    expect(highest([], order)).to.equal('none')
  })
})
