/** Records that wait for another one, as a problem waits for the change that will solve it. */
import type { Rule } from '../schema/define-rule.js'

interface PendingSettings {
  readonly status: string
  /** The status while the reference is there … */
  readonly pending: string
  /** … and when it is taken away. */
  readonly otherwise: string
  /** Statuses that the reference does not change. */
  readonly final: readonly string[]
}

/** Setting the reference makes the record wait, and clearing it ends that, unless the caller sends a status (gaps 7.4, 7.6). */
export function pendingWith(field: string, settings: PendingSettings) {
  return { rule: 'pendingWith', field, ...settings } as const
}

/** Only one of the two references can be set (gaps 7.6: change and project). */
export function notBoth(one: string, other: string, settings: { readonly code: string }) {
  return { rule: 'notBoth', one, other, ...settings } as const
}

export const pendingWithRule: Rule = {
  fields: (use) => [String(use['field']), String(use['status'])],
  before({ changed, fieldOf, given, next }, use) {
    const status = String(use['status'])
    const { column } = fieldOf(String(use['field']))
    const current = String(next[status])
    if (!changed(column) || given.has(status) || (use['final'] as readonly string[]).includes(current)) return
    if (next[column]) next[status] = String(use['pending'])
    else if (current === use['pending']) next[status] = String(use['otherwise'])
  },
}

export const notBothRule: Rule = {
  fields: (use) => [String(use['one']), String(use['other'])],
  before({ changed, fail, fieldOf, next }, use) {
    const [one, other] = [fieldOf(String(use['one'])), fieldOf(String(use['other']))]
    if (!next[one.column] || !next[other.column]) return
    // The one that is new is to blame.
    if (changed(other.column)) fail(String(use['other']), String(use['code']))
    else if (changed(one.column)) fail(String(use['one']), String(use['code']))
  },
}
