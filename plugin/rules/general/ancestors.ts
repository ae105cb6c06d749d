import type { Json } from '../../schema/kinds/fields.js'
import type { RuleContext } from '../../schema/language/define-rule.js'

/** Ids of a record and of those above it by `parent`, nearest first. Parents in a circle end the list. */
export async function withAncestors(
  { load }: Pick<RuleContext, 'load'>,
  record: string,
  id: Json | undefined,
): Promise<readonly Json[]> {
  const found: Json[] = []
  for (let next = id ?? null; next !== null && !found.includes(next); ) {
    found.push(next)
    next = (await load(record, next))?.['parent_id'] ?? null
  }
  return found
}
