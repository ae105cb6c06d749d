import type { Call } from '../core/call.js'
import { writeMoment } from '../core/zoned-time.js'
import type { Rule } from '../schema/define-rule.js'
import { isLocked } from './locked-dates.js'

/**
 * Minutes given in the field become a time entry of the caller, of today, for the record (gaps 7.0, 7.8). The service itself
 * spends no time: it has to create time entries that name the person.
 */
export function timeSpent(field: string) {
  return { rule: 'timeSpent', field } as const
}

export const timeSpentRule: Rule = {
  fields: (use) => [String(use['field'])],
  before({ call, fail, input }, use) {
    const field = String(use['field'])
    if (!input(field)) return
    if (!call.actor) fail(field, 'not_allowed')
    else if (isLocked(call, todayOf(call))) fail(field, 'locked')
  },
  async after({ call, input, next, save, type }, use) {
    const minutes = input(String(use['field']))
    if (!minutes || !call.actor) return
    const entry = { person_id: call.actor.id, date: todayOf(call), time_spent: minutes }
    await save('time_entry', null, { ...entry, [`${type}_id`]: Number(next['id']) })
  },
}

function todayOf({ now, zone }: Call): string {
  return writeMoment(now, zone).slice(0, 'yyyy-mm-dd'.length)
}
