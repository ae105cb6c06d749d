/** What counts in the time zone of an account follows when that changes (ADR 0044). */
import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { Storage } from '../storage/connections.js'

/**
 * Stores an account, and marks it if its time zone is another one now. No record is locked: those who save one and wait for the
 * zone would wait for each other. The timers make them due (`jobs/moved-accounts.ts`).
 *
 * @returns true if the account was marked
 */
export async function inNewZone(storage: Storage, db: Knex, id: string, store: () => Promise<void>): Promise<boolean> {
  const account = () => db(storage.table('accounts')).where({ id })
  const locked = (): Promise<{ time_zone: string } | undefined> => account().forUpdate().first('time_zone')
  const before = await locked()
  await store()
  const after = await locked()
  if (!before || before.time_zone === after?.time_zone) return false
  // Differs from the mark of an earlier change, whose work may not be done.
  await account().update({ zone_change: randomBytes(8).toString('hex') })
  return true
}
