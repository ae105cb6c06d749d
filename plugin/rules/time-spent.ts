import { writeMoment } from '../core/zoned-time.js'
import type { Rule } from '../schema/define-rule.js'

/** Minutes given in the field become a time entry of the caller, of today, for the record (gaps 7.0, 7.8). */
export function timeSpent(field: string) {
  return { rule: 'timeSpent', field } as const
}

export const timeSpentRule: Rule = {
  fields: (use) => [String(use['field'])],
  async after({ call, input, next, save, type }, use) {
    const minutes = input(String(use['field']))
    if (!minutes || !call.actor) return
    const date = writeMoment(call.now, call.zone).slice(0, 'yyyy-mm-dd'.length)
    await save('time_entry', null, { person_id: call.actor.id, date, time_spent: minutes, [`${type}_id`]: Number(next['id']) })
  },
}
