import type { Json } from '../../schema/kinds/fields.js'
import type { Row, RuleContext } from '../../schema/language/define-rule.js'

/** Enabled teams of a person, lowest id first; empty without a person. */
export function teamsOf({ findBy }: Pick<RuleContext, 'findBy'>, person: Json | undefined): Promise<readonly Row[]> {
  return findBy('team', 'members', person, { disabled: false })
}

/** The first enabled team of a person; null if there is none. */
export async function teamOf(context: Pick<RuleContext, 'findBy'>, person: Json | undefined): Promise<Json> {
  const [first] = await teamsOf(context, person)
  return first?.['id'] ?? null
}
