import type { Migration } from './tools.js'

/** Recurrences of disabled templates have no next occurrence; earlier versions computed one. */
export const restDisabledRecurrences: Migration = {
  name: '0030_rest_disabled_recurrences',

  async up(schema) {
    const templates = schema.knex(schema.table('change_templates')).where({ disabled: true }).select('id')
    await schema
      .knex(schema.table('recurrences'))
      .where({ owner_type: 'change_template' })
      .whereIn('owner_id', templates)
      .update({ next_occurrence_at: null })
  },

  // The times come back when the templates are enabled.
  async down() {},
}
