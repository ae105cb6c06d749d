import type { Role } from '../core/call.js'
import type { Rule } from '../schema/define-rule.js'

/** The referenced person must have this very role in the account of the record (gaps 7.17: the manager of a release). */
export function mustHaveRole(field: string, role: Role) {
  return { rule: 'mustHaveRole', field, role } as const
}

export const mustHaveRoleRule: Rule = {
  fields: (use) => [String(use['field'])],
  async before({ changed, fail, fieldOf, hasRole, next }, use) {
    const [field, role] = [String(use['field']), use['role'] as Role]
    const { column } = fieldOf(field)
    if (!next[column] || !changed(column)) return
    if (!(await hasRole(next[column], role))) fail(field, 'role_missing', { role })
  },
}
