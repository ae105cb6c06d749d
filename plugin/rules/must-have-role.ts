import type { Role } from '../core/call.js'
import { rule } from '../schema/define-rule.js'

/**
 * The person whom the caller names must have this very role in the account of the record (the manager of a release;
 * behaviour: Releases). People who are filled in need not: whoever may create a record may leave the field out, and what a
 * service defines holds.
 */
export const mustHaveRole = rule('mustHaveRole', (field: string, role: Role) => ({
  fields: [field],
  async check({ changed, fail, fieldOf, given, hasRole, next }) {
    const { column } = fieldOf(field)
    if (!next[column] || !changed(column) || !given.has(field)) return
    if (!(await hasRole(next[column], role))) fail(field, 'role_missing', { role })
  },
}))
