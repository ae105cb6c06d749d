import { isBlank } from '../../core/text/blank.js'
import type { Json } from '../../schema/kinds/fields.js'
import { rule } from '../../schema/language/define-rule.js'

interface RatingSettings {
  /** The fields with the people who may rate. */
  readonly by: readonly string[]
  readonly status: string
  /** Values of the status of a record that can be rated. */
  readonly values: readonly Json[]
  /** Ratings that need a reason. */
  readonly unhappy: readonly Json[]
  /** The field with that reason. */
  readonly reason: string
}

/**
 * Only the people in the fields `by` may set the field, and only while the stored record has one of the values (satisfaction of
 * a completed request; behaviour: Requests). Checked in the transaction, because the record may have changed since the caller
 * read it. The values `unhappy` need a reason in the field `reason`.
 */
export const ratedBy = rule('ratedBy', (field: string, { by, reason, status, unhappy, values }: RatingSettings) => ({
  fields: [field, status, reason, ...by],
  check({ before, call, fail, fieldOf, given, input, next }) {
    if (!before || !given.has(field)) return
    const people = by.map((name) => before[fieldOf(name).column])
    const isRatable = values.includes(before[fieldOf(status).column] ?? null)
    if (!isRatable || !call.actor || !people.includes(call.actor.id)) fail(field, 'not_allowed')
    if (unhappy.includes(next[field] ?? null) && isBlank(input(reason))) fail(reason, 'blank')
  },
}))
