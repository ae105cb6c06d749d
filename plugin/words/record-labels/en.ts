import { humanized } from '../labels.js'

/** Labels of record types, of several of their records, and of their predefined lists, that all languages name. */
export const recordLabels = {
  ...humanized('open', 'completed', 'requested_by_or_for_me', 'requests_of_my_organization'),
  ...humanized('assigned_to_my_team', 'assigned_to_me', 'waiting_for_me', 'problem_management_review'),
  ...humanized('grouped_requests', 'affected_sla', 'affected_slas', 'managed_by_me', 'finished'),
  ...humanized('approval_by_me', 'task_approval', 'releases', 'active', 'inactive', 'enabled', 'known_errors'),
  ...humanized('progress_halted', 'solved', 'projects', 'project_tasks', 'open_to_me'),
  ...humanized('project_task_assignment', 'directory', 'all_with_roles', 'sla_coverages', 'service_coverages'),
  ...humanized('service_instance_coverages', 'ci_coverages', 'external', 'trusted', 'children'),
  ...humanized('service_offerings', 'calendar_hour', 'request_templates', 'service_translation'),
  ...humanized('child_service_instance', 'parent_service_instance', 'service_categories'),
  ...humanized('service_category_translation', 'catalog', 'portfolio', 'flsa', 'flsas', 'product_categories'),
  ...humanized('product_category_translation', 'products', 'supported_by_my_teams', 'ci_relation'),
  ...humanized('request_template_translation', 'task_template_approval', 'project_task_templates'),
  ...humanized('project_task_template_assignment', 'project_categories', 'project_risk_levels'),
  ...humanized('ui_extensions', 'ui_extension_version', 'contact', 'public', 'attachment', 'archived'),
  ...humanized('knowledge_article_translation', 'broadcast', 'broadcasts', 'broadcast_translation'),
  ...humanized('time_allocation_translation', 'time_entries', 'webhook', 'webhooks', 'audit_line'),
  ...humanized('audit_lines', 'for_me', 'view', 'views'),
}

/** Labels of one language: the same names as in English. */
export type RecordLabels = { readonly [N in keyof typeof recordLabels]: string }
