import { addColumns, dropColumns, type Migration, type MigrationTools } from './tools.js'

/** Which requests were completed with their group, and are opened with it again. */
export const completeWithGroup: Migration = {
  name: '0050_complete_with_group',

  async up(schema) {
    // Only what is missing: on MySQL a migration that failed is not rolled back.
    if (!(await schema.knex.schema.hasColumn(schema.table('requests'), 'completed_with_group')))
      await addColumns(schema, 'requests', (table) => void table.boolean('completed_with_group').notNullable().defaultTo(false))
    await findCompletedWithGroup(schema)
  },

  async down(schema) {
    await dropColumns(schema, 'requests', 'completed_with_group')
  },
}

/** Maximum number of ids in a statement. */
const MANY = 500

/** Until now, only the time tells: a group and its requests are completed in the same call. */
async function findCompletedWithGroup({ knex, table }: MigrationTools): Promise<void> {
  const ids: readonly number[] = await knex(`${table('requests')} as r`)
    .join(`${table('requests')} as g`, 'g.id', 'r.grouped_into_id')
    .where({ 'g.grouping': 'group', 'g.status': 'completed', 'r.status': 'completed' })
    .whereRaw('?? = ??', ['r.completed_at', 'g.completed_at'])
    .pluck('r.id')
  for (let from = 0; from < ids.length; from += MANY)
    await knex(table('requests'))
      .whereIn('id', ids.slice(from, from + MANY))
      .update({ completed_with_group: true })
}
