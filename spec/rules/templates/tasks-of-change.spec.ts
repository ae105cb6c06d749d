import { expect } from 'chai'
import { PEOPLE_OF_TASKS } from '../../../plugin/records/shared-values.js'
import { tasksOfTemplate } from '../../../plugin/rules/templates/tasks-of-change.js'
import type { DraftRow, Row } from '../../../plugin/schema/language/define-rule.js'
import { run } from '../context.js'

const [MIA, ANN, BOB, OLD] = [1, 2, 3, 4] as const
const [SERVERS, MANAGERS, USERS, CLOSED] = [20, 21, 22, 23] as const

const rule = tasksOfTemplate('task', {
  template: 'template',
  from: { record: 'task_template', link: 'task_templates' },
  order: { record: 'task_sequence', before: 'predecessor', after: 'successor' },
  before: 'predecessors',
  reason: 'completion_reason',
  chosen: PEOPLE_OF_TASKS,
})

/** What a new change with the manager Mia does with task templates of its template. */
const created = async (
  templates: readonly Row[],
  about: {
    readonly next?: DraftRow
    readonly before?: Row
    readonly approvers?: readonly number[]
    readonly order?: readonly (readonly [number, number])[]
  } = {},
) => {
  const stored = {
    task_template: templates.map((one, index) => ({ id: index + 1, subject: `T${index + 1}`, disabled: false, ...one })),
    task_template_approval: (about.approvers ?? []).map((approver_id) => ({
      ...{ owner_type: 'task_template', owner_id: 1 },
      approver_id,
    })),
    task_sequence: (about.order ?? []).map(([predecessor_id, successor_id]) => ({
      ...{ owner_type: 'change_template', owner_id: 40 },
      predecessor_id,
      successor_id,
    })),
    change: [{ id: 50, manager_id: MIA }],
    person: [{ id: MIA }, { id: ANN }, { id: BOB }, { id: OLD, disabled: true }],
    team: [SERVERS, MANAGERS, USERS, CLOSED].map((id) => ({ id, disabled: id === CLOSED })),
  }
  const links = [
    ...stored.task_template.map(({ id }) => `change_template 40 task_templates ${id}`),
    ...[`team ${MANAGERS} members ${MIA}`, `team ${USERS} members ${ANN}`, `team ${CLOSED} members ${BOB}`],
  ]
  const next = { id: 50, template_id: 40, manager_id: MIA, completion_reason: null, ...about.next }
  const { before = null } = about
  return run(rule, { type: 'change', refs: { template: 'change_template' }, stored, links, next, before }, 'written')
}

describe('tasks of a change template', () => {
  const teams: readonly (readonly [name: string, template: Row, approvers: number[], team: number | 'own'])[] = [
    ['the team of the template', { team_id: SERVERS }, [], 'own'],
    ['the team of the member of the template', { member_id: ANN }, [], 'own'],
    ['a team of the manager, if the template names none', {}, [], MANAGERS],
    ['a team of the manager, if the team is disabled', { team_id: CLOSED }, [], MANAGERS],
    ['a team of the manager, if the member has only a disabled one', { member_id: BOB }, [], MANAGERS],
    ['a team of the manager, if the member is disabled', { member_id: OLD }, [], MANAGERS],
    ['a team of the person in a role', { assign_to_change_manager: true }, [], 'own'],
    ['no team for several approvers', { category: 'approval' }, [ANN, BOB], 'own'],
    ['the team of a single approver', { category: 'approval' }, [ANN], 'own'],
    ['a team of the manager for an approver without a team', { category: 'approval' }, [BOB], MANAGERS],
  ]
  for (const [name, template, approvers, team] of teams) {
    it(`get ${name}`, async () => {
      const { fails, saves } = await created([{ category: 'implementation', ...template }], { approvers })
      const own = { template_id: 1, change_id: 50 }
      expect(saves).to.deep.equal([['task', null, team === 'own' ? own : { ...own, team_id: team }]])
      expect(fails).to.deep.equal([])
    })
  }

  it('refuse the change if the manager has no team either', async () => {
    const { fails } = await created([{ category: 'implementation' }], { next: { manager_id: BOB } })
    expect(fails).to.deep.equal([['template', 'task_without_team', { value: 'T1' }]])
  })

  it('wait for the category before, which may have none', async () => {
    const team = { team_id: SERVERS }
    const { linkedWith, saves } = await created([
      { category: 'implementation', ...team },
      { category: 'risk_and_impact', ...team },
      { category: 'implementation', ...team },
    ])
    expect(saves.map(([, , body]) => body)).to.deep.equal([2, 1, 3].map((template_id) => ({ template_id, change_id: 50 })))
    expect(linkedWith).to.deep.equal([null, { predecessors: [0] }, { predecessors: [0] }])
  })

  /** By task template, the ones for whose tasks a task waits. */
  const waiting = async (templates: readonly Row[], order: readonly (readonly [before: number, after: number])[]) => {
    const { linkedWith, saves } = await created(
      templates.map((one) => ({ category: 'implementation', team_id: SERVERS, ...one })),
      { order },
    )
    const ids = saves.map(([, , body]) => (body as { template_id: number }).template_id)
    return Object.fromEntries(ids.map((id, place) => [id, linkedWith[place]?.['predecessors']?.map((one) => ids[one]) ?? []]))
  }

  it('wait in the order of the template, if it has one, whatever their categories are', async () => {
    const templates = [{ category: 'implementation' }, { category: 'risk_and_impact' }, { category: 'approval' }, {}]
    const order = [
      [1, 2],
      [1, 3],
      [3, 2],
    ] as const
    expect(await waiting(templates, order)).to.deep.equal({ 1: [], 2: [1, 3], 3: [1], 4: [] })
  })

  it('wait for those before a disabled task template in its place, each once', async () => {
    const off = { disabled: true }
    const order = [
      [1, 2],
      [2, 3],
      [3, 4],
      [1, 3],
      [5, 3],
    ] as const
    expect(await waiting([{}, off, off, {}, {}], order)).to.deep.equal({ 1: [], 4: [1, 5], 5: [] })
    expect(await waiting([off, {}], [[1, 2]])).to.deep.equal({ 2: [] })
  })

  it('are none of disabled task templates, for completed changes, and later', async () => {
    const one = { category: 'implementation', team_id: SERVERS }
    expect((await created([{ ...one, disabled: true }])).saves).to.deep.equal([])
    expect((await created([one], { next: { completion_reason: 'complete' } })).saves).to.deep.equal([])
    expect((await created([one], { before: { id: 50 } })).saves).to.deep.equal([])
  })
})
