import { rule } from '../../schema/language/define-rule.js'

/** The field is true while the values of the other fields come from an import (behaviour: Sites). */
export const setByImport = rule('setByImport', (field: string, { of }: { readonly of: readonly string[] }) => ({
  fields: [field, ...of],
  fill({ call, changed, given, next }) {
    if (given.has(field) || !of.some((name) => changed(name))) return
    next[field] = call.origin === 'import' && of.some((name) => (next[name] ?? null) !== null)
  },
}))
