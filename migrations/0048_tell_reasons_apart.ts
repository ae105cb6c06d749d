import { addColumns, dropColumns, inRanges, type Migration, type MigrationTools } from './tools.js'

const TYPES = [
  { owners: 'changes', tasks: 'tasks', by: 'change_id' },
  { owners: 'projects', tasks: 'project_tasks', by: 'project_id' },
] as const

/** Tells the completion reasons of changes and projects that follow from their tasks from those that somebody has given. */
export const tellReasonsApart: Migration = {
  name: '0048_tell_reasons_apart',

  async up(schema) {
    for (const type of TYPES) {
      // Only what is missing: on MySQL a migration that failed is not rolled back.
      if (!(await schema.knex.schema.hasColumn(schema.table(type.owners), 'reason_from_tasks')))
        await addColumns(schema, type.owners, (table) => void table.boolean('reason_from_tasks').notNullable().defaultTo(false))
      await findThoseOfTasks(schema, type)
    }
  },

  async down(schema) {
    for (const { owners } of TYPES) await dropColumns(schema, owners, 'reason_from_tasks')
  },
}

/** Until now, `complete` was the only reason that followed from tasks, and only if none had failed or was rejected. */
async function findThoseOfTasks(schema: MigrationTools, { owners, tasks, by }: (typeof TYPES)[number]): Promise<void> {
  const { knex, table } = schema
  await inRanges(schema, owners, (rows) =>
    rows
      .where({ status: 'completed', completion_reason: 'complete' })
      .whereNotExists(
        knex(table(tasks))
          .select(knex.raw('1'))
          .whereRaw('?? = ??', [`${table(tasks)}.${by}`, `${table(owners)}.id`])
          .whereIn('status', ['failed', 'rejected']),
      )
      .update({ reason_from_tasks: true }),
  )
}
