/** Lists of values that several record types use (behaviour: Enumeration values), and common permissions. */
import type { Role } from '../core/call.js'
import { TIME_ZONES } from '../core/time/time-zones.js'
import { STAGES } from '../rules/workflow/progress.js'
import type { FieldOptions } from '../schema/kinds/fields.js'
import { integer, oneOfList } from '../schema/kinds/fields.js'
import { due } from '../schema/language/define-timer.js'
import type { Grant } from '../schema/language/who.js'

export { IMPACTS as CHANGE_IMPACTS } from '../rules/workflow/progress.js'
export { FINISHED_STATUSES } from '../rules/workflow/statuses.js'

/** Impacts of requests, from the lowest to the highest. */
export const IMPACTS = ['low', 'medium', 'high', 'top'] as const

/** Reasons for changes and projects. */
export const JUSTIFICATIONS = [
  'compliance',
  'correction',
  'expansion',
  'improvement',
  'maintenance',
  'move',
  'removal',
  'replacement',
] as const

/** Statuses of a change, or a release of changes. */
export const CHANGE_STATUSES = ['registered', ...STAGES, 'progress_halted', 'completed'] as const
export const CHANGE_COMPLETION_REASONS = ['withdrawn', 'rejected', 'rolled_back', 'partial', 'complete'] as const

/** Waiting records are assigned again at the time in `waiting_until` (spec, States and transitions). */
export const WAITS = due('waiting_until', { while: { status: 'waiting_for' }, set: { status: 'assigned' } })

/** Work begins at a time that settling keeps while it waits for nothing else: clearing it is the change that settles again. */
export const STARTS = due('starts_at', { while: { status: 'registered' }, set: { starts_at: null } })

/** Planned durations and efforts (behaviour: All record types). */
export const PLANNED_HOURS = { unit: 'hours', minimum: 0, maximum: 10_000 } as const

/** People who work on requests. */
export const AGENTS = ['specialist', 'service_desk_analyst', 'service_desk_manager', 'account_administrator'] as const

/** People who work on requests, problems and tasks, or manage those who do. */
export const STAFF: readonly Role[] = [
  'account_administrator',
  'auditor',
  'specialist',
  'service_desk_analyst',
  'service_desk_manager',
  'problem_manager',
  'change_manager',
  'release_manager',
  'project_manager',
  'service_level_manager',
  'configuration_manager',
]

/** People who maintain services, service offerings and agreements about them (behaviour: Roles). */
export const SERVICE_MAINTAINERS: readonly Grant[] = ['service_level_manager', 'account_administrator']

/** Keywords in place of the time of a target (spec, Request: next_target_at). */
export const TARGET_KEYWORDS = ['best_effort', 'clock_stopped', 'no_target'] as const

/** People who see internal notes (spec, Authentication 6). */
export const NOTE_READERS: readonly Role[] = ['auditor', 'specialist', 'account_administrator']

/**
 * Minutes that the caller has spent on the record; the rule `timeSpent` creates a time entry with them (behaviour: All record
 * types).
 */
export const timeSpentInput = integer({ writeOnly: true, unit: 'minutes', minimum: 0 })

/**
 * A time zone by its list name (behaviour: Time zones); IANA names are accepted and stored as the list name with the same zone.
 */
export function timeZone<const O extends FieldOptions = object>(options?: O) {
  return oneOfList('time_zone', TIME_ZONES, options)
}

/** Requesters answer by a note: the request is assigned again (behaviour: Requests). */
export const ANSWERED = {
  by: ['requested_by', 'requested_for'],
  field: 'status',
  value: 'waiting_for_customer',
  becomes: 'assigned',
  group: 'grouped_into',
} as const

/** People whom the template of a project task names, and those around its project. */
export const PEOPLE_OF_PROJECT_TASKS = {
  template: 'template',
  of: 'project',
  named: { record: 'project_task_template_assignment', field: 'assignee' },
  requests: 'request',
  services: 'service',
  people: 'person',
  organizations: 'organization',
} as const

/** People whom the template of a task names, and those around its change. */
export const PEOPLE_OF_TASKS = {
  template: 'template',
  of: 'change',
  member: 'member',
  named: { record: 'task_template_approval', field: 'approver' },
  requests: 'request',
  services: 'service',
  people: 'person',
  organizations: 'organization',
} as const
