import type { RuleUse } from '../schema/define-record.js'
import type { Rule, RuleContext } from '../schema/define-rule.js'
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
 * the reason away; any other status that they send is refused, unless it is the one that the record has (gaps 7.0, 7.7, 7.11).
 */
export function completedByReason(field: string, settings: StatusSettings) {
  return { rule: 'completedByReason', field, ...settings } as const
}

export const completedByReasonRule: Rule = {
  fields: (use) => [String(use['field']), String(use['reason'])],
  before(context, use) {
    const { call, fail, given, next } = context
    const field = String(use['field'])
    const status = statusOf(context, use)
    // An import brings what another system has decided.
    const mayDecide = call.bypassesPermissions || call.origin === 'import'
    if (!given.has(field)) next[field] = status
    else if (next[field] !== status && !mayDecide) fail(field, 'cannot_be_changed')
  },
}

function statusOf({ before, changed, next }: RuleContext, use: RuleUse): Json {
  const stored = before?.[String(use['field'])] ?? String(use['open'])
  const reason = String(use['reason'])
  if (!changed(reason)) return stored
  if (next[reason]) return String(use['completed'])
  return stored === use['completed'] ? String(use['open']) : stored
}
