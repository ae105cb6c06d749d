import { changeIndexes, type IndexChanges } from './change-indexes.js'
import type { Migration } from './tools.js'

/** The columns that lists of work records are sorted by and that have no index yet: each gets one, after the account. */
const SORTED: Readonly<Record<string, readonly string[]>> = {
  requests: ['category', 'service_instance_id', 'supplier_requestID'],
  tasks: [...['category', 'completion_target_at', 'finished_at', 'impact', 'member_id', 'subject', 'team_id'], 'created_at'],
  changes: [
    ...['category', 'completed_at', 'completion_target_at', 'impact', 'manager_id', 'service_id', 'start_at', 'subject'],
    'created_at',
  ],
  problems: [
    ...['analysis_target_at', 'impact', 'known_error', 'member_id', 'service_id', 'solved_at', 'subject', 'team_id'],
    'created_at',
  ],
  projects: ['sourceID', 'category_id', 'completed_at', 'completion_target_at', 'service_id', 'subject', 'created_at'],
  project_tasks: ['category', 'completion_target_at', 'finished_at', 'subject', 'created_at'],
  releases: ['sourceID', 'completed_at', 'completion_target_at', 'impact', 'status', 'subject', 'created_at'],
}

/**
 * Indexes that are the beginning of another one, and whose entries nobody reads in the order of ids. That of category and status
 * is replaced: within a category, its entries are not in that order.
 */
const NOT_NEEDED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  requests: [['account_id', 'category', 'status'], ['ci_id'], ['requested_for_id']],
}

/** Tables of sub-records with a unique key that begins with the owner. */
const WITH_UNIQUE_KEYS = [
  'broadcast_translations',
  'child_service_instances',
  'ci_relations',
  'knowledge_article_translations',
  'parent_service_instances',
  'product_category_translations',
  'project_phases',
  'project_task_assignments',
  'request_template_translations',
  'service_category_translations',
  'service_translations',
  'standard_service_requests',
  'task_approvals',
  'task_sequences',
  'time_allocation_translations',
  'ui_extension_versions',
] as const
const OWNER = ['owner_type', 'owner_id'] as const

/**
 * Pages of work records in any order read the records of the page, and not all of the account. Processes of the version before
 * may run beside: they name no index that goes.
 */
export const orderWorkLists: Migration = {
  name: '0074_order_work_lists',

  async up(schema) {
    for (const [table, changes] of all()) await changeIndexes(schema, table, changes)
  },

  async down(schema) {
    for (const [table, { add = [], drop = [] }] of all()) await changeIndexes(schema, table, { add: drop, drop: add })
  },
}

function all(): readonly (readonly [table: string, changes: IndexChanges])[] {
  const work = Object.entries(SORTED).map(([table, columns]) => {
    const changes = { add: columns.map((column) => ['account_id', column]), drop: NOT_NEEDED[table] ?? [] }
    return [table, changes] as const
  })
  return [...work, ...WITH_UNIQUE_KEYS.map((table) => [table, { drop: [OWNER] }] as const)]
}
