import { type OtherRecords, type Row, type RuleContext, rule } from '../../schema/language/define-rule.js'

interface MirrorSettings {
  /** The field that holds the kind of the relation. */
  readonly relation: string
  /**
   * The kind on the other side for each kind: `{ parent: 'child', child: 'parent' }`; kinds that are not named stay the same.
   */
  readonly inverse?: { readonly [kind: string]: string }
  /** The record type of the sub-records on the other side, if it is another one. */
  readonly record?: string
}

/**
 * For sub-records that relate their owner to another record of its type, which the field refers to. Both sides show the
 * relation, so the other record gets a sub-record that follows this one (parent on one side is child on the other; behaviour:
 * Configuration items).
 *
 * Saving the mirror runs this rule again. It finds the original, which already matches, so the recursion ends.
 */
export const mirrored = rule('mirrored', (field: string, { relation, inverse = {}, record }: MirrorSettings) => {
  const inverseOf = (row: Row) => {
    const kind = String(row[relation])
    return Object.hasOwn(inverse, kind) ? String(inverse[kind]) : kind
  }

  /** The sub-record of the other record that mirrors the row. */
  const mirrorOf = async ({ fieldOf, findBy, type }: RuleContext, row: Row | null): Promise<Row | null> => {
    const { column } = fieldOf(field)
    const other = row?.[column]
    if (!row || !other) return null
    const found = await findBy(record ?? type, 'owner_id', other, { owner_type: String(row['owner_type']) })
    return found.find((part) => part[column] === row['owner_id'] && part[relation] === inverseOf(row)) ?? null
  }

  /** Changes that the mirror of a sub-record needs. */
  const stepsFor = async (context: RuleContext) => {
    const { before, changed, fieldOf, load, next } = context
    const { column } = fieldOf(field)
    const [stale, mirror] = await Promise.all([mirrorOf(context, before), mirrorOf(context, next)])
    if (stale && !mirror && !changed(column))
      return { renamed: { id: Number(stale['id']), body: { [relation]: inverseOf(next) } } }
    const removed = stale ? Number(stale['id']) : null
    const other = mirror ? null : await load(String(next['owner_type']), next[column])
    // Records of other accounts are not changed: people there would not see the cause.
    if (other?.['account_id'] !== next['account_id']) return { removed }
    const owner = { type: String(next['owner_type']), id: Number(next[column]) }
    return { removed, made: { id: null, body: { [column]: next['owner_id'] ?? null, [relation]: inverseOf(next) }, owner } }
  }

  return {
    fields: [field, relation],
    keeps: { [record ? `${record}.${relation}` : relation]: [field, relation, 'owner'] },
    check({ fail, fieldOf, next }) {
      const { column } = fieldOf(field)
      if (next[column] && next[column] === next['owner_id']) fail(field, 'not_allowed')
    },
    async writtenAll(contexts: readonly RuleContext[], { removeEach, saveAll }: OtherRecords) {
      const touched = contexts.filter(({ changed, fieldOf }) => changed(fieldOf(field).column) || changed(relation))
      const [first] = touched
      if (!first) return
      const steps = await Promise.all(touched.map(stepsFor))
      const removed = steps.flatMap((step) => step.removed ?? [])
      await removeEach(record ?? first.type, removed)
      const saved = steps.flatMap(({ made, renamed }) => made ?? renamed ?? [])
      await saveAll(record ?? first.type, saved)
    },
    async removed(context) {
      const mirror = await mirrorOf(context, context.next)
      if (mirror) await context.remove(record ?? context.type, Number(mirror['id']))
    },
  }
})
