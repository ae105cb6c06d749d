import { onlyWhile } from '../rules/general/by-status.js'
import { countUses } from '../rules/general/count-uses.js'
import { fillWithCaller } from '../rules/general/fill.js'
import { fillFrom } from '../rules/general/fill-from.js'
import { mustHaveRole } from '../rules/general/must-have-role.js'
import { stamp } from '../rules/general/stamp.js'
import { textsOfTemplate } from '../rules/templates/people-of-task.js'
import { tasksOfTemplate } from '../rules/templates/tasks-of-change.js'
import { cancelsOpen } from '../rules/workflow/assignment.js'
import { changeWorkflow } from '../rules/workflow/change-workflow.js'
import { completedByReason } from '../rules/workflow/completion.js'
import { outcomeOf } from '../rules/workflow/outcome.js'
import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { boolean, datetime, json, oneOf, parts, ref, string, text } from '../schema/kinds/fields.js'
import { me, not } from '../schema/language/conditions.js'
import { defineRecord } from '../schema/language/define-record.js'
import {
  CHANGE_COMPLETION_REASONS,
  CHANGE_IMPACTS,
  CHANGE_STATUSES,
  JUSTIFICATIONS,
  PEOPLE_OF_TASKS,
  STAFF,
  STARTS,
} from './shared-values.js'

/** People complete a change by giving the reason; the system sets every other status (spec, Change; behaviour: Changes). */
export const change = defineRecord('change', {
  path: 'changes',
  title: 'subject',
  fields: {
    ...identity,
    ...provenance,
    category: oneOf(['standard', 'non_standard', 'emergency'], { required: true }),
    change_type: oneOf(['application_change', 'infrastructure_change'], { required: true }),
    completed_at: datetime({ readOnly: true, history: true }),
    completion_reason: oneOf(CHANGE_COMPLETION_REASONS, { history: true }),
    completion_target_at: datetime({ readOnly: true }),
    impact: oneOf(CHANGE_IMPACTS, { readOnly: true, default: 'none', history: true }),
    justification: oneOf(JUSTIFICATIONS, { required: true }),
    manager: ref('person', { required: true }),
    note: text({ writeOnly: true, note: 'public' }),
    project: ref('project'),
    // A reason that somebody has given stays when tasks change.
    reason_from_tasks: boolean({ readOnly: true, hidden: true, default: false }),
    // Changes that are started from a request or a recurrence belong to no release yet.
    release: ref('release', { required: true, systemMayOmit: true }),
    service: ref('service', { required: true }),
    start_at: datetime(),
    // When the first tasks begin, as long as they wait for nothing else.
    starts_at: datetime({ readOnly: true, hidden: true }),
    status: oneOf(CHANGE_STATUSES, { default: 'registered', history: true }),
    subject: string(255, { required: true }),
    template: ref('change_template', { required: true }),
    custom_data: json(),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: `id sourceID subject manager category impact status completion_target_at completed_at service created_at
      updated_at`,
    sort: '-id',
    countable: 'category impact status manager service completed_at completion_target_at created_at updated_at',
    filterable: { also: 'source template start_at project release' },
  },
  lists: {
    open: { status: not('completed') },
    completed: { status: 'completed' },
    managed_by_me: { manager: me },
  },
  children: {
    tasks: { record: 'task', by: 'change' },
    requests: { record: 'request', by: 'change', link: true },
    problems: { record: 'problem', by: 'change', link: true },
  },
  parts: ['note'],
  access: {
    see: { roles: STAFF, otherwise: { manager: me } },
    create: ['change_manager', 'account_administrator'],
    update: ['change_manager', 'account_administrator', { person: 'manager' }],
  },
  timers: [STARTS],
  settle: [changeWorkflow, outcomeOf('change')],
  import: {
    type: 'changes',
    order: 41,
    columns: [
      'Template',
      'Subject',
      'Manager',
      'Category',
      'Impact',
      'Service',
      'Project',
      'Change Type',
      'Justification',
      'Start At',
      'Completion Target At',
      'Status',
      'Completion Reason',
      'Completed At',
      'Created At',
      'Updated At',
      { header: 'Notes', field: 'note' },
      'Requests',
      'Problems',
      'Custom Data',
      'Release',
    ],
    ignored: ['Phases'],
  },
  rules: [
    fillFrom('template', ['category', 'change_type', 'justification', 'service']),
    countUses('template', { in: 'times_applied' }),
    mustHaveRole('manager', 'change_manager'),
    // After the check: callers who create a change may omit the manager (behaviour: Required fields).
    fillWithCaller('manager'),
    completedByReason('status', {
      reason: 'completion_reason',
      completed: 'completed',
      open: 'registered',
      computed: 'reason_from_tasks',
    }),
    onlyWhile('completion_reason', { field: 'status', values: ['completed'] }),
    stamp('completed_at', { field: 'status', values: ['completed'] }),
    textsOfTemplate('note', { template: 'template', record: 'note' }),
    tasksOfTemplate('task', {
      template: 'template',
      from: { record: 'task_template', link: 'task_templates' },
      order: { record: 'task_sequence', before: 'predecessor', after: 'successor' },
      before: 'predecessors',
      reason: 'completion_reason',
      chosen: PEOPLE_OF_TASKS,
    }),
    cancelsOpen('task', { by: 'change', reason: 'completion_reason' }),
  ],
  events: ['create', 'update', 'note-added', 'status-changed', 'manager-changed'],
})
