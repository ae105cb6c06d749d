import type { Knex } from 'knex'
import type { Account } from '../../core/call.js'
import type { Storage } from '../../storage/database/connections.js'
import { type AccountRow, accountOf } from '../people/account-rows.js'

/** Relations between accounts, as far as they were queried. */
export interface Relations {
  /** By id. */
  readonly accounts: ReadonlyMap<string, Account>
  /** True if a trust relation exists, in either direction. */
  trust(one: string, other: string): boolean
}

/** Reads accounts, and their trust relations with the others. Two queries, in the given transaction. */
export async function readRelations(
  db: Knex,
  storage: Storage,
  ids: readonly string[],
  others: readonly string[],
): Promise<Relations> {
  const rows: AccountRow[] = await db(storage.table('accounts')).whereIn('id', ids)
  const pairs: { account_id: string; trusted_account_id: string }[] = await db(storage.table('trusts'))
    .where((one) => one.whereIn('account_id', ids).whereIn('trusted_account_id', others))
    .orWhere((other) => other.whereIn('account_id', others).whereIn('trusted_account_id', ids))
    .select('account_id', 'trusted_account_id')
  const related = new Set(pairs.flatMap(({ account_id: a, trusted_account_id: b }) => [`${a} ${b}`, `${b} ${a}`]))
  return {
    accounts: new Map(rows.map((row) => [row.id, accountOf(row)])),
    trust: (one, other) => related.has(`${one} ${other}`),
  }
}
