import { type Call, hasRole } from '../../core/call.js'

/** True if the caller may know the roles that other people have in the account (behaviour: Roles). */
export function knowsRoles(call: Call): boolean {
  return hasRole(call, 'account_administrator', 'auditor')
}
