import { humanized } from '../labels.js'

/**
 * Labels of the fields that all languages name. English derives most of them by rule. `base` means the record as a whole.
 */
export const fields = {
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
  ...humanized('organization', 'owner', 'parent', 'password', 'person', 'plan', 'primary_email', 'problem'),
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
  ...humanized('known_error', 'phase', 'predecessors', 'previous_team', 'program', 'release', 'risk_level', 'roi', 'solved_at'),
  ...humanized('custom_fields', 'successors', 'total_cost', 'value', 'workaround'),
  ...humanized('action', 'activate', 'active_version', 'approvals', 'asset_selection', 'assign_to_change_manager'),
  ...humanized('assign_to_project_manager', 'assign_to_requester', 'assign_to_requester_business_unit_manager'),
  ...humanized('assign_to_requester_manager', 'assign_to_self', 'assign_to_service_owner', 'audit', 'audited'),
  ...humanized('author', 'calendars', 'change_manager_id', 'change_templates', 'changes', 'compiled_css'),
  ...humanized('copy_notes_to_change', 'copy_notes_to_project', 'css', 'customer_representatives', 'digits_reversed'),
  ...humanized('ends_at', 'field', 'html', 'ical', 'inline', 'javascript', 'key', 'knowledge_articles'),
  ...humanized('last_occurrence_at', 'last_occurrence_errors', 'last_occurrence_object', 'localized_html'),
  ...humanized('localized_note', 'localized_registration_hints', 'localized_subject', 'next_occurrence_at', 'notes'),
  ...humanized('people', 'phases', 'phrases', 'planned_effort_project_manager', 'planned_effort_requester'),
  ...humanized('planned_effort_requester_business_unit_manager', 'planned_effort_requester_manager'),
  ...humanized('planned_effort_service_owner', 'prepared_version', 'problems', 'project_templates', 'requests'),
  ...humanized('self_service', 'service_hierarchy_browser', 'sites', 'size', 'skill_pools', 'starts_at', 'tasks'),
  ...humanized('time_allocations', 'updated_by', 'users', 'versions'),
  // Callers often send the picture itself there.
  picture_uri: 'Picture',
  base: 'Record',
}

/** Labels of one language: the same fields as in English. */
export type FieldWords = { readonly [F in keyof typeof fields]: string }
