/** All migrations, in the order in which they run. Released ones are frozen: neither their names nor their effects change. */
import { createSystemTables } from './0001_create_system_tables.js'
import { createRecordTables } from './0002_create_record_tables.js'
import { createWebhookHealth } from './0003_create_webhook_health.js'
import { createRateLimits } from './0004_create_rate_limits.js'
import { referToMoreRecords } from './0005_refer_to_more_records.js'
import { createAttachments } from './0006_create_attachments.js'
import { addContactDigits } from './0007_add_contact_digits.js'
import { addAccountSettings } from './0008_add_account_settings.js'
import { createWorkTables } from './0010_create_work_tables.js'
import { createTemplateTables } from './0011_create_template_tables.js'
import { createServiceTables } from './0012_create_service_tables.js'
import { createKnowledgeAndTimeTables } from './0013_create_knowledge_and_time_tables.js'
import { linkRequests } from './0014_link_requests.js'
import { indexGrowingTables } from './0015_index_growing_tables.js'
import { countStalledImports } from './0016_count_stalled_imports.js'
import { lockTimeEntries } from './0018_lock_time_entries.js'
import { orderDeliveriesByReceiver } from './0019_order_deliveries_by_receiver.js'
import { indexTrusts } from './0020_index_trusts.js'
import { indexRequestLists } from './0021_index_request_lists.js'
import { createLeases } from './0022_create_leases.js'
import { indexWaitingRecords } from './0023_index_waiting_records.js'
import { startChanges } from './0025_start_changes.js'
import { rememberPreviousTeams } from './0026_remember_previous_teams.js'
import { keepServiceLevels } from './0027_keep_service_levels.js'
import { indexWaitingAssignments } from './0028_index_waiting_assignments.js'
import { indexRecurrences } from './0029_index_recurrences.js'
import { restDisabledRecurrences } from './0030_rest_disabled_recurrences.js'
import { queueMails } from './0032_queue_mails.js'
import { passImpacts } from './0033_pass_impacts.js'
import { setAgreementTimes } from './0034_set_agreement_times.js'
import { renewAffectedSlas } from './0039_renew_affected_slas.js'
import { matchEvents } from './0040_match_events.js'
import { keepIdempotencyKeys } from './0041_keep_idempotency_keys.js'
import { explainAuditLines } from './0042_explain_audit_lines.js'
import { createTokens } from './0043_create_tokens.js'
import { createOauthClients } from './0044_create_oauth_clients.js'
import { matchEventsByNote } from './0047_match_events_by_note.js'
import { tellReasonsApart } from './0048_tell_reasons_apart.js'
import { startTasks } from './0049_start_tasks.js'
import { completeWithGroup } from './0050_complete_with_group.js'
import { renewCountedTimes } from './0051_renew_counted_times.js'
import { nameServiceDesks } from './0052_name_service_desks.js'
import { markChangedAccounts } from './0053_mark_changed_accounts.js'
import { renewWithAccounts } from './0054_renew_with_accounts.js'
import { linkLaterRows } from './0061_link_later_rows.js'
import { listImports } from './0062_list_imports.js'
import { createExports } from './0063_create_exports.js'
import { linkLicensedSites } from './0064_link_licensed_sites.js'
import { rehearseImports } from './0065_rehearse_imports.js'
import { undoImports } from './0066_undo_imports.js'
import { importHistory } from './0067_import_history.js'
import { orderTaskTemplates } from './0068_order_task_templates.js'
import { signDeliveries } from './0069_sign_deliveries.js'
import { tellOfTargets } from './0070_tell_of_targets.js'
import { pauseReceivers } from './0071_pause_receivers.js'
import { keepMessages } from './0072_keep_messages.js'
import { chooseDeliveries } from './0073_choose_deliveries.js'
import { orderWorkLists } from './0074_order_work_lists.js'
import { createViews } from './0076_create_views.js'
import { createSessions } from './0077_create_sessions.js'
import { keyTexts } from './0078_key_texts.js'
import { passOnSourceIds } from './0080_pass_on_source_ids.js'
import { noteLateCommits } from './0081_note_late_commits.js'
import { noteAbsences } from './0082_note_absences.js'
import type { Migration } from './tools.js'

export const migrations: readonly Migration[] = [
  createSystemTables,
  createRecordTables,
  createWebhookHealth,
  createRateLimits,
  referToMoreRecords,
  createAttachments,
  addContactDigits,
  addAccountSettings,
  createWorkTables,
  createTemplateTables,
  createServiceTables,
  createKnowledgeAndTimeTables,
  linkRequests,
  indexGrowingTables,
  countStalledImports,
  lockTimeEntries,
  orderDeliveriesByReceiver,
  indexTrusts,
  indexRequestLists,
  createLeases,
  indexWaitingRecords,
  startChanges,
  rememberPreviousTeams,
  keepServiceLevels,
  indexWaitingAssignments,
  indexRecurrences,
  restDisabledRecurrences,
  queueMails,
  passImpacts,
  setAgreementTimes,
  renewAffectedSlas,
  matchEvents,
  keepIdempotencyKeys,
  explainAuditLines,
  createTokens,
  createOauthClients,
  matchEventsByNote,
  tellReasonsApart,
  startTasks,
  completeWithGroup,
  renewCountedTimes,
  nameServiceDesks,
  markChangedAccounts,
  renewWithAccounts,
  linkLaterRows,
  listImports,
  createExports,
  linkLicensedSites,
  rehearseImports,
  undoImports,
  importHistory,
  orderTaskTemplates,
  signDeliveries,
  tellOfTargets,
  pauseReceivers,
  keepMessages,
  chooseDeliveries,
  orderWorkLists,
  createViews,
  createSessions,
  keyTexts,
  passOnSourceIds,
  noteLateCommits,
  noteAbsences,
]
