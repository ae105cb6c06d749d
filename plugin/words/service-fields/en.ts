import { humanized } from '../labels.js'

/** Labels of the fields of services, agreements, products and configuration items that all languages name. */
export const serviceFields = {
  ...humanized('accountability', 'actual_resolution_at', 'actual_resolution_duration', 'actual_response_at'),
  ...humanized('actual_response_duration', 'alternate_names', 'assetID', 'availability', 'brand', 'charges'),
  ...humanized('child_service_instances', 'ci_relations', 'ci_type', 'continuity', 'contracts', 'coverage'),
  ...humanized('depreciation_method', 'downtime_duration', 'expiry_date', 'financial_owner', 'first_call_resolutions'),
  ...humanized('impact_relation', 'in_use_since', 'license_expiry_date', 'license_type', 'licensed_sites', 'limitations'),
  ...humanized('maximum_resolution_duration', 'maximum_response_duration', 'maximum_risk_of_data_loss', 'model'),
  ...humanized('notice_date', 'nr_of_cores', 'nr_of_licenses', 'nr_of_processors', 'offline_backup_schedule'),
  ...humanized('parent_service_instances', 'penalties', 'performance', 'pickup_target', 'pickups_within_target'),
  ...humanized('prerequisites', 'product', 'purchase_value', 'rate', 'rejected_solutions', 'related_ci'),
  ...humanized('relation_type', 'reliability', 'report_frequency', 'resolution_target', 'resolution_target_high'),
  ...humanized('resolution_target_low', 'resolution_target_medium', 'resolution_target_top'),
  ...humanized('resolutions_within_target', 'response_target', 'response_target_high', 'response_target_low'),
  ...humanized('response_target_medium', 'response_target_top', 'responses_within_target', 'restore_duration'),
  ...humanized('review_frequency', 'rule_set', 'salvage_value', 'service_desk_only_resolutions'),
  ...humanized('service_desk_resolutions', 'service_desk_team', 'service_hours', 'service_level_manager'),
  ...humanized('service_offering', 'site_license', 'sla', 'slas', 'software', 'standard_service_request'),
  ...humanized('standard_service_requests', 'started_at', 'stopped_clock_at', 'stopped_clock_duration', 'summary'),
  ...humanized('supplier_contact', 'support_hours_high', 'support_hours_low', 'support_hours_medium'),
  ...humanized('support_hours_top', 'systemID', 'target_details', 'temporary_license', 'termination'),
  ...humanized('use_knowledge_from_service_provider', 'useful_life', 'warranty_expiry_date'),
  // Spelled out, like the headers of import files.
  customer_rep: 'Customer representative',
  po_nr: 'PO number',
  serial_nr: 'Serial number',
}

/** Labels of one language: the same fields as in English. */
export type ServiceFieldWords = { readonly [F in keyof typeof serviceFields]: string }
