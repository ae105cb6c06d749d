import { isOfSettling } from '../../core/call.js'
import type { Json } from '../../schema/kinds/fields.js'
import { type FillContext, rule } from '../../schema/language/define-rule.js'

interface StatusSettings {
  /** The field with the reason why the record is completed. */
  readonly reason: string
  /** The status of a record with a reason. */
  readonly completed: string
  /** The status of a new record, and of one whose reason is removed. */
  readonly open: string
  /** The field that is true while settling has found the reason, and nobody has given it. */
  readonly computed: string
}

/**
 * The system sets the status. People complete the record by giving the reason and open it again by removing the reason. Any
 * other status in the input is refused, unless the record has it already (behaviour: All record types, Projects, Changes). A
 * reason in the input counts as given by somebody, even if it is the one that the record has.
 */
export const completedByReason = rule('completedByReason', (field: string, settings: StatusSettings) => ({
  fields: [field, settings.reason, settings.computed],
  moves: [
    { to: settings.completed, by: 'the manager', when: 'the manager gives the completion reason' },
    { from: [settings.completed], to: settings.open, by: 'the manager', when: 'the manager removes the completion reason' },
  ],
  // Check the input here: later rules may clear the reason.
  fill(context) {
    const { call, changed, fail, given, next } = context
    const { computed, reason } = settings
    if (!isOfSettling(call) && (given.has(reason) || changed(reason))) next[computed] = false
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
