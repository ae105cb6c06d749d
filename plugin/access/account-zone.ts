/** What counts in the time zone of an account follows when that changes (ADR 0044). */
import type { Knex } from 'knex'
import type { Instant } from '../core/clock.js'
import type { Catalog } from '../schema/compile/compile.js'
import { criterionOf } from '../schema/conditions.js'
import type { Storage } from '../storage/connections.js'
import { stampWhere } from '../storage/stamp.js'

export interface AccountZoneDeps {
  readonly storage: Storage
  readonly catalog: Catalog
}

/**
 * Stores an account, and makes all of its records due that count in its time zone if that is another one now: one statement per
 * type, in the transaction of the change. The timers compute them again.
 *
 * @returns true if records were made due
 */
export async function inNewZone(
  deps: AccountZoneDeps,
  db: Knex,
  { id, now }: { readonly id: string; readonly now: Instant },
  store: () => Promise<void>,
): Promise<boolean> {
  const locked = (): Promise<{ time_zone: string } | undefined> =>
    db(deps.storage.table('accounts')).where({ id }).forUpdate().first('time_zone')
  const before = await locked()
  await store()
  const after = await locked()
  if (!before || before.time_zone === after?.time_zone) return false
  for (const type of deps.catalog.types.values()) {
    for (const { column, renews, while: isOpen } of type.timers) {
      if (!renews?.inAccountZone) continue
      const where = { all: [isOpen, renews.inAccountZone, criterionOf({ account: id })] }
      await stampWhere(deps, db, { type, where }, column, now)
    }
  }
  return true
}
