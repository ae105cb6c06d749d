import { hasRole } from '../../core/call.js'
import { rule } from '../../schema/language/define-rule.js'

/** Callers choose only teams that they lead or are members of; account administrators choose any. */
export const teamOfCaller = rule('teamOfCaller', (field: string) => ({
  fields: [field],
  async check({ call, changed, fail, fieldOf, linked, load, next }) {
    const { column, record } = fieldOf(field)
    const id = next[column]
    if (!id || !changed(column) || hasRole(call, 'account_administrator')) return
    const caller = call.actor?.id ?? null
    const [team, isMember] = await Promise.all([load(record, id), linked(record, id, 'members', caller)])
    const leads = [team?.['manager_id'], team?.['coordinator_id']]
    if (caller === null || !(isMember || leads.includes(caller))) fail(field, 'not_own_team')
  },
}))
