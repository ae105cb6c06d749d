/** Dates up to which an account has closed its books (behaviour: Time entries). */
import type { Call } from '../../core/call.js'
import type { Json } from '../../schema/kinds/fields.js'
import { rule } from '../../schema/language/define-rule.js'

/**
 * Records with a locked date cannot be created or changed, unless the flag marks them as corrections. If the date of a record
 * changes, the old and the new one are checked.
 */
export const notLocked = rule('notLocked', (field: string, { unless }: { readonly unless: string }) => ({
  fields: [field, unless],
  check({ before, call, changed, fail, next }) {
    if (next[unless] === true || (before && !Object.keys(next).some(changed))) return
    if ([before?.[field], next[field]].some((date) => isLocked(call, date))) fail(field, 'locked')
  },
}))

/** True when the account of the call has locked its time entries up to this date or a later one. */
export function isLocked({ account }: Call, date: Json | undefined): boolean {
  const { timeEntriesLockedUntil: last } = account
  return typeof last === 'string' && typeof date === 'string' && date <= last
}
