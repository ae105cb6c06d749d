import { rule } from '../../schema/language/define-rule.js'

/**
 * The reference names the person who changed the record last; null when the system did. List it after all rules that set a
 * value.
 */
export const changedBy = rule('changedBy', (field: string) => ({
  fields: [field],
  fill({ call, changed, fieldOf, next }) {
    if (Object.keys(next).some(changed)) next[fieldOf(field).column] = call.actor?.id ?? null
  },
}))
