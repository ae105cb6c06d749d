import type { Json } from '../../schema/kinds/fields.js'
import { rule } from '../../schema/language/define-rule.js'

interface ValueSettings {
  /** Values that the field may have only with some values of the other field. */
  readonly values: readonly Json[]
  /** The other field, on which these values depend. */
  readonly field: string
  /** Values of the other field with which these values are allowed. */
  readonly among: readonly Json[]
  readonly code: string
}

/** Some values of a field are allowed only with some values of another one (results of approvals; behaviour: Tasks). */
export const valuesOnlyWith = rule('valuesOnlyWith', (target: string, { values, field, among, code }: ValueSettings) => ({
  fields: [target, field],
  check({ changed, fail, next }) {
    if (!changed(target) && !changed(field)) return
    if (values.includes(next[target] ?? null) && !among.includes(next[field] ?? null)) fail(target, code)
  },
}))
