import type { Call } from '../../core/call.js'
import { formatInstant } from '../../core/time/zoned-time.js'
import { rule } from '../../schema/language/define-rule.js'
import { isLocked } from './locked-dates.js'

/**
 * Minutes in the field become a time entry of the caller for the record, dated today (behaviour: All record types, Time
 * entries). Not for the system, which has to create time entries that name a person.
 */
export const timeSpent = rule('timeSpent', (field: string) => ({
  fields: [field],
  check({ call, fail, input }) {
    if (!input(field)) return
    if (!call.actor) fail(field, 'not_allowed')
    else if (isLocked(call, todayOf(call))) fail(field, 'locked')
  },
  async writtenAll(contexts, { saveAll }) {
    const entries = contexts.flatMap(({ call, input, next, type }) => {
      const minutes = input(field)
      if (!minutes || !call.actor) return []
      const entry = { person_id: call.actor.id, date: todayOf(call), time_spent: minutes }
      return [{ id: null, body: { ...entry, [`${type}_id`]: Number(next['id']) } }]
    })
    await saveAll('time_entry', entries)
  },
}))

function todayOf({ now, zone }: Call): string {
  return formatInstant(now, zone).slice(0, 'yyyy-mm-dd'.length)
}
