/**
 * Protects people with a role from callers without it, so that an administrator cannot take over an owner's sign-in (behaviour:
 * Roles).
 */
import type { Call, Role } from '../../core/call.js'
import type { RecordField, RecordType } from '../../schema/catalog.js'
import type { Storage } from '../../storage/database/connections.js'
import { dbOf } from '../../storage/database/transaction.js'

/** True when the call must not set the field of the record with this id. */
export type Guard = (field: RecordField, id: unknown) => boolean

/** Guards nothing. */
export const OPEN: Guard = () => false

/**
 * The guard of some records; one query, and none for types without guarded fields. People with the role of a field are
 * guarded in all accounts in which they have it: the caller must have it in each of them, or be that person.
 */
export async function guardOf(storage: Storage, call: Call, type: RecordType, ids: readonly number[]): Promise<Guard> {
  const roles = new Set([...type.fields.values()].flatMap(({ guardedBy }) => guardedBy ?? []))
  if (roles.size === 0 || ids.length === 0 || call.bypassesPermissions) return OPEN
  const actorId = call.actor?.id ?? 0
  const rows: { person_id: number | string; account_id: string; role: Role }[] = await dbOf(
    storage,
    call,
  )(storage.table('permissions'))
    .whereIn('role', [...roles])
    .whereIn('person_id', [...new Set([...ids, actorId])])
    .select('person_id', 'account_id', 'role')
  const own = new Set(
    rows.filter((row) => Number(row.person_id) === actorId).map(({ account_id, role }) => `${role} ${account_id}`),
  )
  const guarded = new Set(
    rows
      .filter(({ account_id, role }) => !own.has(`${role} ${account_id}`))
      .map(({ person_id, role }) => `${role} ${person_id}`),
  )
  return ({ guardedBy }, id) => guardedBy !== undefined && guarded.has(`${guardedBy} ${id}`)
}
