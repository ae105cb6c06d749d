import { addIndex, dropIndex, type Migration } from './tools.js'

/**
 * Sort orders and filters of lists of requests. All begin with the account, and InnoDB ends each with the id, so that a page in
 * the order of a subject or a target is read from the index alone. Orders by a label or by the name of a team or member still
 * sort all requests of the account, but read them from a narrow index instead of the table.
 */
const INDEXES: readonly (readonly string[])[] = [
  ['subject'],
  ['next_target_at'],
  ['response_target_at'],
  ['resolution_target_at'],
  ['impact'],
  ['category', 'status'],
  ['team_id'],
  ['member_id'],
]

/** Indexes for lists that take seconds with a million requests. Servers add them while requests are read and written. */
export const indexRequestLists: Migration = {
  name: '0021_index_request_lists',

  async up(schema) {
    for (const columns of INDEXES) await addIndex(schema, 'requests', 'account_id', ...columns)
  },

  async down(schema) {
    for (const columns of INDEXES) await dropIndex(schema, 'requests', 'account_id', ...columns)
  },
}
