import { isOfRule, type Role } from '../../core/call.js'
import { rule } from '../../schema/language/define-rule.js'

/**
 * A person whom the caller names must have exactly this role in the account of the record (the manager of a release; behaviour:
 * Releases). People whom other rules fill in are not checked: callers may omit the field, and the person that a service defines
 * is accepted.
 */
export const mustHaveRole = rule('mustHaveRole', (field: string, role: Role) => ({
  fields: [field],
  async check({ call, changed, fail, fieldOf, given, hasRole, next }) {
    const { column } = fieldOf(field)
    if (isOfRule(call)) return
    if (!next[column] || !changed(column) || !given.has(field)) return
    if (!(await hasRole(next[column], role))) fail(field, 'role_missing', { role })
  },
}))
