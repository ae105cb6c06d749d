import { onlyWhile } from '../rules/general/by-status.js'
import { countUses } from '../rules/general/count-uses.js'
import { fillFrom } from '../rules/general/fill-from.js'
import { resetWith } from '../rules/general/reset-with.js'
import { stamp } from '../rules/general/stamp.js'
import { valuesOnlyWith } from '../rules/general/values-only-with.js'
import { mustBePartOf } from '../rules/projects/phases.js'
import { assignedToPeopleOf, textsOfTemplate } from '../rules/templates/people-of-task.js'
import { timeSpent } from '../rules/time/time-spent.js'
import { asksAgain, decidedBy, decidedByApprovers, endsAsTask, fixedWithTask } from '../rules/workflow/assignment.js'
import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { boolean, datetime, integer, json, oneOf, parts, ref, refs, string, text } from '../schema/kinds/fields.js'
import { anyOf, me, not } from '../schema/language/conditions.js'
import { defineRecord } from '../schema/language/define-record.js'
import type { Grant } from '../schema/language/who.js'
import {
  FINISHED_STATUSES,
  PEOPLE_OF_PROJECT_TASKS,
  PLANNED_HOURS,
  STAFF,
  STARTS,
  timeSpentInput,
  WAITS,
} from './shared-values.js'

const STATUSES = [
  'registered',
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
const WORKED_ON = ['assigned', 'accepted', 'in_progress', 'waiting_for'] as const
const PLANNERS: readonly Grant[] = ['project_manager', 'specialist', 'account_administrator']

/**
 * People are assigned through assignments, without a member (spec, Project task; behaviour: Project tasks). The system sets the
 * times of assignment and end, and a task stays with its project.
 */
export const projectTask = defineRecord('project_task', {
  path: 'project_tasks',
  title: 'subject',
  operations: ['list', 'single', 'update'],
  fields: {
    ...identity,
    ...provenance,
    anticipated_assignment_at: datetime({ readOnly: true }),
    assigned_at: datetime({ readOnly: true, history: true }),
    attachments: parts('attachment', { readOnly: true }),
    category: oneOf(['activity', 'approval', 'milestone'], { required: true }),
    completion_target_at: datetime({ readOnly: true }),
    deadline: datetime(),
    finished_at: datetime({ readOnly: true, history: true }),
    instructions: text(),
    manager: ref('person', { derived: { from: 'project.manager', as: 'value' } }),
    note: text({ writeOnly: true, note: 'public' }),
    time_spent: timeSpentInput,
    phase: ref('project_phase'),
    planned_duration: integer({ required: true, ...PLANNED_HOURS }),
    predecessors: refs('project_task', { onRequest: true }),
    project: ref('project', { required: true, only: 'create' }),
    required_approvals: integer({ default: 1, minimum: 1 }),
    start_at: datetime(),
    // That time, as long as the task waits for nothing else.
    starts_at: datetime({ readOnly: true, hidden: true }),
    status: oneOf(STATUSES, { default: 'registered', history: true }),
    subject: string(255, { required: true }),
    supplier: ref('organization'),
    supplier_requestID: string(255),
    template: ref('project_task_template', { required: true }),
    urgent: boolean({ default: false }),
    waiting_until: datetime(),
    custom_data: json(),
    ...times,
  },
  collection: {
    fields: 'id sourceID subject category status completion_target_at finished_at created_at updated_at',
    sort: '-id',
    countable: 'category status completion_target_at finished_at created_at updated_at',
    filterable: { also: 'source' },
  },
  lists: {
    open: { status: not(...FINISHED_STATUSES) },
    finished: { status: FINISHED_STATUSES },
    managed_by_me: { 'project.manager': me },
    assigned_to_me: { 'assignments.assignee': me },
    open_to_me: { 'assignments.assignee': me, status: WORKED_ON },
  },
  links: {
    predecessors: {
      record: 'project_task',
      table: 'project_task_predecessors',
      from: 'task_id',
      to: 'predecessor_id',
      within: { field: 'project', code: 'other_project' },
      acyclic: true,
    },
    successors: {
      record: 'project_task',
      table: 'project_task_predecessors',
      from: 'predecessor_id',
      to: 'task_id',
      within: { field: 'project', code: 'other_project' },
      acyclic: true,
    },
  },
  parts: ['note', 'project_task_assignment'],
  access: {
    see: { roles: STAFF, otherwise: anyOf({ 'project.manager': me }, { 'assignments.assignee': me }) },
    create: PLANNERS,
    update: [...PLANNERS, { person: 'manager' }],
  },
  partImports: [
    {
      type: 'project_task_assignments',
      order: 39,
      owner: { header: 'Project Task', field: 'id' },
      parts: {
        assignments: {
          columns: [
            { header: 'Assignee', field: 'assignee' },
            { header: 'Status', field: 'status' },
            { header: 'Planned Effort', field: 'planned_effort' },
          ],
          key: ['assignee'],
        },
      },
    },
  ],
  timers: [WAITS, STARTS],
  import: {
    type: 'project_tasks',
    order: 38,
    columns: [
      'Project',
      'Template',
      'Subject',
      'Category',
      { header: 'Phase', field: 'phase', within: 'project' },
      'Supplier',
      { header: 'Supplier Request ID', field: 'supplier_requestID' },
      'Planned Duration',
      'Start At',
      'Deadline',
      'Anticipated Assignment At',
      'Completion Target At',
      'Assigned At',
      'Finished At',
      'Status',
      'Required Approvals',
      'Urgent',
      'Instructions',
      'Created At',
      'Updated At',
      { header: 'Notes', field: 'note' },
      'Predecessors',
    ],
    ignored: ['Team', 'Planned Effort'],
  },
  rules: [
    fillFrom('template', ['category', 'instructions', 'planned_duration', 'required_approvals', 'subject', 'supplier']),
    countUses('template', { in: 'times_applied' }),
    mustBePartOf('phase', { owner: 'project', code: 'other_project' }),
    decidedByApprovers({ approval: 'project_task_assignment', approver: 'assignee' }),
    asksAgain('project_task_assignment'),
    onlyWhile('deadline', { field: 'category', values: ['milestone'], code: 'only_with_category' }),
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
      among: ['activity', 'milestone'],
      code: 'not_for_category',
    }),
    stamp('assigned_at', { field: 'status', values: WORKED_ON, until: ['registered'] }),
    stamp('finished_at', { field: 'status', values: FINISHED_STATUSES }),
    timeSpent('time_spent'),
    assignedToPeopleOf('project_task_assignment', PEOPLE_OF_PROJECT_TASKS),
    textsOfTemplate('note', {
      template: 'template',
      record: 'note',
      copy: 'copy_notes_to_project',
      to: 'project',
      texts: ['instructions'],
    }),
  ],
  events: ['create', 'update', 'note-added', 'status-changed'],
})

/** The part of one assignee in a project task (behaviour: Project tasks). */
export const projectTaskAssignment = defineRecord('project_task_assignment', {
  path: 'assignments',
  table: 'project_task_assignments',
  title: null,
  partOf: ['project_task'],
  fields: {
    ...identity,
    assignee: ref('person', { required: true }),
    status: oneOf(STATUSES, { default: 'registered' }),
    planned_effort: integer(PLANNED_HOURS),
    waiting_until: datetime(),
    ...times,
  },
  collection: {
    sort: 'id',
    sortable: { except: 'planned_effort waiting_until' },
    filterable: { except: 'planned_effort waiting_until' },
  },
  access: {
    create: PLANNERS,
    update: [...PLANNERS, { who: { person: 'assignee' }, fields: ['status', 'waiting_until'] }],
    remove: PLANNERS,
  },
  timers: [WAITS],
  rules: [
    fixedWithTask('status'),
    endsAsTask('status'),
    resetWith('status', { of: 'assignee', to: 'registered' }),
    decidedBy('assignee'),
    onlyWhile('waiting_until', { field: 'status', values: ['waiting_for'] }),
  ],
  unique: [['assignee']],
  audit: false,
})
