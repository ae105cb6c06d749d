import { onlyWhile } from '../rules/general/by-status.js'
import { countUses } from '../rules/general/count-uses.js'
import { fillFrom } from '../rules/general/fill-from.js'
import { resetWith } from '../rules/general/reset-with.js'
import { stamp, whileStatus } from '../rules/general/stamp.js'
import { valuesOnlyWith } from '../rules/general/values-only-with.js'
import { fillWithTeamOf } from '../rules/people/assignees.js'
import { approvedByPeopleOf, goesToPeopleOf, linkedByTemplate, textsOfTemplate } from '../rules/templates/people-of-task.js'
import { timeSpent } from '../rules/time/time-spent.js'
import {
  asksAgain,
  decidedByApprovers,
  endsAsTask,
  fixedWithTask,
  goesToManager,
  needsTeam,
} from '../rules/workflow/assignment.js'
import { STAGES } from '../rules/workflow/progress.js'
import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { boolean, datetime, integer, json, oneOf, parts, ref, refs, string, text } from '../schema/kinds/fields.js'
import { anyOf, me, myTeams, not } from '../schema/language/conditions.js'
import { defineRecord } from '../schema/language/define-record.js'
import { renewal } from '../schema/language/define-timer.js'
import type { Grant } from '../schema/language/who.js'
import {
  CHANGE_IMPACTS,
  FINISHED_STATUSES,
  PEOPLE_OF_TASKS,
  PLANNED_HOURS,
  STAFF,
  STARTS,
  timeSpentInput,
  WAITS,
} from './shared-values.js'
import { renewalMark } from './working-hours.js'

const STATUSES = [
  'registered',
  'declined',
  'assigned',
  'accepted',
  'in_progress',
  'waiting_for',
  'failed',
  'rejected',
  'completed',
  'approved',
  'canceled',
] as const
const PLANNERS: readonly Grant[] = ['change_manager', 'specialist', 'account_administrator']

/** A task stays with its change (spec, Task; behaviour: Tasks): its predecessors and successors belong to the same one. */
export const task = defineRecord('task', {
  path: 'tasks',
  title: 'subject',
  operations: ['list', 'single', 'update'],
  fields: {
    ...identity,
    ...provenance,
    anticipated_assignment_at: datetime({ readOnly: true }),
    assigned_at: datetime(),
    category: oneOf(STAGES, { required: true }),
    change: ref('change', { required: true, only: 'create' }),
    completion_target_at: datetime({ readOnly: true }),
    finished_at: datetime({ history: true }),
    impact: oneOf(CHANGE_IMPACTS),
    instructions: text(),
    manager: ref('person', { derived: { from: 'change.manager', as: 'value' } }),
    member: ref('person'),
    new_assignment: boolean({ readOnly: true, default: false }),
    note: text({ writeOnly: true, note: 'public' }),
    time_spent: timeSpentInput,
    planned_duration: integer({ required: true, ...PLANNED_HOURS }),
    planned_effort: integer(PLANNED_HOURS),
    predecessors: refs('task', { onRequest: true }),
    required_approvals: integer({ default: 1, minimum: 1 }),
    start_at: datetime(),
    // That time, as long as the task waits for nothing else.
    starts_at: datetime({ readOnly: true, hidden: true }),
    status: oneOf(STATUSES, { default: 'registered', history: true }),
    subject: string(255, { required: true }),
    supplier: ref('organization'),
    supplier_requestID: string(255),
    team: ref('team'),
    template: ref('task_template', { required: true }),
    urgent: boolean({ default: false }),
    waiting_until: datetime(),
    ...renewalMark,
    custom_data: json(),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID subject impact category status team member completion_target_at finished_at created_at updated_at',
    sort: '-id',
    countable: 'category impact status team member completion_target_at finished_at created_at updated_at',
    filterable: { also: 'source change template' },
  },
  lists: {
    open: { status: not(...FINISHED_STATUSES) },
    finished: { status: FINISHED_STATUSES },
    managed_by_me: { 'change.manager': me },
    assigned_to_my_team: { team: myTeams },
    assigned_to_me: { member: me },
    approval_by_me: {
      allOf: [{ category: 'approval', status: not('registered') }, anyOf({ member: me }, { 'approvals.approver': me })],
    },
  },
  links: {
    cis: { record: 'ci', table: 'task_cis', from: 'task_id', to: 'ci_id' },
    service_instances: {
      record: 'service_instance',
      table: 'task_service_instances',
      from: 'task_id',
      to: 'service_instance_id',
    },
    predecessors: {
      record: 'task',
      table: 'task_predecessors',
      from: 'task_id',
      to: 'predecessor_id',
      within: { field: 'change', code: 'other_change' },
      acyclic: true,
    },
    successors: {
      record: 'task',
      table: 'task_predecessors',
      from: 'predecessor_id',
      to: 'task_id',
      within: { field: 'change', code: 'other_change' },
      acyclic: true,
    },
  },
  parts: ['note', 'task_approval'],
  access: {
    see: {
      roles: STAFF,
      otherwise: anyOf({ 'change.manager': me }, { member: me }, { team: myTeams }, { 'approvals.approver': me }),
    },
    create: PLANNERS,
    update: [...PLANNERS, { person: 'manager' }, { person: 'member' }, { memberOf: 'team' }],
  },
  partImports: [
    {
      type: 'task_approvals',
      order: 43,
      owner: { header: 'Task', field: 'id' },
      parts: {
        approvals: {
          columns: [
            { header: 'Approver', field: 'approver' },
            { header: 'Status', field: 'status' },
            { header: 'Planned Effort', field: 'planned_effort' },
          ],
          key: ['approver'],
        },
      },
    },
  ],
  timers: [
    WAITS,
    STARTS,
    renewal('renew_at', { while: { status: not(...FINISHED_STATUSES) }, inAccountZone: { team: not(null) } }),
  ],
  import: {
    type: 'tasks',
    order: 42,
    columns: [
      'Change',
      'Template',
      'Subject',
      'Category',
      'Impact',
      'Team',
      'Member',
      'Required Approvals',
      'Supplier',
      { header: 'Supplier Request ID', field: 'supplier_requestID' },
      'Anticipated Assignment At',
      'Assigned At',
      'Planned Duration',
      'Planned Effort',
      'Start At',
      'Completion Target At',
      'Status',
      'Finished At',
      'Created At',
      'Updated At',
      'Instructions',
      { header: 'Notes', field: 'note' },
      'Predecessors',
      'Urgent',
      'Custom Data',
      'Waiting Until',
      'Service Instances',
      { header: 'Configuration Items', field: 'cis' },
    ],
  },
  rules: [
    fillFrom('template', [
      'category',
      'impact',
      'instructions',
      'member',
      'planned_duration',
      'required_approvals',
      'subject',
      'supplier',
      'team',
      'urgent',
    ]),
    goesToPeopleOf('member', PEOPLE_OF_TASKS),
    fillWithTeamOf('team', { person: 'member' }),
    goesToManager('member', { field: 'status', values: ['declined'], of: 'change', team: 'team' }),
    needsTeam('team', { approval: 'task_approval', chosen: PEOPLE_OF_TASKS }),
    decidedByApprovers({ approval: 'task_approval', approver: 'approver', member: 'member' }),
    asksAgain('task_approval'),
    countUses('template', { in: 'times_applied' }),
    onlyWhile('waiting_until', { field: 'status', values: ['waiting_for'] }),
    valuesOnlyWith('status', {
      values: ['approved', 'rejected'],
      field: 'category',
      among: ['approval'],
      code: 'not_for_category',
    }),
    valuesOnlyWith('status', {
      values: ['completed', 'failed'],
      field: 'category',
      among: ['risk_and_impact', 'implementation'],
      code: 'not_for_category',
    }),
    stamp('assigned_at', {
      field: 'status',
      values: ['declined', 'assigned', 'accepted', 'in_progress', 'waiting_for'],
      until: ['registered'],
    }),
    stamp('finished_at', { field: 'status', values: FINISHED_STATUSES }),
    whileStatus('new_assignment', { field: 'status', values: ['declined', 'assigned'] }),
    timeSpent('time_spent'),
    approvedByPeopleOf('task_approval', PEOPLE_OF_TASKS),
    textsOfTemplate('note', {
      template: 'template',
      record: 'note',
      copy: 'copy_notes_to_change',
      to: 'change',
      texts: ['instructions'],
    }),
    linkedByTemplate({ cis: 'ci_ids', service_instances: 'service_instance_ids' }, { template: 'template' }),
  ],
  events: ['create', 'update', 'note-added', 'status-changed', 'team-changed', 'member-changed'],
})

/** Decision of one approver of a task (behaviour: Tasks). Only the approver and administrators set it. */
export const taskApproval = defineRecord('task_approval', {
  path: 'approvals',
  table: 'task_approvals',
  title: null,
  partOf: ['task'],
  fields: {
    ...identity,
    approver: ref('person', { required: true }),
    status: oneOf(STATUSES, { default: 'registered', write: ['account_administrator', { person: 'approver' }] }),
    planned_effort: integer(PLANNED_HOURS),
    ...times,
  },
  collection: {
    sort: 'id',
    sortable: { except: 'planned_effort' },
    filterable: { except: 'planned_effort' },
  },
  access: {
    create: PLANNERS,
    update: [...PLANNERS, { who: { person: 'approver' }, fields: ['status'] }],
    remove: PLANNERS,
  },
  rules: [fixedWithTask('status'), endsAsTask('status'), resetWith('status', { of: 'approver', to: 'registered' })],
  unique: [['approver']],
  audit: false,
})
