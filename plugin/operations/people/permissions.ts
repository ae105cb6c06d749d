/** The roles of people in accounts: /people/:id/permissions (behaviour: Roles). */
import { mustAllow } from '../../access/tokens/token-limits.js'
import { type Call, ROLES, type Role } from '../../core/call.js'
import { Forbidden, Invalid } from '../../core/errors.js'
import { inTransaction } from '../../storage/database/transaction.js'
import type { Precondition } from '../contract.js'
import { knowsRoles } from '../read/knows-roles.js'
import { reachableRow } from '../read/visible.js'
import { changeRoles, type RoleChange, type RoleChangeDeps, type RoleOutcome, readRoles } from './role-changes.js'

export interface AccountRoles {
  readonly account: { readonly id: string; readonly name: string }
  readonly roles: readonly string[]
}

export interface Permissions {
  /**
   * All roles of a person, by account; for people of another account only those in the account of the call.
   *
   * @throws NotFound, Forbidden
   */
  list(call: Call, personId: number): Promise<readonly AccountRoles[]>
  /**
   * The roles of people of the account of the call, by person and account, with one query. People whose roles the caller may not
   * know are missing.
   */
  listOf(call: Call, personIds: readonly number[]): Promise<ReadonlyMap<number, readonly AccountRoles[]>>
  add(...change: Change<readonly string[]>): Promise<AccountRoles>
  replace(...change: Change<readonly string[]>): Promise<AccountRoles>
  /** Removes roles; null means all of that account. */
  revoke(...change: Change<readonly string[] | null>): Promise<void>
  revokeAll(call: Call, personId: number, precondition?: Precondition): Promise<void>
  /** Changes the roles of many people, each change on its own, in the transaction of the call. */
  changeEach(call: Call, changes: readonly RoleChange[]): Promise<readonly RoleOutcome[]>
}

type Change<Roles> = [call: Call, personId: number, accountId: string, roles: Roles, precondition?: Precondition | undefined]

export function createPermissions(deps: RoleChangeDeps): Permissions {
  const { accounts, type, write } = deps

  const rolesNow = async (call: Call, personId: number) => (await readRoles(write, call, [personId])).get(personId) ?? new Map()

  const change = (
    call: Call,
    personId: number,
    accountId: string,
    wanted: RoleChange['wanted'],
    precondition?: Precondition,
  ): Promise<AccountRoles> =>
    inTransaction(write.storage, call, async (inside) => {
      const decided = ([outcome]: readonly RoleOutcome[]) => {
        if (!outcome) throw new Error('A change of roles has no outcome')
        if ('refused' in outcome) throw outcome.refused
        return outcome
      }
      const outcomes = await changeRoles(deps, inside, [{ personId, accountId, wanted }], async (outcomes) => {
        decided(outcomes)
        await precondition?.(inside, null)
      })
      const { account, after } = decided(outcomes)
      return { account, roles: after }
    })

  return {
    async list(call, personId) {
      mustAllow(call, 'read', type)
      const row = await reachableRow(write, call, type, personId)
      const isOwn = call.actor?.id === personId
      if (!isOwn && !knowsRoles(call)) throw new Forbidden()
      const isOfAccount = isOwn || call.bypassesPermissions || row['account_id'] === call.account.id
      const all = [...(await rolesNow(call, personId))]
      // Roles of people of another account elsewhere are visible only in their own account.
      const found = new Map(isOfAccount ? all : all.filter(([id]) => id === call.account.id))
      const names = await accounts.names(call, [...found.keys()])
      return [...found].map(([id, roles]) => ({ account: { id, name: names.get(id) ?? id }, roles }))
    },
    async listOf(call, personIds) {
      mustAllow(call, 'read', type)
      const known = knowsRoles(call) ? personIds : personIds.filter((id) => id === call.actor?.id)
      const found = await readRoles(write, call, known)
      const names = await accounts.names(call, [...new Set([...found.values()].flatMap((roles) => [...roles.keys()]))])
      const shown = (roles: ReadonlyMap<string, readonly Role[]>) =>
        [...roles].map(([id, those]): AccountRoles => ({ account: { id, name: names.get(id) ?? id }, roles: those }))
      return new Map([...found].map(([personId, roles]) => [personId, shown(roles)]))
    },
    async add(call, personId, accountId, roles, precondition) {
      const added = checkRoles(roles)
      return change(call, personId, accountId, (now) => [...now, ...added], precondition)
    },
    async replace(call, personId, accountId, roles, precondition) {
      const only = checkRoles(roles)
      return change(call, personId, accountId, () => only, precondition)
    },
    async revoke(call, personId, accountId, roles, precondition) {
      const gone = roles === null ? ROLES : checkRoles(roles)
      await change(call, personId, accountId, (now) => now.filter((role) => !gone.includes(role)), precondition)
    },
    async revokeAll(call, personId, precondition) {
      await inTransaction(write.storage, call, async (inside) => {
        mustAllow(inside, 'update', type)
        await reachableRow(write, inside, type, personId, { lock: true })
        // Asked once, before the first roles are removed, and after the permission to remove them.
        let open = precondition
        for (const accountId of (await rolesNow(inside, personId)).keys()) {
          await this.revoke(inside, personId, accountId, null, open)
          open = undefined
        }
        await open?.(inside, null)
      })
    },
    changeEach: (call, changes) => inTransaction(write.storage, call, (inside) => changeRoles(deps, inside, changes)),
  }
}

function checkRoles(names: readonly string[]): readonly Role[] {
  const unknown = names.filter((name) => !ROLES.some((role) => role === name))
  if (unknown.length > 0) throw new Invalid([['roles', 'inclusion']])
  return ROLES.filter((role) => names.includes(role))
}
