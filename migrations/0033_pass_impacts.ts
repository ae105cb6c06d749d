import { addIndex, dropIndex, type Migration, type MigrationTools } from './tools.js'

/** Finds the impacts of the open incidents of a service instance without reading the completed ones. */
const INDEX = ['account_id', 'service_instance_id', 'category', 'status', 'impact'] as const

const IMPACTS = ['top', 'high', 'medium', 'low'] as const
const OPEN = [
  ...['declined', 'assigned', 'accepted', 'in_progress', 'waiting_for', 'waiting_for_customer'],
  ...['change_pending', 'project_pending'],
]

/** The impact of services and service instances, which follows from open incidents. Servers add the index while tables are used. */
export const passImpacts: Migration = {
  name: '0033_pass_impacts',

  async up(schema) {
    await addIndex(schema, 'requests', ...INDEX)
    await fillImpacts(schema)
  },

  async down(schema) {
    await dropIndex(schema, 'requests', ...INDEX)
  },
}

/** Existing records get theirs without an audit line. A repetition has the same result. */
async function fillImpacts({ knex, table }: MigrationTools): Promise<void> {
  const list = OPEN.map((status) => `'${status}'`).join(', ')
  const incident = `select 1 from ${table('requests')} r where r.account_id = i.account_id and r.service_instance_id = i.id
    and r.category = 'incident' and r.status in (${list})`
  const ofInstance = IMPACTS.map((impact) => `when exists (${incident} and r.impact = '${impact}') then '${impact}'`)
  await knex.raw(`update ${table('service_instances')} as i set impact = case ${ofInstance.join(' ')} end`)
  const instance = `select 1 from ${table('service_instances')} i where i.account_id = s.account_id and i.service_id = s.id`
  const ofService = IMPACTS.map((impact) => `when exists (${instance} and i.impact = '${impact}') then '${impact}'`)
  await knex.raw(`update ${table('services')} as s set impact = case ${ofService.join(' ')} end`)
}
