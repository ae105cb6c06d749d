/** Permissions in definitions. */
import type { Role } from '../../core/call.js'

/**
 * People: those with a role in the call's account, or every signed-in person (`anyone`). Or people that the record names: the
 * one that it describes (`self`), the `person` in a reference field, or the members of the team in one (`memberOf`).
 */
export type Who = Role | 'anyone' | 'self' | { readonly person: string } | { readonly memberOf: string }
/** A permission to change records: people, or people (`who`) who may change only these `fields`. */
export type Grant = Who | { readonly who: Who; readonly fields: readonly string[] }

/** True for a grant of some fields only. */
export function isLimited(grant: Grant): grant is Extract<Grant, { fields: readonly string[] }> {
  return typeof grant === 'object' && 'who' in grant
}

/** The people of a grant. */
export function whoOf(grant: Grant): Who {
  return isLimited(grant) ? grant.who : grant
}

/** The name of a grant in messages; equal grants have the same name. */
export function grantName(grant: Grant): string {
  if (typeof grant === 'string') return grant
  if (isLimited(grant)) return `${grantName(grant.who)} (only ${grant.fields.join(', ')})`
  return 'memberOf' in grant ? `members of ${grant.memberOf}` : `their ${grant.person}`
}

/** The reference field of the record that names the person or team; null for roles and the like. */
export function fieldNaming(who: Who): string | null {
  if (typeof who !== 'object') return null
  return 'memberOf' in who ? who.memberOf : who.person
}
