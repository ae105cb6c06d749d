import { emptyUnless, falseUnless, onlyWhile, requiredWhen, requiredWhenAll } from '../rules/general/by-status.js'
import { countUses } from '../rules/general/count-uses.js'
import { copyOnCreate, countChanges, fallBackTo, fillWithCaller } from '../rules/general/fill.js'
import { noCycle } from '../rules/general/no-cycle.js'
import { stamp, whileStatus } from '../rules/general/stamp.js'
import { answeredBy } from '../rules/requests/answered.js'
import { declinedGoesTo, remembersTeam } from '../rules/requests/declined.js'
import { keepsFirstNote } from '../rules/requests/first-note.js'
import { groupedInto, passedOn } from '../rules/requests/grouping.js'
import { memberOfTeam, workedOn } from '../rules/requests/member.js'
import { notOffered } from '../rules/requests/not-offered.js'
import { pendingWith } from '../rules/requests/pending.js'
import { ratedBy } from '../rules/requests/rated-by.js'
import { requestTeam } from '../rules/requests/request-team.js'
import { reviewedWhen } from '../rules/requests/reviewed.js'
import { serviceInstanceOf, supplierOf } from '../rules/requests/service-instance.js'
import { startsChange } from '../rules/requests/starts-change.js'
import { tells } from '../rules/requests/tells.js'
import { memberOfTemplate, templateApplied } from '../rules/requests/template.js'
import { affectsSlas } from '../rules/service-levels/affected-slas.js'
import { passesImpact } from '../rules/service-levels/passes-impact.js'
import { followAffectedSlas, keepTargets } from '../rules/service-levels/request-targets.js'
import { knownToTasks } from '../rules/templates/requester.js'
import { timeSpent } from '../rules/time/time-spent.js'
import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { boolean, datetime, integer, json, oneOf, parts, ref, string, text } from '../schema/kinds/fields.js'
import { SERVICE_CATEGORIES } from '../schema/language/built-in-types.js'
import {
  accountsWithMyRole,
  anyOf,
  compared,
  me,
  myOrganization,
  myTeams,
  not,
  sixMonthsAgo,
} from '../schema/language/conditions.js'
import { defineRecord } from '../schema/language/define-record.js'
import {
  AGENTS,
  ANSWERED,
  IMPACTS,
  NOTE_READERS,
  PEOPLE_OF_PROJECT_TASKS,
  PEOPLE_OF_TASKS,
  STAFF,
  TARGET_KEYWORDS,
  timeSpentInput,
  WAITS,
} from './shared-values.js'
import { TARGET_TIMERS, targetEvents } from './target-events.js'

/** Statuses in which somebody works on the request, or has done so. */
const WORKED_ON = ['accepted', 'in_progress', 'waiting_for', 'waiting_for_customer', 'completed'] as const

/** Statuses of requests that are not completed. */
const OPEN = [
  'declined',
  'assigned',
  'accepted',
  'in_progress',
  'waiting_for',
  'waiting_for_customer',
  'change_pending',
  'project_pending',
] as const

/** Nobody else says how far a request is, not even of a new one. */
const byAgents = { write: AGENTS } as const

const PENDING = { status: 'status', otherwise: 'assigned', final: ['completed'] } as const

/** What requests take over from their group. */
const PASSED_ON = [
  ...['category', 'impact', 'status', 'completion_reason', 'waiting_until', 'service_instance', 'team', 'member'],
  ...['supplier', 'supplier_requestID', 'problem', 'change', 'project'],
] as const

/** A status says nothing without its reason, nor a member without a team. */
const PASSED_TOGETHER = {
  status: ['completion_reason', 'waiting_until'],
  completion_reason: ['status', 'waiting_until'],
  waiting_until: ['status', 'completion_reason'],
  team: ['member'],
  member: ['team'],
  category: ['impact'],
} as const

/** Fields are in the order of the single record (spec, Request; behaviour: Requests). */
export const request = defineRecord('request', {
  path: 'requests',
  title: 'subject',
  registeredIn: 'support_domain',
  fields: {
    ...identity,
    ...provenance,
    // An event gives the pair to another request once this one is completed.
    sourceID: string(128, { shownElse: 'past_sourceID' }),
    past_sourceID: string(128, { readOnly: true, hidden: true }),
    subject: string(255, { required: true }),
    category: oneOf(['incident', 'rfc', 'rfi', 'complaint', 'compliment', 'other'], { required: true }),
    impact: oneOf(IMPACTS),
    status: oneOf([...OPEN, 'completed'], { default: 'assigned', history: true, ...byAgents }),
    completion_reason: oneOf(
      ['solved', 'workaround', 'gone', 'duplicate', 'withdrawn', 'rejected', 'conflict', 'declined', 'unsolvable'],
      byAgents,
    ),
    completed_at: datetime({ readOnly: true, history: true }),
    // Empty if the system has created the request without naming a person.
    created_by: ref('person', { write: [], only: 'create', allowDisabled: true, history: true }),
    requested_by: ref('person', { required: true }),
    requested_for: ref('person', { required: true }),
    organization: ref('organization', { readOnly: true }),
    service_instance: ref('service_instance'),
    ci: ref('ci', { firstOf: 'cis' }),
    team: ref('team', { required: true }),
    // Where the request goes when it is declined.
    previous_team: ref('team', { readOnly: true, hidden: true, allowDisabled: true }),
    member: ref('person'),
    supplier: ref('organization'),
    supplier_requestID: string(255),
    support_domain: string(63, { writeOnly: true, only: 'create' }),
    template: ref('request_template'),
    problem: ref('problem'),
    change: ref('change'),
    project: ref('project'),
    knowledge_article: ref('knowledge_article', { firstOf: 'knowledge_articles' }),
    grouping: oneOf(['none', 'group', 'grouped'], { readOnly: true, default: 'none' }),
    grouped_into: ref('request'),
    // What was completed with its group is opened with it again.
    completed_with_group: boolean({ readOnly: true, hidden: true, default: false }),
    satisfaction: oneOf(['dissatisfied', 'satisfied'], { readOnly: true }),
    reviewed: boolean({ default: false }),
    addressed: boolean({ default: false, write: ['service_desk_manager'] }),
    urgent: boolean({ default: false }),
    new_assignment: boolean({ readOnly: true, default: true }),
    assignment_count_: integer({ readOnly: true, default: 0 }),
    assignment_count: integer({ derived: { from: 'assignment_count_', as: 'value' } }),
    next_target_at: datetime({ readOnly: true, keywords: TARGET_KEYWORDS }),
    response_target_at: datetime({ readOnly: true, keywords: TARGET_KEYWORDS }),
    resolution_target_at: datetime({ readOnly: true, keywords: TARGET_KEYWORDS }),
    requester_resolution_target_at: datetime({ readOnly: true }),
    ...targetEvents,
    desired_completion_at: datetime(),
    downtime_start_at: datetime(),
    downtime_end_at: datetime(),
    waiting_until: datetime(byAgents),
    note: text({ writeOnly: true, note: 'public' }),
    internal_note: text({ writeOnly: true, note: 'internal', write: NOTE_READERS }),
    // Finds the request of an event that has no configuration item.
    note_digest: string(64, { readOnly: true, hidden: true }),
    time_spent: timeSpentInput,
    custom_data: json(),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: `id sourceID subject category impact status next_target_at completed_at team member grouped_into
      service_instance created_at updated_at`,
    sort: '-id',
    countable: 'category impact status team member service_instance completed_at created_at updated_at',
    sortable: { also: 'response_target_at resolution_target_at', except: 'grouped_into' },
    filterable: {
      also: `source response_target_at resolution_target_at created_by requested_by requested_for organization grouping change
        template knowledge_article supplier_requestID`,
    },
  },
  lists: {
    open: { status: not('completed') },
    completed: { status: 'completed' },
    requested_by_or_for_me: anyOf({ requested_by: me }, { requested_for: me }),
    requests_of_my_organization: { organization: myOrganization },
    assigned_to_my_team: { team: myTeams },
    assigned_to_me: { member: me },
    waiting_for_me: { requested_by: me, status: 'waiting_for_customer' },
    problem_management_review: {
      status: 'completed',
      completed_at: compared('>', sixMonthsAgo),
      'service_instance.service.problem_manager': me,
    },
  },
  links: {
    cis: { record: 'ci', table: 'request_cis', from: 'request_id', to: 'ci_id' },
    knowledge_articles: {
      record: 'knowledge_article',
      table: 'request_knowledge_articles',
      from: 'request_id',
      to: 'knowledge_article_id',
      write: 'none',
    },
  },
  children: {
    grouped_requests: { record: 'request', by: 'grouped_into' },
    affected_slas: { record: 'affected_sla', by: 'request' },
  },
  parts: ['note'],
  partImports: [
    {
      type: 'notes',
      order: 46,
      owner: { header: 'Record ID', field: 'id' },
      constant: { header: 'Record Type', value: 'Request' },
      parts: {
        notes: {
          columns: [
            { header: 'Created At', field: 'created_at' },
            { header: 'Person', field: 'person' },
            { header: 'Internal', field: 'internal' },
            { header: 'Medium', field: 'medium' },
            { header: 'Text', field: 'text' },
          ],
          key: ['text', 'internal'],
        },
      },
      headerOrder: ['Created At', 'Record Type', 'Record ID', 'Person', 'Internal', 'Medium', 'Text'],
      ignored: ['Attachments'],
    },
  ],
  access: {
    see: {
      roles: STAFF,
      otherwise: anyOf(
        { requested_by: me },
        { requested_for: me },
        { member: me },
        { team: myTeams },
        { organization: myOrganization, account: accountsWithMyRole('key_contact') },
      ),
    },
    create: ['anyone'],
    update: [
      ...AGENTS,
      { who: { person: 'requested_by' }, fields: ['note'] },
      { who: { person: 'requested_for' }, fields: ['note'] },
    ],
  },
  timers: [{ ...WAITS, raises: 'waiting-ended' }, ...TARGET_TIMERS],
  settle: [followAffectedSlas],
  import: {
    type: 'requests',
    order: 45,
    columns: [
      'Requested By',
      'Requested For',
      'Organization',
      'Template',
      'Knowledge Article',
      'Grouped Into',
      'Subject',
      'Category',
      'Impact',
      'Service Instance',
      { header: 'Configuration Item', field: 'ci' },
      'Team',
      'Member',
      'Supplier',
      { header: 'Supplier Request ID', field: 'supplier_requestID' },
      'Status',
      'Problem',
      'Change',
      'Project',
      'Completion Reason',
      'Created By',
      'Created At',
      'Updated At',
      { header: 'Resolution Target', field: 'resolution_target_at' },
      'Completed At',
      { header: 'Downtime Start', field: 'downtime_start_at' },
      { header: 'Downtime End', field: 'downtime_end_at' },
      { header: 'Notes', field: 'note' },
      { header: 'Internal Notes', field: 'internal_note' },
      'Reviewed',
      'Urgent',
      'Satisfaction',
      'Addressed',
      'Custom Data',
      'Waiting Until',
      { header: 'Desired Completion', field: 'desired_completion_at' },
    ],
  },
  rules: [
    fillWithCaller('created_by'),
    fillWithCaller('requested_by'),
    fallBackTo('requested_for', 'requested_by'),
    copyOnCreate('organization', { from: 'requested_for', field: 'organization' }),
    ratedBy('satisfaction', {
      by: ['requested_by', 'requested_for'],
      status: 'status',
      values: ['completed'],
      unhappy: ['dissatisfied'],
      reason: 'note',
    }),
    falseUnless('addressed', { field: 'satisfaction', values: ['dissatisfied'] }),
    answeredBy('note', ANSWERED),
    noCycle('grouped_into'),
    groupedInto('grouped_into', { grouping: 'grouping' }),
    passedOn('grouped_into', {
      grouping: 'grouping',
      completedWith: 'completed_with_group',
      fields: PASSED_ON,
      together: PASSED_TOGETHER,
      withStatus: { change_pending: 'change', project_pending: 'project' },
    }),
    templateApplied('template'),
    keepsFirstNote('note_digest', { note: 'note', template: 'template' }),
    serviceInstanceOf('service_instance', { ci: 'ci' }),
    emptyUnless('impact', { field: 'category', values: SERVICE_CATEGORIES }),
    emptyUnless('service_instance', { field: 'category', values: SERVICE_CATEGORIES }),
    pendingWith('change', { ...PENDING, pending: 'change_pending' }),
    pendingWith('project', { ...PENDING, pending: 'project_pending' }),
    requiredWhen('change', { field: 'status', values: ['change_pending'] }),
    requiredWhen('project', { field: 'status', values: ['project_pending'] }),
    supplierOf('supplier', { instance: 'service_instance' }),
    requestTeam(),
    declinedGoesTo({ previous: 'previous_team' }),
    remembersTeam('previous_team', { of: 'team' }),
    memberOfTemplate('member', { template: 'template' }),
    workedOn('member', { field: 'status', values: WORKED_ON, team: 'team' }),
    memberOfTeam('member', { team: 'team' }),
    requiredWhen('impact', { field: 'category', values: ['incident'] }),
    onlyWhile('completion_reason', { field: 'status', values: ['completed'] }),
    requiredWhenAll('completion_reason', [
      { field: 'status', values: ['completed'] },
      { field: 'category', values: SERVICE_CATEGORIES },
    ]),
    reviewedWhen('reviewed', { without: 'service_instance', linked: ['problem', 'change'], grouping: 'grouping' }),
    startsChange('change', { template: 'template' }),
    knownToTasks('change', {
      task: 'task',
      from: 'task_template',
      part: 'task_approval',
      people: PEOPLE_OF_TASKS,
      member: 'member',
    }),
    knownToTasks('project', {
      task: 'project_task',
      from: 'project_task_template',
      part: 'project_task_assignment',
      people: PEOPLE_OF_PROJECT_TASKS,
    }),
    stamp('completed_at', { field: 'status', values: ['completed'] }),
    whileStatus('new_assignment', { field: 'status', values: ['assigned', 'declined'] }),
    countChanges('assignment_count_', { of: 'team' }),
    onlyWhile('waiting_until', { field: 'status', values: ['waiting_for'] }),
    countUses('template', { in: 'times_applied' }),
    notOffered('knowledge_article', { status: 'archived', code: 'archived_reference' }),
    countUses('knowledge_article', { in: 'times_applied' }),
    timeSpent('time_spent'),
    keepTargets(),
    // Locks the service instance before its teams are copied.
    passesImpact('service_instance', { category: ['incident'], status: OPEN }),
    affectsSlas(),
    tells('desired_completion_at', {
      person: 'requested_by',
      title: 'subject',
      mails: { set: 'desired_completion_set', changed: 'desired_completion_changed', removed: 'desired_completion_removed' },
    }),
  ],
  events: [
    'create',
    'update',
    'note-added',
    'status-changed',
    'team-changed',
    'member-changed',
    'waiting-ended',
    'target-warning',
    'target-missed',
  ],
})
