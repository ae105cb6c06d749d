/** Teams of people, for `myTeams` and for grants to members of teams. */
import type { Call } from '../../core/call.js'
import type { Catalog } from '../../schema/catalog.js'
import { TEAM } from '../../schema/language/built-in-types.js'
import type { Storage } from '../../storage/database/connections.js'
import { dbOf } from '../../storage/database/transaction.js'

/** Ids of the teams that a person is a member of. */
export async function teamsOf(
  storage: Storage,
  catalog: Catalog,
  call: Pick<Call, 'transaction'>,
  personId: number,
): Promise<readonly number[]> {
  const link = catalog.types.get(TEAM)?.links.get('members')
  if (!link) return []
  const rows: Record<string, unknown>[] = await dbOf(
    storage,
    call,
  )(storage.table(link.table))
    .where(link.to, personId)
    .select(link.from)
  return rows.map((row) => Number(row[link.from]))
}
