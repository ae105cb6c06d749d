import { dropTables, linkTable, type Migration } from './tools.js'

/** The sites that a license certificate is for. */
export const linkLicensedSites: Migration = {
  name: '0064_link_licensed_sites',

  async up(schema) {
    await linkTable(schema, 'ci_licensed_sites', 'ci_id', 'site_id')
  },

  async down(schema) {
    await dropTables(schema, 'ci_licensed_sites')
  },
}
