import { addIndex, dropIndex, type Migration } from './tools.js'

/** Trust relations are read from both sides. */
export const indexTrusts: Migration = {
  name: '0020_index_trusts',

  async up(schema) {
    await addIndex(schema, 'trusts', 'trusted_account_id')
  },

  async down(schema) {
    await dropIndex(schema, 'trusts', 'trusted_account_id')
  },
}
