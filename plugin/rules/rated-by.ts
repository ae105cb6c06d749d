import { isBlank } from '../core/blank.js'
import type { Rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

/**
 * Only the people in the fields `by` set the field, and only while the stored record has one of the values (gaps 7.4:
 * satisfaction of a completed request). Checked in the transaction, because the record may have changed since the caller read
 * it. The values `unhappy` need a reason in the field `reason`.
 */
export function ratedBy(
  field: string,
  settings: {
    readonly by: readonly string[]
    readonly status: string
    readonly values: readonly Json[]
    readonly unhappy: readonly Json[]
    readonly reason: string
  },
) {
  return { rule: 'ratedBy', field, ...settings } as const
}

export const ratedByRule: Rule = {
  fields: (use) => [String(use['field']), String(use['status']), String(use['reason']), ...(use['by'] as readonly string[])],
  before({ before, call, fail, fieldOf, given, input, next }, use) {
    const field = String(use['field'])
    if (!before || !given.has(field)) return
    const people = (use['by'] as readonly string[]).map((name) => before[fieldOf(name).column])
    const isRatable = (use['values'] as readonly Json[]).includes(before[fieldOf(String(use['status'])).column] ?? null)
    if (!isRatable || !call.actor || !people.includes(call.actor.id)) fail(field, 'not_allowed')
    const [unhappy, reason] = [use['unhappy'] as readonly Json[], String(use['reason'])]
    if (unhappy.includes(next[field] ?? null) && isBlank(input(reason))) fail(reason, 'blank')
  },
}
