import { type Call, ROLES, type Role } from '../../core/call.js'
import { chunksOf, MAX_VALUES } from '../../core/chunks.js'
import type { Json } from '../../schema/kinds/fields.js'
import type { Storage } from '../../storage/database/connections.js'
import { dbOf } from '../../storage/database/transaction.js'

/** Roles of people in an account, one query (behaviour: Roles). */
export async function rolesIn(storage: Storage, call: Call, accountId: string, ids: readonly number[]) {
  const found = new Map<number, Set<Role>>()
  for (const some of chunksOf([...new Set(ids)], MAX_VALUES)) {
    const rows: { readonly person_id: Json; readonly role: string }[] = await dbOf(
      storage,
      call,
    )(storage.table('permissions'))
      .where('account_id', accountId)
      .whereIn('person_id', [...some])
      .select('person_id', 'role')
    for (const { person_id, role } of rows) {
      const known = ROLES.find((name) => name === role)
      const id = Number(person_id)
      if (known) found.set(id, (found.get(id) ?? new Set()).add(known))
    }
  }
  return found
}
