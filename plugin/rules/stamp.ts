/** Values that follow the status of a record. */
import type { Rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

interface StatusTest {
  readonly field: string
  readonly values: readonly Json[]
}

/**
 * Sets the column to the time of the call, or to the one that the caller sends, when the field takes one of the values. It is
 * cleared when the field leaves them, or, where `until` names values, not before the field takes one of those.
 */
export function stamp(column: string, test: StatusTest & { readonly until?: readonly Json[] }) {
  return { rule: 'stamp', column, ...test } as const
}

/** Holds the column true while the field has one of the values. */
export function whileStatus(column: string, test: StatusTest) {
  return { rule: 'whileStatus', column, ...test } as const
}

/** Clears the column when the field takes the value. */
export function clearWhen(column: string, test: { readonly field: string; readonly becomes: Json }) {
  return { rule: 'clearWhen', column, ...test } as const
}

export const stampRule: Rule = {
  fields: (use) => [String(use['column']), String(use['field'])],
  before({ call, before, given, next }, use) {
    const [column, field, values] = [String(use['column']), String(use['field']), use['values'] as readonly Json[]]
    const until = use['until'] as readonly Json[] | undefined
    const value = next[field] ?? null
    const isSo = values.includes(value)
    const wasSo = before !== null && values.includes(before[field] ?? null)
    if (isSo && !wasSo && !given.has(column)) next[column] = call.now
    else if (isSo) next[column] ??= call.now
    else if (!until || until.includes(value)) next[column] = null
  },
}

export const whileStatusRule: Rule = {
  fields: (use) => [String(use['column']), String(use['field'])],
  before({ next }, use) {
    next[String(use['column'])] = (use['values'] as readonly Json[]).includes(next[String(use['field'])] ?? null)
  },
}

export const clearWhenRule: Rule = {
  fields: (use) => [String(use['column']), String(use['field'])],
  before({ before, changed, next }, use) {
    const field = String(use['field'])
    if (before && changed(field) && next[field] === use['becomes']) next[String(use['column'])] = null
  },
}
