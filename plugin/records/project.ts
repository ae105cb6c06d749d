import { onlyWhile } from '../rules/general/by-status.js'
import { mustHaveRole } from '../rules/general/must-have-role.js'
import { stamp } from '../rules/general/stamp.js'
import { clearedOnRemoval, fillWithPosition, removableWhile, removableWithout } from '../rules/projects/phases.js'
import { costsOfProject, defaultsOfProject } from '../rules/projects/projects.js'
import { cancelsOpen } from '../rules/workflow/assignment.js'
import { completedByReason } from '../rules/workflow/completion.js'
import { outcomeOf } from '../rules/workflow/outcome.js'
import { projectWorkflow } from '../rules/workflow/project-workflow.js'
import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { boolean, datetime, decimal, integer, json, oneOf, parts, ref, string, text } from '../schema/kinds/fields.js'
import { me, not } from '../schema/language/conditions.js'
import { defineRecord } from '../schema/language/define-record.js'
import { renewal } from '../schema/language/define-timer.js'
import type { Grant } from '../schema/language/who.js'
import { JUSTIFICATIONS, STAFF, timeZone } from './shared-values.js'
import { renewalMark } from './working-hours.js'

const PLANNERS: readonly Grant[] = ['project_manager', 'account_administrator']

/** People complete a project by giving the reason; the system sets every other status (spec, Project; behaviour: Projects). */
export const project = defineRecord('project', {
  path: 'projects',
  title: 'subject',
  fields: {
    ...identity,
    ...provenance,
    category: ref('project_category', { shownAs: 'reference' }),
    completed_at: datetime({ readOnly: true, history: true }),
    completion_reason: oneOf(['withdrawn', 'rejected', 'abandoned', 'partial', 'complete'], { history: true }),
    completion_target_at: datetime({ readOnly: true }),
    cost_of_effort: decimal(),
    cost_of_purchases: decimal(),
    customer: ref('organization', { required: true }),
    effort: integer({ unit: 'hours', minimum: 0 }),
    justification: oneOf(JUSTIFICATIONS, { required: true }),
    manager: ref('person', { required: true }),
    note: text({ writeOnly: true, note: 'public' }),
    program: string(80, { required: true }),
    // A reason that somebody has given stays when tasks change.
    reason_from_tasks: boolean({ readOnly: true, hidden: true, default: false }),
    risk_level: ref('project_risk_level', { shownAs: 'reference' }),
    roi: integer({ readOnly: true, unit: 'percent' }),
    service: ref('service', { required: true }),
    status: oneOf(['registered', 'in_progress', 'progress_halted', 'completed'], { default: 'registered', history: true }),
    subject: string(255, { required: true }),
    time_zone: timeZone({ required: true }),
    total_cost: decimal({ readOnly: true }),
    ui_extension: ref('ui_extension', { readOnly: true }),
    value: decimal(),
    work_hours: ref('calendar', { required: true }),
    custom_data: json(),
    ...renewalMark,
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID subject manager category status completion_target_at completed_at service created_at updated_at',
    sort: '-id',
    countable: 'status service completion_target_at completed_at created_at updated_at',
    sortable: { except: 'manager' },
    filterable: { also: 'source', except: 'manager' },
  },
  lists: {
    open: { status: not('completed') },
    completed: { status: 'completed' },
    managed_by_me: { manager: me },
  },
  children: {
    tasks: { record: 'project_task', by: 'project' },
    project_tasks: { record: 'project_task', by: 'project' },
    requests: { record: 'request', by: 'project', link: true },
    problems: { record: 'problem', by: 'project', link: true },
    changes: { record: 'change', by: 'project', link: true },
  },
  parts: ['note', 'project_phase'],
  access: {
    see: { roles: STAFF, otherwise: { manager: me } },
    create: PLANNERS,
    update: [...PLANNERS, { person: 'manager' }],
  },
  timers: [renewal('renew_at', { while: { status: not('completed') } })],
  settle: [projectWorkflow, outcomeOf('project')],
  import: {
    type: 'projects',
    order: 37,
    columns: [
      'Subject',
      'Manager',
      'Program',
      'Service',
      'Customer',
      'Category',
      'Justification',
      'Work Hours',
      'Time Zone',
      { header: 'Initial Risk Level', field: 'risk_level' },
      { header: 'Initial Effort', field: 'effort' },
      { header: 'Initial Value', field: 'value' },
      { header: 'Initial Cost of Effort', field: 'cost_of_effort' },
      { header: 'Initial Cost of Purchases', field: 'cost_of_purchases' },
      'Status',
      'Completion Target At',
      'Completed At',
      'Completion Reason',
      'Created At',
      'Updated At',
      'Phases',
      { header: 'Notes', field: 'note' },
      'Requests',
      'Problems',
      'Changes',
      'UI Extension',
      'Custom Data',
    ],
  },
  rules: [
    mustHaveRole('manager', 'project_manager'),
    defaultsOfProject(),
    costsOfProject(),
    completedByReason('status', {
      reason: 'completion_reason',
      completed: 'completed',
      open: 'registered',
      computed: 'reason_from_tasks',
    }),
    onlyWhile('completion_reason', { field: 'status', values: ['completed'] }),
    stamp('completed_at', { field: 'status', values: ['completed'] }),
    cancelsOpen('project_task', { by: 'project', reason: 'completion_reason' }),
  ],
  events: ['create', 'update', 'note-added', 'status-changed', 'manager-changed'],
})

/** A phase of a project. Status and times follow from the tasks of the project (behaviour: Phases). */
export const projectPhase = defineRecord('project_phase', {
  path: 'phases',
  table: 'project_phases',
  reference: ['position', 'status', 'started_at', 'completed_at', 'created_at', 'updated_at'],
  partOf: ['project'],
  fields: {
    ...identity,
    name: string(50, { required: true }),
    position: integer({ minimum: 0 }),
    status: oneOf(['registered', 'in_progress', 'completed'], { readOnly: true, default: 'registered' }),
    started_at: datetime({ readOnly: true }),
    completed_at: datetime({ readOnly: true }),
    ...times,
  },
  collection: {
    sort: 'position',
    filterable: { except: 'started_at completed_at' },
  },
  access: { create: PLANNERS, update: PLANNERS, remove: PLANNERS },
  rules: [
    fillWithPosition('position'),
    removableWhile('status', { value: 'registered', code: 'started' }),
    removableWithout('project_task', { by: 'project', code: 'has_tasks' }),
    clearedOnRemoval('project_task', { field: 'phase' }),
  ],
  unique: [['name']],
  audit: false,
})
