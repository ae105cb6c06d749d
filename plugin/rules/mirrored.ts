import type { RuleUse } from '../schema/define-record.js'
import type { Row, Rule, RuleContext } from '../schema/define-rule.js'

interface MirrorSettings {
  /** The field that holds the kind of the relation. */
  readonly relation: string
  /** What the other side calls each kind: `{ parent: 'child', child: 'parent' }`; kinds that are not named are the same. */
  readonly inverse?: { readonly [kind: string]: string }
  /** The record type of the parts of the other side, when it is another one. */
  readonly record?: string
}

/**
 * For parts that relate their owner to another record of its type, which the field refers to: each is shown from both sides,
 * so the other record gets a part of its own that follows this one (gaps 6.5: parent on one side is child on the other).
 */
export function mirrored(field: string, settings: MirrorSettings) {
  return { rule: 'mirrored', field, inverse: {}, ...settings } as const
}

/**
 * A mirror is saved and removed by its own rules, and looks for its mirror in turn: it finds the part that it was made for,
 * so nothing goes on for ever.
 */
export const mirroredRule: Rule = {
  fields: (use) => [String(use['field']), String(use['relation'])],
  before({ fail, fieldOf, next }, use) {
    const field = String(use['field'])
    const { column } = fieldOf(field)
    if (next[column] && next[column] === next['owner_id']) fail(field, 'not_allowed')
  },
  async after(context, use) {
    const { before, changed, fieldOf, next, remove, save, type } = context
    const { column } = fieldOf(String(use['field']))
    const relation = String(use['relation'])
    if (!changed(column) && !changed(relation)) return
    const record = String(use['record'] ?? type)
    const stale = before && (await mirrorOf(context, use, before))
    const isThere = (await mirrorOf(context, use, next)) !== null
    const kind = inverseOf(use, next)
    if (stale && !isThere && !changed(column)) await save(record, Number(stale['id']), { [relation]: kind })
    else {
      if (stale) await remove(record, Number(stale['id']))
      if (isThere || !(await isOfAccount(context, next, column))) return
      const owner = { type: String(next['owner_type']), id: Number(next[column]) }
      await save(record, null, { [`${use['field']}_id`]: next['owner_id'] ?? null, [relation]: kind }, owner)
    }
  },
  async removed(context, use) {
    const mirror = await mirrorOf(context, use, context.next)
    if (mirror) await context.remove(String(use['record'] ?? context.type), Number(mirror['id']))
  },
}

/** The part of the other record that says the same as the row. */
async function mirrorOf({ fieldOf, find, type }: RuleContext, use: RuleUse, row: Row): Promise<Row | null> {
  const field = String(use['field'])
  const other = row[fieldOf(field).column]
  if (!other) return null
  const [mirror] = await find(String(use['record'] ?? type), {
    owner_type: String(row['owner_type']),
    owner_id: Number(other),
    [field]: Number(row['owner_id']),
    [String(use['relation'])]: inverseOf(use, row),
  })
  return mirror ?? null
}

function inverseOf(use: RuleUse, row: Row): string {
  const kind = String(row[String(use['relation'])])
  return (use['inverse'] as { readonly [kind: string]: string })[kind] ?? kind
}

/** Records of other accounts are not changed: their people would not know why. */
async function isOfAccount({ load, next }: RuleContext, row: Row, column: string): Promise<boolean> {
  return (await load(String(next['owner_type']), row[column]))?.['account_id'] === next['account_id']
}
