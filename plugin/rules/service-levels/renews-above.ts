import type { Json } from '../../schema/kinds/fields.js'
import { rule } from '../../schema/language/define-rule.js'
import { renew } from '../general/renews.js'
import { impactsAbove } from './hierarchy.js'

/**
 * The impact on a service instance that is built on another one follows from their relation: makes the affected SLAs of the upper
 * one due, and of all that are built on that (behaviour: Affected SLAs). For the sub-records that name it in the field.
 */
export const renewsAbove = rule('renewsAbove', (field: string, { relation }: { readonly relation: string }) => ({
  fields: [field, relation],
  alsoOnUndo: true,
  async writtenAll(contexts, others) {
    const upper = contexts.flatMap(({ before, changed, fieldOf, next }): readonly (Json | undefined)[] => {
      const { column } = fieldOf(field)
      return changed(column) || changed(relation) ? [before?.[column], next[column]] : []
    })
    const [first] = contexts
    if (first) await renewAll(upper, first, others)
  },
  async removed(context) {
    await renewAll([context.next[context.fieldOf(field).column]], context, context)
  },
}))

async function renewAll(
  ids: readonly (Json | undefined)[],
  context: Parameters<typeof impactsAbove>[0],
  others: Parameters<typeof renew>[3],
): Promise<void> {
  const above = await Promise.all(ids.map((id) => impactsAbove(context, id ?? null, null)))
  await renew(
    'affected_sla',
    ['service_instance'],
    above.flatMap((found) => [...found.keys()]),
    others,
  )
}
