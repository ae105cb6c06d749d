import type { Rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

interface ValueSettings {
  /** Values of the field … */
  readonly values: readonly Json[]
  /** … that it can take only while this other field … */
  readonly field: string
  /** … has one of these. */
  readonly among: readonly Json[]
  readonly code: string
}

/** Some values of a field go with some values of another one only (gaps 7.1: what approvals end with). */
export function valuesOnlyWith(target: string, settings: ValueSettings) {
  return { rule: 'valuesOnlyWith', target, ...settings } as const
}

export const valuesOnlyWithRule: Rule = {
  fields: (use) => [String(use['target']), String(use['field'])],
  before({ changed, fail, next }, use) {
    const [target, field] = [String(use['target']), String(use['field'])]
    const has = (column: string, values: Json | undefined) => (values as readonly Json[]).includes(next[column] ?? null)
    if (!changed(target) && !changed(field)) return
    if (has(target, use['values']) && !has(field, use['among'])) fail(target, String(use['code']))
  },
}
