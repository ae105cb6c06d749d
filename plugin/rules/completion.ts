import { type FillContext, rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

interface StatusSettings {
  /** The field with the reason why the record is completed. */
  readonly reason: string
  /** The status of a record with a reason. */
  readonly completed: string
  /** The status of a new record, and of one whose reason is removed. */
  readonly open: string
}

/**
 * The system sets the status. People complete the record by giving the reason and open it again by removing the reason. Any
 * other status in the input is refused, unless the record has it already (behaviour: All record types, Projects, Changes).
 */
export const completedByReason = rule('completedByReason', (field: string, settings: StatusSettings) => ({
  fields: [field, settings.reason],
  moves: [
    { to: settings.completed, by: 'the manager', when: 'the manager gives the completion reason' },
    { from: [settings.completed], to: settings.open, by: 'the manager', when: 'the manager removes the completion reason' },
  ],
  // Check the input here: later rules may clear the reason.
  fill(context) {
    const { call, fail, given, next } = context
    const status = statusOf(context, field, settings)
    // An import brings decisions of another system.
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
