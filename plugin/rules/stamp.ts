/** Values that follow the status of a record. */
import type { Rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

interface StatusTest {
  readonly field: string
  readonly values: readonly Json[]
}

/** Sets the column to the time of the call when the field takes one of the values, and clears it when it leaves them. */
export function stamp(column: string, test: StatusTest) {
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
  before({ call, before, next }, use) {
    const [column, field, values] = [String(use['column']), String(use['field']), use['values'] as readonly Json[]]
    const isSo = values.includes(next[field] ?? null)
    const wasSo = before !== null && values.includes(before[field] ?? null)
    if (isSo && !wasSo) next[column] = call.now
    else if (!isSo) next[column] = null
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
