import { onlyWhile, requiredWhen } from '../rules/general/by-status.js'
import { fillFrom } from '../rules/general/fill-from.js'
import { mustHaveRole } from '../rules/general/must-have-role.js'
import { stamp, whileStatus } from '../rules/general/stamp.js'
import { fillWithCallerWhen, fillWithHolder } from '../rules/people/assignees.js'
import { notBoth, pendingWith } from '../rules/requests/pending.js'
import { timeSpent } from '../rules/time/time-spent.js'
import { goesToManager } from '../rules/workflow/assignment.js'
import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { boolean, datetime, json, oneOf, parts, ref, string, text } from '../schema/kinds/fields.js'
import { anyOf, me, myTeams, not } from '../schema/language/conditions.js'
import { defineRecord } from '../schema/language/define-record.js'
import type { Grant } from '../schema/language/who.js'
import { CHANGE_IMPACTS, STAFF, timeSpentInput, WAITS } from './shared-values.js'

const SOLVERS: readonly Grant[] = ['problem_manager', 'specialist', 'account_administrator']
const PENDING = { status: 'status', otherwise: 'assigned', final: ['solved'] } as const

/** A problem waits while a change or a project works on it (spec, Problem; behaviour: Problems). */
export const problem = defineRecord('problem', {
  path: 'problems',
  title: 'subject',
  fields: {
    ...identity,
    ...provenance,
    analysis_target_at: datetime(),
    category: oneOf(['reactive', 'proactive'], { default: 'reactive' }),
    change: ref('change'),
    impact: oneOf(CHANGE_IMPACTS, { required: true }),
    known_error: boolean({ default: false }),
    manager: ref('person', { required: true }),
    member: ref('person'),
    new_assignment: boolean({ readOnly: true, default: true }),
    note: text({ writeOnly: true, note: 'public' }),
    time_spent: timeSpentInput,
    project: ref('project'),
    service: ref('service', { required: true }),
    solved_at: datetime({ readOnly: true, history: true }),
    status: oneOf(
      [
        'declined',
        'assigned',
        'accepted',
        'in_progress',
        'waiting_for',
        'analyzed',
        'change_requested',
        'change_pending',
        'project_pending',
        'progress_halted',
        'solved',
      ],
      { default: 'assigned', history: true },
    ),
    subject: string(255, { required: true }),
    supplier: ref('organization'),
    supplier_requestID: string(255),
    team: ref('team', { required: true }),
    urgent: boolean({ default: false }),
    waiting_until: datetime(),
    workaround: text(),
    custom_data: json(),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: `id sourceID subject impact status known_error analysis_target_at solved_at team member service created_at
      updated_at`,
    sort: '-id',
    countable: 'impact status service analysis_target_at solved_at created_at updated_at',
    filterable: { also: 'source', except: 'known_error team member' },
  },
  lists: {
    active: { status: not('progress_halted', 'solved') },
    known_errors: { known_error: true, status: not('solved') },
    progress_halted: { status: 'progress_halted' },
    solved: { status: 'solved' },
    managed_by_me: { manager: me },
    assigned_to_my_team: { team: myTeams },
    assigned_to_me: { member: me },
  },
  links: {
    cis: { record: 'ci', table: 'problem_cis', from: 'problem_id', to: 'ci_id' },
    service_instances: {
      record: 'service_instance',
      table: 'problem_service_instances',
      from: 'problem_id',
      to: 'service_instance_id',
    },
  },
  children: { requests: { record: 'request', by: 'problem', link: true } },
  parts: ['note'],
  access: {
    see: { roles: STAFF, otherwise: anyOf({ manager: me }, { member: me }, { team: myTeams }) },
    create: SOLVERS,
    update: SOLVERS,
  },
  timers: [WAITS],
  import: {
    type: 'problems',
    order: 44,
    columns: [
      'Subject',
      'Manager',
      'Category',
      'Impact',
      'Service',
      'Change',
      'Project',
      'Team',
      'Member',
      'Supplier',
      { header: 'Supplier Request ID', field: 'supplier_requestID' },
      'Analysis Target At',
      'Status',
      'Known Error',
      'Workaround',
      'Solved At',
      'Service Instances',
      { header: 'Configuration items', field: 'cis' },
      'Requests',
      'Created At',
      'Updated At',
      { header: 'Notes', field: 'note' },
      'Urgent',
      'Waiting Until',
    ],
    ignored: ['Knowledge Article'],
  },
  rules: [
    mustHaveRole('manager', 'problem_manager'),
    // After the check: the manager that the service defines is accepted.
    fillFrom('service', { manager: 'problem_manager', team: 'support_team' }),
    fillWithHolder('manager', 'problem_manager'),
    notBoth('change', 'project', { code: 'change_or_project' }),
    pendingWith('change', { ...PENDING, pending: 'change_pending' }),
    pendingWith('project', { ...PENDING, pending: 'project_pending' }),
    requiredWhen('change', { field: 'status', values: ['change_pending'] }),
    requiredWhen('project', { field: 'status', values: ['project_pending'] }),
    onlyWhile('waiting_until', { field: 'status', values: ['waiting_for'] }),
    fillWithCallerWhen('member', { field: 'status', values: ['solved'] }),
    requiredWhen('member', { field: 'status', values: ['solved'] }),
    goesToManager('member', { field: 'status', values: ['declined', 'analyzed', 'change_requested'], team: 'team' }),
    stamp('solved_at', { field: 'status', values: ['solved'] }),
    whileStatus('new_assignment', { field: 'status', values: ['declined', 'assigned'] }),
    timeSpent('time_spent'),
  ],
  events: ['create', 'update', 'note-added', 'status-changed', 'manager-changed', 'team-changed', 'member-changed'],
})
