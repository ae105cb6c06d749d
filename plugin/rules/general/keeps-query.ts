import { rule } from '../../schema/language/define-rule.js'

/**
 * A text has parameters of the list of the record type that another field names, as the list itself would read them in strict
 * handling. Both are looked at only when one of them changes: a type or a filter that is gone does not lock the record.
 */
export const keepsQuery = rule('keepsQuery', (query: string, { of }: { readonly of: string }) => ({
  fields: [query, of],
  async check({ changed, fail, mistakeInQuery, next }) {
    const type = next[of]
    if (typeof type !== 'string' || (!changed(query) && !changed(of))) return
    if ((await mistakeInQuery(type, '')) !== null) return fail(of, 'no_list', { name: type })
    const mistake = await mistakeInQuery(type, String(next[query] ?? ''))
    if (mistake !== null) fail(query, 'query_mistake', { type, mistake })
  },
}))
