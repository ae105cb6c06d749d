import { rule } from '../schema/define-rule.js'

/** The reference names who changed the record last; null when the service did. Stands behind all rules that set something. */
export const changedBy = rule('changedBy', (field: string) => ({
  fields: [field],
  fill({ call, changed, fieldOf, next }) {
    if (Object.keys(next).some(changed)) next[fieldOf(field).column] = call.actor?.id ?? null
  },
}))
