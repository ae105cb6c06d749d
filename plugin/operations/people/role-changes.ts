/** Changes the roles of people in accounts, many at once (behaviour: Roles). */
import type { Accounts } from '../../access/people/accounts.js'
import type { People } from '../../access/people/people.js'
import { mustAllow } from '../../access/tokens/token-limits.js'
import { type Call, ROLES, type Role } from '../../core/call.js'
import { chunksOf } from '../../core/chunks.js'
import { Forbidden, type ItsmError, NotFound } from '../../core/errors.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Json } from '../../schema/kinds/fields.js'
import type { Row } from '../../schema/language/define-rule.js'
import { dbOf } from '../../storage/database/transaction.js'
import { reachableRows } from '../read/visible.js'
import { addLinesOf } from '../save/audit.js'
import type { Changes } from '../save/related/changed-parts.js'
import type { WriteDeps } from '../save/related/write-deps.js'

/** A change of the roles of a person in an account. */
export interface RoleChange {
  readonly personId: number
  readonly accountId: string
  /** The roles that the person is to have there, given those that it has. */
  wanted(now: readonly Role[]): readonly Role[]
}

/** The roles before and after, in the order of ROLES; or why they stay as they are. */
export type RoleOutcome =
  | {
      readonly account: { readonly id: string; readonly name: string }
      readonly before: readonly Role[]
      readonly after: readonly Role[]
    }
  | { readonly refused: ItsmError }

/** The roles of people, by person and account. */
export type RolesByPerson = ReadonlyMap<number, ReadonlyMap<string, readonly Role[]>>

/** Dependencies of changing roles. */
export interface RoleChangeDeps {
  readonly write: WriteDeps
  readonly accounts: Pick<Accounts, 'names'>
  readonly people: Pick<People, 'rolesOf'>
  /** The record type of people. */
  readonly type: RecordType
}

/** Begins the name of a change of roles in audit lines; the id of the account follows. */
const ROLES_IN = 'roles in '

/** The account of a change of roles, by its name in an audit line; null for other changes. */
export function accountOfRoles(name: string): string | null {
  return name.startsWith(ROLES_IN) ? name.slice(ROLES_IN.length) : null
}

/** The roles in an audit line. */
export function rolesInText(text: Json): readonly Role[] {
  const names = typeof text === 'string' ? text.split(', ') : []
  return ROLES.filter((role) => names.includes(role))
}

/** Reads the roles of people, in the order of ROLES. */
export async function readRoles({ storage }: WriteDeps, call: Call, ids: readonly number[]): Promise<RolesByPerson> {
  const found = new Map<number, Map<string, Role[]>>()
  if (ids.length === 0) return found
  const rows: { person_id: number | string; account_id: string; role: string }[] = await dbOf(
    storage,
    call,
  )(storage.table('permissions'))
    .whereIn('person_id', [...ids])
    .orderBy(['person_id', 'account_id'])
    .select('person_id', 'account_id', 'role')
  for (const role of ROLES) {
    for (const row of rows) {
      if (row.role !== role) continue
      const ofPerson = found.get(Number(row.person_id)) ?? new Map<string, Role[]>()
      found.set(Number(row.person_id), ofPerson)
      ofPerson.set(row.account_id, [...(ofPerson.get(row.account_id) ?? []), role])
    }
  }
  return found
}

/**
 * Changes roles in the transaction of the call, with a number of queries that does not grow with the people. Several changes of one
 * person are made in their order.
 *
 * @param beforeStoring runs when all changes were decided on, and nothing was written
 * @returns an outcome for each change
 * @throws Forbidden if the token of the caller does not open people
 */
export async function changeRoles(
  { accounts, people, type, write }: RoleChangeDeps,
  call: Call,
  changes: readonly RoleChange[],
  beforeStoring: (outcomes: readonly RoleOutcome[]) => Promise<void> = async () => {},
): Promise<readonly RoleOutcome[]> {
  mustAllow(call, 'update', type)
  // Locked: the new roles depend on the current ones.
  const ids = [...new Set(changes.map(({ personId }) => personId))]
  const rows = await reachableRows(write, call, type, ids, { lock: true })
  const accountIds = [...new Set(changes.map(({ accountId }) => accountId))]
  // Read on the connection of the transaction: an embedded database has no other.
  const names = await accounts.names(call, accountIds)
  const callers = new Map<string, ReadonlySet<Role>>()
  for (const id of names.keys()) callers.set(id, await rolesOfCaller(call, people, id))

  const now = new Map([...(await readRoles(write, call, ids))].map(([id, roles]) => [id, new Map(roles)]))
  const outcomes = changes.map(({ accountId, personId, wanted }): RoleOutcome => {
    const name = names.get(accountId)
    if (!rows.has(personId) || name === undefined) return { refused: new NotFound() }
    const ofCaller = callers.get(accountId)
    if (!ofCaller?.has('account_administrator')) return { refused: new Forbidden() }
    const ofPerson = now.get(personId) ?? new Map<string, readonly Role[]>()
    const before = ofPerson.get(accountId) ?? []
    const meant = wanted(before)
    const after = ROLES.filter((role) => meant.includes(role))
    const isOwnership = before.includes('account_owner') !== after.includes('account_owner')
    if (isOwnership && !ofCaller.has('account_owner')) return { refused: new Forbidden() }
    now.set(personId, ofPerson.set(accountId, after))
    return { account: { id: accountId, name }, before, after }
  })
  await beforeStoring(outcomes)
  await store(write, call, type, rows, changes, outcomes)
  return outcomes
}

/** A role in an account that a person has, or has no more, after several changes. */
interface Grant {
  readonly person_id: number
  readonly account_id: string
  readonly role: Role
  readonly isHeld: boolean
}

async function store(
  write: WriteDeps,
  call: Call,
  type: RecordType,
  people: ReadonlyMap<number, Row>,
  changes: readonly RoleChange[],
  outcomes: readonly RoleOutcome[],
): Promise<void> {
  const grants = new Map<string, Grant>()
  const rows: Row[] = []
  const lines: Changes[] = []
  for (const [index, { accountId, personId }] of changes.entries()) {
    const outcome = outcomes[index]
    const row = people.get(personId)
    if (!row || !outcome || 'refused' in outcome) continue
    const { after, before } = outcome
    const changed = ROLES.filter((role) => before.includes(role) !== after.includes(role))
    if (changed.length === 0) continue
    for (const role of changed) {
      const grant = { person_id: personId, account_id: accountId, role, isHeld: after.includes(role) }
      grants.set(`${personId} ${accountId} ${role}`, grant)
    }
    rows.push(row)
    lines.push({ [`${ROLES_IN}${accountId}`]: [before.join(', ') || null, after.join(', ') || null] })
  }
  await storeGrants(write, call, [...grants.values()])
  await addLinesOf(write, call, type, rows, 'update', lines)
}

/** Grants per insert: an embedded database takes no more than 500 rows. */
const MAX_GRANTS = 200

/** Statements grow with the roles and accounts, and very slowly with the people. */
async function storeGrants({ storage }: WriteDeps, call: Call, grants: readonly Grant[]): Promise<void> {
  const db = dbOf(storage, call)
  const table = storage.table('permissions')
  const gone = new Map<string, Grant[]>()
  for (const grant of grants.filter(({ isHeld }) => !isHeld)) {
    const key = `${grant.account_id} ${grant.role}`
    gone.set(key, [...(gone.get(key) ?? []), grant])
  }
  for (const some of gone.values()) {
    const [{ account_id, role } = {}] = some
    const people = some.map(({ person_id }) => person_id)
    await db(table).where({ account_id, role }).whereIn('person_id', people).delete()
  }
  const added = grants.filter(({ isHeld }) => isHeld).map(({ isHeld: _, ...row }) => row)
  for (const some of chunksOf(added, MAX_GRANTS))
    await db(table)
      .insert([...some])
      .onConflict(['person_id', 'account_id', 'role'])
      .ignore()
}

/** Roles of the caller in the account that roles are granted in, which may not be the one of the call. */
async function rolesOfCaller(call: Call, people: Pick<People, 'rolesOf'>, accountId: string): Promise<ReadonlySet<Role>> {
  if (call.bypassesPermissions) return new Set(ROLES)
  if (!call.actor) throw new Forbidden()
  return accountId === call.account.id ? call.roles : people.rolesOf(call.actor.id, accountId, call)
}
