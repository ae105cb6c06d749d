/** The roles of people in accounts: /people/:id/permissions (behaviour: Roles). */
import type { Accounts } from '../../access/people/accounts.js'
import type { People } from '../../access/people/people.js'
import { mustAllow } from '../../access/tokens/token-limits.js'
import { type Call, ROLES, type Role } from '../../core/call.js'
import { Forbidden, Invalid, NotFound } from '../../core/errors.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Row } from '../../schema/language/define-rule.js'
import { dbOf, inTransaction } from '../../storage/database/transaction.js'
import type { Precondition } from '../contract.js'
import { knowsRoles } from '../read/knows-roles.js'
import { reachableRow } from '../read/visible.js'
import { addLinesOf } from '../save/audit.js'
import type { WriteDeps } from '../save/related/write-deps.js'

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
  add(...change: Change<readonly string[]>): Promise<AccountRoles>
  replace(...change: Change<readonly string[]>): Promise<AccountRoles>
  /** Removes roles; null means all of that account. */
  revoke(...change: Change<readonly string[] | null>): Promise<void>
  revokeAll(call: Call, personId: number, precondition?: Precondition): Promise<void>
}

type Change<Roles> = [call: Call, personId: number, accountId: string, roles: Roles, precondition?: Precondition | undefined]

export function createPermissions(deps: WriteDeps, accounts: Accounts, people: People, type: RecordType): Permissions {
  const table = deps.storage.table('permissions')

  const rolesNow = async (call: Call, personId: number): Promise<Map<string, Role[]>> => {
    const rows: { account_id: string; role: string }[] = await dbOf(deps.storage, call)(table).where({ person_id: personId })
    const found = new Map<string, Role[]>()
    for (const role of ROLES) {
      for (const row of rows) if (row.role === role) found.set(row.account_id, [...(found.get(row.account_id) ?? []), role])
    }
    return found
  }

  const change = (
    call: Call,
    personId: number,
    accountId: string,
    wanted: (now: readonly Role[]) => readonly Role[],
    precondition?: Precondition,
  ) =>
    inTransaction(deps.storage, call, async (inside) => {
      mustAllow(inside, 'update', type)
      // Locked: the new roles depend on the current ones.
      const row = await reachableRow(deps, inside, type, personId, { lock: true })
      // Read on the connection of the transaction: an embedded database has no other.
      const name = (await accounts.names(inside, [accountId])).get(accountId)
      if (name === undefined) throw new NotFound()
      const callersRoles = await rolesOfCaller(inside, people, accountId)
      if (!callersRoles.has('account_administrator')) throw new Forbidden()
      const before = (await rolesNow(inside, personId)).get(accountId) ?? []
      const after = ROLES.filter((role) => wanted(before).includes(role))
      const ownership = before.includes('account_owner') !== after.includes('account_owner')
      if (ownership && !callersRoles.has('account_owner')) throw new Forbidden()
      await precondition?.(inside, null)
      await store(inside, row, accountId, before, after)
      return { account: { id: accountId, name }, roles: after }
    })

  const store = async (call: Call, row: Row, accountId: string, before: readonly Role[], after: readonly Role[]) => {
    if (before.join() === after.join()) return
    const person_id = Number(row['id'])
    const db = dbOf(deps.storage, call)
    const [gone, added] = [before.filter((role) => !after.includes(role)), after.filter((role) => !before.includes(role))]
    if (gone.length > 0) await db(table).where({ person_id, account_id: accountId }).whereIn('role', gone).delete()
    if (added.length > 0) {
      const rows = added.map((role) => ({ person_id, account_id: accountId, role }))
      await db(table).insert(rows).onConflict(['person_id', 'account_id', 'role']).ignore()
    }
    const changes = { [`roles in ${accountId}`]: [before.join(', ') || null, after.join(', ') || null] } as const
    await addLinesOf(deps, call, type, [row], 'update', changes)
  }

  return {
    async list(call, personId) {
      mustAllow(call, 'read', type)
      const row = await reachableRow(deps, call, type, personId)
      const isOwn = call.actor?.id === personId
      if (!isOwn && !knowsRoles(call)) throw new Forbidden()
      const isOfAccount = isOwn || call.bypassesPermissions || row['account_id'] === call.account.id
      const all = [...(await rolesNow(call, personId))]
      // Roles of people of another account elsewhere are visible only in their own account.
      const found = new Map(isOfAccount ? all : all.filter(([id]) => id === call.account.id))
      const names = await accounts.names(call, [...found.keys()])
      return [...found].map(([id, roles]) => ({ account: { id, name: names.get(id) ?? id }, roles }))
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
      await inTransaction(deps.storage, call, async (inside) => {
        mustAllow(inside, 'update', type)
        await reachableRow(deps, inside, type, personId, { lock: true })
        // Asked once, before the first roles are removed, and after the permission to remove them.
        let open = precondition
        for (const accountId of (await rolesNow(inside, personId)).keys()) {
          await this.revoke(inside, personId, accountId, null, open)
          open = undefined
        }
        await open?.(inside, null)
      })
    },
  }
}

/** Roles of the caller in the account that roles are granted in, which may not be the one of the call. */
async function rolesOfCaller(call: Call, people: People, accountId: string): Promise<ReadonlySet<Role>> {
  if (call.bypassesPermissions) return new Set(ROLES)
  if (!call.actor) throw new Forbidden()
  return accountId === call.account.id ? call.roles : people.rolesOf(call.actor.id, accountId, call)
}

function checkRoles(names: readonly string[]): readonly Role[] {
  const unknown = names.filter((name) => !ROLES.some((role) => role === name))
  if (unknown.length > 0) throw new Invalid([['roles', 'inclusion']])
  return ROLES.filter((role) => names.includes(role))
}
