import { type FillContext, rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

interface StatusSettings {
  /** The field that says why the record is completed. */
  readonly reason: string
  /** The status of a record with a reason. */
  readonly completed: string
  /** The status of a new record, and of one whose reason is taken away. */
  readonly open: string
}

/**
 * The status is set by the service. What people do is complete the record by giving the reason, and open it again by taking
 * the reason away; any other status that they send is refused, unless it is the one that the record has
 * (behaviour: All record types, Projects, Changes).
 */
export const completedByReason = rule('completedByReason', (field: string, settings: StatusSettings) => ({
  fields: [field, settings.reason],
  // What is sent is refused here: other rules may clear the reason afterwards.
  fill(context) {
    const { call, fail, given, next } = context
    const status = statusOf(context, field, settings)
    // An import brings what another system has decided.
    const mayDecide = call.bypassesPermissions || call.origin === 'import'
    if (!given.has(field)) next[field] = status
    else if (next[field] !== status && !mayDecide) fail(field, 'cannot_be_changed')
  },
}))

function statusOf(context: FillContext, field: string, { reason, completed, open }: StatusSettings): Json {
  const { before, changed, next } = context
  const stored = before?.[field] ?? open
  if (!changed(reason)) return stored
  if (next[reason]) return completed
  return stored === completed ? open : stored
}
