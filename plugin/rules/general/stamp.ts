/** Values that follow the status of a record. */
import type { Json } from '../../schema/kinds/fields.js'
import { rule } from '../../schema/language/define-rule.js'
import type { ValueTest } from './by-status.js'

interface StampSettings extends ValueTest {
  /** The time stays until the field takes one of these values. Default: until it leaves those of `values`. */
  readonly until?: readonly Json[]
}

/** Sets the column to the time of the call, or to the one that the caller sends, when the field takes one of the values. */
export const stamp = rule('stamp', (column: string, { field, values, until }: StampSettings) => ({
  fields: [column, field],
  keeps: { [column]: [field] },
  fill({ call, before, fail, fieldOf, given, next }) {
    const value = next[field] ?? null
    const isSo = values.includes(value)
    const wasSo = before !== null && values.includes(before[field] ?? null)
    if (isSo && !wasSo && !given.has(column)) next[column] = call.now
    else if (isSo) next[column] ??= call.now
    else if (!until || until.includes(value)) {
      // The times of an import of history stand, so that they must go with the status.
      const isOfPast = call.isHistory === true && before === null && given.has(column) && (next[column] ?? null) !== null
      if (isOfPast) fail(column, 'only_with_status', { enumeration: fieldOf(field).enumeration, values: values.map(String) })
      next[column] = null
    }
  },
}))

/** Sets the column to true while the field has one of the values, else to false. */
export const whileStatus = rule('whileStatus', (column: string, { field, values }: ValueTest) => ({
  fields: [column, field],
  keeps: { [column]: [field] },
  fill({ next }) {
    next[column] = values.includes(next[field] ?? null)
  },
}))

/** Clears the column when the field is set to the value. */
export const clearWhen = rule(
  'clearWhen',
  (column: string, { field, becomes }: { readonly field: string; readonly becomes: Json }) => ({
    fields: [column, field],
    fill({ before, changed, next }) {
      if (before && changed(field) && next[field] === becomes) next[column] = null
    },
  }),
)
