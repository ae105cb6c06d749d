/** Gives people roles on behalf of the host's own code. */
import type { Accounts } from '../../access/people/accounts.js'
import type { Callers } from '../../access/people/callers.js'
import type { People } from '../../access/people/people.js'
import { ROLES, type Role } from '../../core/call.js'
import { suggestion } from '../../core/text/nearest.js'
import { shown } from '../../core/text/shown.js'
import type { Permissions } from '../people/permissions.js'

/** Dependencies of granting roles. */
export interface GrantDeps {
  readonly people: Pick<People, 'find' | 'isKnown'>
  readonly accounts: Pick<Accounts, 'find'>
  readonly callers: Pick<Callers, 'hostCall'>
  readonly permissions: Pick<Permissions, 'add'>
}

/** Gives a person roles in an account, regardless of permissions. @throws TypeError, RangeError for wrong arguments */
export type GrantRoles = (personId: number, accountId: string, roles: readonly Role[]) => Promise<void>

/** Creates the function that grants roles. */
export function createGrant({ people, accounts, callers, permissions }: GrantDeps): GrantRoles {
  return async (personId, accountId, roles) => {
    if (!Number.isSafeInteger(personId))
      throw new TypeError(`grant: the person must be the id of a record, not ${shown(personId)}`)
    if (!Array.isArray(roles)) throw new TypeError(`grant: the roles must be an array, not ${shown(roles)}`)
    for (const role of roles as readonly unknown[]) {
      if (ROLES.some((known) => known === role)) continue
      throw new RangeError(`grant: there is no role ${shown(role)}${suggestion(String(role), ROLES)}`)
    }
    if (!(await accounts.find(accountId))) throw new RangeError(`grant: there is no account ${shown(accountId)}`)
    const person = await people.find({ id: personId })
    if (!person && !(await people.isKnown({ id: personId }))) {
      throw new RangeError(`grant: there is no person with the id ${personId}`)
    }
    // Disabled people are found only in their own account.
    const call = await callers.hostCall('grant', person?.accountId ?? accountId)
    await permissions.add(call, personId, accountId, roles)
  }
}
