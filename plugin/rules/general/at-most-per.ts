import { rule } from '../../schema/language/define-rule.js'

/**
 * Refuses one more record for the same reference than there may be. Records that are saved together are not counted among each
 * other, so that a whole array can go beyond it, once.
 */
export const atMostPer = rule('atMostPer', (field: string, { max }: { readonly max: number }) => ({
  fields: [field],
  async check({ changed, fail, fieldOf, findBy, next, type }) {
    const { column } = fieldOf(field)
    if (!changed(column) || next[column] === null) return
    const known = await findBy(type, field, next[column])
    if (known.length >= max) fail(field, 'full', { max })
  },
}))
