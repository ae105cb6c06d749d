import { dropTables, linkTable, type Migration } from './tools.js'

/** The configuration items that a request concerns, and the knowledge articles that were applied to it. */
export const linkRequests: Migration = {
  name: '0014_link_requests',

  async up(schema) {
    await linkTable(schema, 'request_cis', 'request_id', 'ci_id')
    await linkTable(schema, 'request_knowledge_articles', 'request_id', 'knowledge_article_id')
  },

  async down(schema) {
    await dropTables(schema, 'request_knowledge_articles', 'request_cis')
  },
}
