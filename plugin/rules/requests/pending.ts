/** Records that wait for another one, as a problem waits for the change that will solve it. */
import { rule } from '../../schema/language/define-rule.js'

interface PendingSettings {
  readonly status: string
  /** The status while the reference is set. */
  readonly pending: string
  /** The status after the reference is cleared. */
  readonly otherwise: string
  /** Statuses that the reference does not change. */
  readonly final: readonly string[]
}

/**
 * Setting the reference sets the pending status, and clearing it ends that status, unless the caller sends a status (behaviour:
 * Requests, Problems). A record that is completed already makes nothing wait.
 */
export const pendingWith = rule('pendingWith', (field: string, { status, pending, otherwise, final }: PendingSettings) => ({
  fields: [field, status],
  moves: [
    { notFrom: [...final, pending], to: pending, when: `a ${field} is linked that is not completed yet` },
    { from: [pending], to: otherwise, when: `the link to the ${field} is removed` },
  ],
  async fill({ changed, fieldOf, given, load, next }) {
    const { column, record } = fieldOf(field)
    const current = String(next[status])
    if (!changed(column) || given.has(status) || final.includes(current)) return
    const awaited = record ? await load(record, next[column]) : null
    const isPending = Boolean(next[column]) && awaited?.['status'] !== 'completed'
    if (isPending) next[status] = pending
    else if (current === pending) next[status] = otherwise
  },
}))

/** Only one of the two references can be set (change and project; behaviour: Problems). */
export const notBoth = rule('notBoth', (one: string, other: string, { code }: { readonly code: string }) => ({
  fields: [one, other],
  check({ changed, fail, fieldOf, next }) {
    const [first, second] = [fieldOf(one).column, fieldOf(other).column]
    if (!next[first] || !next[second]) return
    // Report the reference that was set now.
    if (changed(second)) fail(other, code)
    else if (changed(first)) fail(one, code)
  },
}))
