/** Defaults for values that the caller omits. */
import { isOfRule } from '../../core/call.js'
import { rule } from '../../schema/language/define-rule.js'

/** On creation the reference defaults to the acting person. What a rule sends empty stays empty. */
export const fillWithCaller = rule('fillWithCaller', <const N extends string>(field: N) => ({
  fields: [field],
  fills: [field],
  fill({ before, call, fieldOf, given, next }) {
    if (before || (isOfRule(call) && given.has(field))) return
    next[fieldOf(field).column] ??= call.actor?.id ?? null
  },
}))

/** An empty field takes the value of another one. */
export const fallBackTo = rule('fallBackTo', <const N extends string>(field: N, other: string) => ({
  fields: [field, other],
  fills: [field],
  fill({ fieldOf, next }) {
    next[fieldOf(field).column] ??= next[fieldOf(other).column] ?? null
  },
}))

/** On creation the field is copied from a referenced record; later changes of that record do not matter. */
export const copyOnCreate = rule(
  'copyOnCreate',
  <const N extends string>(target: N, { from, field }: { readonly from: string; readonly field: string }) => ({
    fields: [target, from],
    fills: [target],
    looksUp: [{ path: `${from}.${field}` }],
    async fill({ before, fieldOf, load, next }) {
      if (before) return
      const reference = fieldOf(from)
      const source = await load(reference.record, next[reference.column])
      if (source) next[fieldOf(target).column] = source[`${field}_id`] ?? source[field] ?? null
    },
  }),
)

/** Counts how often a reference was set to another record of the same account as the record itself. */
export const countChanges = rule('countChanges', (field: string, settings: { readonly of: string }) => ({
  fields: [field, settings.of],
  async fill({ before, changed, fieldOf, load, next }) {
    const { column, record } = fieldOf(settings.of)
    const other = changed(column) ? await load(record, next[column]) : null
    const isOwn = other !== null && other['account_id'] === next['account_id']
    next[field] = Number(before?.[field] ?? 0) + (isOwn ? 1 : 0)
  },
}))
