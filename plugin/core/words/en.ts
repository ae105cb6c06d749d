/**
 * English: the words that every other language has too (`Words`), and the texts that exist in English only. The sentences
 * and messages are those of the specification to the letter (gaps 1.14, 8): clients compare them.
 */
import { humanized } from './labels.js'
import { values } from './values/en.js'

/** Sentences for violations, by code. `{label}` is the label of the field, the other names are the violation's values. */
const sentences = {
  blank: "{label} can't be blank",
  too_long: '{label} is too long (maximum is {max} characters)',
  too_big_text: '{label} is too long (maximum is 64 KB)',
  inclusion: '{label} is not included in the list',
  taken: '{label} has already been taken',
  invalid: '{label} is invalid',
  cannot_be_found: '{label} cannot be found',
  not_a_number: '{label} is not a number',
  not_an_integer: '{label} is not an integer',
  less_than: '{label} cannot be less than {min}',
  greater_than: '{label} cannot be greater than {max}',
  invalid_date: '{label} is not a valid date',
  invalid_datetime: '{label} is not a valid date and time',
  invalid_time: '{label} is not a valid time of day',
  uri_invalid: '{label} is invalid',
  file_too_big: '{label} is too big (maximum is {max} MB)',
  many_values: '{label} takes one value only',
  too_many_files: '{label} takes {max} files at most',
  too_many: '{label} cannot be more than {max}',
  file_type: '{label} has a type of file that is not allowed',
  no_picture: '{label} is not a PNG, JPEG, GIF or WebP image',
  disabled_reference: '{label} is disabled',
  not_a_member: '{label} is not a member of the team',
  coordinator_not_member: '{label} must be a member of the team',
  role_missing: '{label} does not have the {role} role',
  descendant_parent: '{label} cannot be a descendant',
  cycle: '{label} would form a circle',
  other_change: '{label} must be linked to the same change',
  other_service: '{label} must be linked to the same service',
  overlaps: '{label} overlaps with other hours',
  end_before_start: 'End must be after start',
  expiry_before_notice: '{label} must be after the notice date',
  only_with_status: '{label} can be given only with the status {values}',
  only_with_category: '{label} can be given only with the category {values}',
  only_with_frequency: '{label} can be given only with the frequency {values}',
  not_for_category: '{label} does not suit the category',
  change_or_project: '{label} is not possible: a change and a project exclude each other',
  other_project: '{label} must be linked to the same project',
  started: 'What has been started cannot be removed',
  has_tasks: 'Not all phases can be removed while the project has tasks',
  not_of_organization: '{label} is not available to the organization of the person',
  not_of_allocation: '{label} cannot be chosen with this time allocation',
  text_of_owner: 'The translation into the language of the account cannot be removed',
  archived_reference: '{label} is archived',
  cannot_be_changed: '{label} cannot be changed',
  cannot_be_set: '{label} cannot be set',
  unknown_field: '{label} is not a known field',
  unknown_parameter: '{label} is not a known parameter',
  guarded: '{label} can only be changed by someone with the {role} role, because this person has it',
  locked: '{label} is locked',
  not_allowed: '{label} is not allowed here',
  second_value: '{label} gives "{value}" a second value',
  integration_locked: 'Details that come from an import cannot be changed here',
  could_not_be_found: '{label} "{value}" could not be found',
  unknown_part: '{label} is not a field of this form',
  unknown_column: 'Unknown column header: {column}',
  duplicate_column: 'Duplicate column header: {column}',
  surplus_cells: 'Row has more cells than there are column headers',
  other_record: '{label} "{value}" is not the record with this ID',
  not_consecutive: 'All rows of one record must follow each other; rows of this one came before',
  no_values: 'Row has no values besides {label}',
}

/** Labels of the fields that all languages name; English says them by rule. `base` stands for the record as a whole. */
const fields = {
  ...humanized('account', 'address', 'addressed', 'addresses', 'api_token', 'assignment_count', 'assignment_count_'),
  ...humanized('attachments', 'availability_manager', 'business_unit', 'business_unit_organization', 'calendar_hours'),
  ...humanized('capacity_manager', 'category', 'change', 'change_manager', 'chat', 'ci', 'cis', 'city', 'completed_at'),
  ...humanized('completion_reason', 'configuration_manager', 'contacts', 'continuity_manager', 'coordinator'),
  ...humanized('cost_per_hour', 'country', 'created_at', 'created_by', 'currency', 'custom_data', 'description'),
  ...humanized('desired_completion_at', 'directory_account', 'disabled', 'downtime_end_at', 'downtime_start_at', 'email'),
  ...humanized('end_at', 'event', 'file', 'first_line_team', 'grouped_into', 'grouping', 'holidays', 'id', 'impact'),
  ...humanized('inbound_email_local_part', 'information', 'integration', 'internal', 'internal_note', 'job_title'),
  ...humanized('keywords', 'knowledge_article', 'knowledge_manager', 'label', 'last_error', 'locale'),
  ...humanized('localized_description', 'localized_name', 'location', 'mail_exceptions_to', 'maintenance_window'),
  ...humanized('manager', 'medium', 'member', 'members', 'name', 'new_assignment', 'next_target_at', 'note'),
  ...humanized('organization', 'owner', 'parent', 'password', 'person', 'picture_uri', 'plan', 'primary_email', 'problem'),
  ...humanized('problem_manager', 'project', 'protocol', 'provider', 'region', 'release_manager', 'remarks'),
  ...humanized('request', 'requested_by', 'requested_for', 'requester_resolution_target_at', 'resolution_target_at'),
  ...humanized('response_target_at', 'reviewed', 'roles', 'satisfaction', 'service', 'service_instance', 'service_owner'),
  ...humanized('site', 'source', 'sourceID', 'start_at', 'state', 'status', 'strong_privacy', 'subject', 'substitute'),
  ...humanized('supplier', 'supplier_requestID', 'supportID', 'support_domain', 'support_team', 'team', 'telephone'),
  ...humanized('template', 'text', 'time_format_24h', 'time_from', 'time_spent', 'time_until', 'time_zone', 'type'),
  ...humanized('ui_extension', 'updated_at', 'urgent', 'uri', 'url', 'vip', 'waiting_until', 'website', 'weekday'),
  ...humanized('work_hours', 'zip'),
  ...humanized('correction', 'customer', 'customer_category', 'customers', 'date', 'deleted', 'description_category'),
  ...humanized('group', 'instructions', 'localized_group', 'message', 'message_type', 'organizations', 'project_task'),
  ...humanized('service_category', 'service_instances', 'services', 'task', 'teams', 'time_allocation'),
  ...humanized('times_applied', 'translations', 'visibility'),
  ...humanized('approver', 'assignee', 'change_template', 'change_type', 'day', 'day_of_month', 'day_of_week'),
  ...humanized('day_of_week_day', 'day_of_week_index', 'desired_completion', 'end_date', 'frequency', 'interval'),
  ...humanized('justification', 'month_of_year', 'planned_duration', 'planned_effort', 'position', 'recurrence', 'reference'),
  ...humanized('registration_hints', 'request_template', 'required_approvals', 'start_date', 'support_hours'),
  ...humanized('task_templates', 'time_of_day', 'title'),
  ...humanized('analysis_target_at', 'anticipated_assignment_at', 'assigned_at', 'assignments'),
  ...humanized('completion_target_at', 'cost_of_effort', 'cost_of_purchases', 'deadline', 'effort', 'finished_at'),
  ...humanized('known_error', 'phase', 'predecessors', 'program', 'release', 'risk_level', 'roi', 'solved_at'),
  ...humanized('custom_fields', 'successors', 'total_cost', 'value', 'workaround'),
  base: 'Record',
}

/** Mails: one subject and the lines of the text. Names in braces are the values that the sender supplies. */
const mails = {
  /** gaps 4.4 */
  import_completed: {
    subject: 'Import of {type} completed',
    lines: [
      'The import of {file_name} is complete.',
      '',
      'File: {file_name}',
      'Type: {type}',
      'Account: {account}',
      'Start: {started_at}',
      'End: {finished_at}',
      '',
      'Created: {created}',
      'Updated: {updated}',
      'Deleted: {deleted}',
      'Unchanged: {unchanged}',
      'Failures: {failures}',
      'Errors: {errors}',
      '',
      'Log: {log}',
    ],
  },
  import_failed: {
    subject: 'Import of {type} failed',
    lines: [
      'The import of {file_name} stopped before the end: {message}',
      'The rows before it are stored.',
      '',
      'File: {file_name}',
      'Type: {type}',
      'Account: {account}',
      'Start: {started_at}',
      'End: {finished_at}',
      '',
      'Created: {created}',
      'Updated: {updated}',
      'Deleted: {deleted}',
      'Unchanged: {unchanged}',
      'Failures: {failures}',
      'Errors: {errors}',
      '',
      'Log: {log}',
    ],
  },
  /** gaps 5.3: the address comes without credentials. */
  webhook_exception: {
    subject: 'Webhook {webhook} could not be delivered',
    lines: [
      'A call of the webhook {webhook} failed.',
      '',
      'Address: {uri}',
      'Event: {event}',
      'Record: {object_id}',
      'Attempt: {attempt}',
      'Last error: {error}',
      '',
      'The call is repeated at growing intervals and dropped after several failures.',
    ],
  },
  webhook_disabled: {
    subject: 'Webhook {webhook} has been disabled',
    lines: [
      'The webhook {webhook} has been disabled, because all its calls failed for more than a week.',
      '',
      'Address: {uri}',
      'Event: {event}',
      'Last error: {error}',
      '',
      'Correct the receiver and enable the webhook again. Events of the meantime are not sent.',
    ],
  },
} as const

/** Messages of errors by status. They stay English in every language; 400 names its parameter itself (gaps 8.1). */
export const MESSAGES: { readonly [status: number]: string } = {
  401: 'access credentials required',
  403: 'Forbidden',
  404: 'Not Found',
  406: 'Not Acceptable',
  422: 'Validation Failed',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway timeout',
}

/** All words in English. */
export const en = { sentences, fields, values, mails }

/** The code of a sentence. */
export type Code = keyof typeof sentences
/** The name of a mail. */
export type MailName = keyof typeof mails
/** The values that a mail needs, by the names that stand in braces. */
export type MailParams<N extends MailName> = {
  readonly [P in NamesIn<(typeof mails)[N]['subject'] | (typeof mails)[N]['lines'][number]>]: string | number
}
/** A mail as a language has it. */
export interface MailWords {
  readonly subject: string
  readonly lines: readonly string[]
}

/** What every language has: the same keys as English, nothing more and nothing less. */
export interface Words {
  readonly sentences: { readonly [C in Code]: string }
  readonly fields: { readonly [F in keyof typeof fields]: string }
  readonly values: { readonly [E in keyof typeof values]: { readonly [V in keyof (typeof values)[E]]: string } }
  readonly mails: { readonly [N in MailName]: MailWords }
}

type NamesIn<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
