import { expect } from 'chai'
import { PEOPLE_OF_PROJECT_TASKS, PEOPLE_OF_TASKS } from '../../../plugin/records/shared-values.js'
import { approversOf, askingFor, namedPeople, peopleInRoles, rolesOf } from '../../../plugin/rules/people/template-people.js'
import { approvedByPeopleOf, assignedToPeopleOf, goesToPeopleOf } from '../../../plugin/rules/templates/people-of-task.js'
import type { DraftRow, Row } from '../../../plugin/schema/language/define-rule.js'
import { run, type Surroundings } from '../context.js'

const [MIA, RITA, ADA, BEN, SUE, ANN, BOB, GONE] = [1, 2, 3, 4, 5, 6, 7, 8] as const
const FLAGS = ['change_manager', 'requester', 'requester_manager', 'requester_business_unit_manager', 'service_owner'] as const
const refs = { template: 'task_template', change: 'change', member: 'person' }

type Stored = NonNullable<Surroundings['stored']>

/** A change of Mia, for Rita, about a service of Sue. The manager of Rita is Ada, that of her business unit is Ben. */
const around = (more: Stored = {}): Stored => ({
  change: [{ id: 50, manager_id: MIA, service_id: 60 }],
  service: [{ id: 60, service_owner_id: SUE }],
  request: [
    { id: 70, change_id: 50, requested_for_id: RITA, requested_by_id: BOB },
    { id: 71, change_id: 50, requested_for_id: BOB, requested_by_id: BOB },
  ],
  organization: [
    { id: 80, business_unit_organization_id: 81 },
    { id: 81, manager_id: BEN },
  ],
  person: [
    { id: MIA },
    { id: RITA, manager_id: ADA, organization_id: 80 },
    ...[ADA, BEN, SUE, ANN, BOB].map((id) => ({ id })),
    { id: GONE, disabled: true },
  ],
  ...more,
})
const flags = (...names: string[]) => Object.fromEntries(names.map((name) => [`assign_to_${name}`, true]))
const approvals = (...people: number[]) =>
  people.map((approver_id, index) => ({ id: index + 1, owner_type: 'task_template', owner_id: 10, approver_id }))

/** What a rule does to a task of the template; the template is 10, the change 50. */
const saved = (rule: ReturnType<typeof goesToPeopleOf>, template: Row, about: Surroundings = {}, step?: 'written') => {
  const stored = around({ task_template: [{ id: 10, ...template }], ...about.stored })
  const next: DraftRow = { template_id: 10, change_id: 50, ...about.next }
  return run(rule, { type: 'task', refs, ...about, stored, next }, step)
}

describe('people whom a template names', () => {
  it('have their roles in this order', () => {
    expect(rolesOf(PEOPLE_OF_TASKS)).to.deep.equal(FLAGS)
    expect(rolesOf(PEOPLE_OF_PROJECT_TASKS)[0]).to.equal('project_manager')
  })

  const memberOf = async (template: Row, about: Surroundings = {}) =>
    (await saved(goesToPeopleOf('member', PEOPLE_OF_TASKS), template, about)).next['member_id'] ?? null
  const cases: readonly (readonly [name: string, template: Row, about: Surroundings, member: number | null])[] = [
    ['the manager of the change', flags('change_manager'), {}, MIA],
    ['the requester', flags('requester'), {}, RITA],
    ['the manager of the requester', flags('requester_manager'), {}, ADA],
    ['the manager of the business unit', flags('requester_business_unit_manager'), {}, BEN],
    ['the owner of the service', flags('service_owner'), {}, SUE],
    ['the first of several', flags('service_owner', 'requester'), {}, RITA],
    ['nobody', {}, {}, null],
    ['nobody without a request', flags('requester'), { stored: { request: [] } }, null],
    [
      'the person who asked, if the request is for no one else',
      flags('requester'),
      { stored: { request: [{ id: 70, change_id: 50, requested_for_id: null, requested_by_id: BOB }] } },
      BOB,
    ],
    [
      'the next one, if the first is disabled',
      flags('change_manager', 'service_owner'),
      { stored: { change: [{ id: 50, manager_id: GONE, service_id: 60 }] } },
      SUE,
    ],
    ['nobody without an organization', flags('requester_business_unit_manager'), { stored: { organization: [] } }, null],
    ['the member of the template', { ...flags('requester') }, { next: { member_id: ANN } }, ANN],
    ['nobody, if the caller says so', flags('requester'), { next: { member: null } }, null],
    ['nobody later', flags('requester'), { before: { id: 90 } }, null],
    ['the only approver', { category: 'approval', ...flags('requester') }, { next: { category: 'approval' } }, RITA],
    [
      'nobody among several approvers',
      flags('requester', 'service_owner'),
      { next: { category: 'approval', member_id: ANN } },
      null,
    ],
  ]
  for (const [name, template, about, member] of cases) {
    it(`get a task: ${name}`, async () => expect(await memberOf(template, about)).to.equal(member))
  }

  const approversFor = async (template: Row, about: Surroundings = {}) => {
    const rule = approvedByPeopleOf('task_approval', PEOPLE_OF_TASKS)
    const next = { id: 90, category: 'approval', ...about.next }
    const { saves } = await saved(rule, template, { ...about, next }, 'written')
    return saves.map(([type, id, body, owner]) => {
      expect([type, id, owner]).to.deep.equal(['task_approval', null, { type: 'task', id: 90 }])
      return (body as { approver_id: number }).approver_id
    })
  }
  const approvers: readonly (readonly [name: string, template: Row, about: Surroundings, people: number[]])[] = [
    ['each approver of the template', {}, { stored: { task_template_approval: approvals(ANN, BOB) } }, [ANN, BOB]],
    ['a single one as well', {}, { stored: { task_template_approval: approvals(ANN) } }, [ANN]],
    ['those in roles, after them', flags('requester'), { stored: { task_template_approval: approvals(ANN) } }, [ANN, RITA]],
    [
      'each person once, with the member of the template',
      { member_id: SUE, ...flags('service_owner') },
      { stored: { task_template_approval: approvals(ANN, SUE) } },
      [ANN, SUE],
    ],
    ['disabled people never', {}, { stored: { task_template_approval: approvals(GONE, BOB) } }, [BOB]],
    ['a single person in a role not: that is the member', flags('requester'), {}, []],
    ['two in roles', flags('requester', 'change_manager'), {}, [MIA, RITA]],
    [
      'nobody if the caller names the member',
      {},
      { next: { member: ANN }, stored: { task_template_approval: approvals(ANN, BOB) } },
      [],
    ],
    ['nobody of other tasks', flags('requester', 'change_manager'), { next: { category: 'implementation' } }, []],
  ]
  for (const [name, template, about, people] of approvers) {
    it(`approve a task: ${name}`, async () => expect(await approversFor(template, about)).to.deep.equal(people))
  }

  it('are assigned to project tasks with their efforts, each once', async () => {
    const stored = {
      ...around(),
      project: [{ id: 50, manager_id: MIA, service_id: 60 }],
      request: [{ id: 70, project_id: 50, requested_for_id: RITA }],
      project_task_template: [
        { id: 10, ...flags('project_manager', 'requester', 'service_owner'), planned_effort_project_manager: 4 },
      ],
      project_task_template_assignment: [
        { id: 1, owner_type: 'project_task_template', owner_id: 10, assignee_id: SUE, planned_effort: 2 },
      ],
    }
    const about = {
      ...{ type: 'project_task', stored, refs: { template: 'project_task_template', project: 'project' } },
      next: { id: 90, template_id: 10, project_id: 50 },
    }
    const { saves } = await run(assignedToPeopleOf('assignment', PEOPLE_OF_PROJECT_TASKS), about, 'written')
    expect(saves.map(([, , body]) => body)).to.deep.equal([
      { assignee_id: SUE, planned_effort: 2 },
      { assignee_id: MIA, planned_effort: 4 },
      { assignee_id: RITA, planned_effort: null },
    ])
  })

  it('are none without a template', async () => {
    const lookups = { findBy: async () => [], load: async () => null }
    const asking = askingFor(lookups, { template: 'task_template', change: 'change' }, { template_id: null, change_id: 50 })
    const all = await Promise.all([approversOf, namedPeople, peopleInRoles].map((find) => find(asking, PEOPLE_OF_TASKS)))
    expect(all).to.deep.equal([[], [], []])
  })
})
