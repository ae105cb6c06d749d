/** What follows from values of an account follows when these change (ADR 44, ADR 49). */
import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { Instant } from '../../core/clock.js'
import { ACCOUNT_RENEWALS } from '../../schema/language/define-timer.js'
import type { Storage } from '../../storage/database/connections.js'

type Values = Readonly<Record<string, unknown>>

const COLUMNS: readonly string[] = Object.values(ACCOUNT_RENEWALS)

/**
 * Stores an account, and marks it with the values that are others now. No record is locked: those who save one and wait for the
 * account would wait for each other. The timers make the records due that follow from them (`jobs/changed-accounts.ts`).
 *
 * @returns true if the account was marked
 */
export async function markingChanges(
  storage: Storage,
  db: Knex,
  { id, now }: { readonly id: string; readonly now: Instant },
  store: () => Promise<void>,
): Promise<boolean> {
  const account = () => db(storage.table('accounts')).where({ id })
  const locked = (): Promise<Values | undefined> =>
    account()
      .forUpdate()
      .first([...COLUMNS, 'value_change'])
  const before = await locked()
  await store()
  const after = await locked()
  const changed = COLUMNS.filter((column) => before && (before[column] ?? null) !== (after?.[column] ?? null))
  if (changed.length === 0) return false
  // The work of an earlier change may not be done. Its mark is another one, so that this one begins anew.
  const all = new Set([...changeIn(before?.['value_change']).values, ...changed])
  await account().update({ value_change: `${randomBytes(8).toString('hex')} ${now} ${[...all].join(' ')}` })
  return true
}

/** Reads the mark of a changed account: the time of the change, and the changed columns. */
export function changeIn(mark: unknown): { readonly at: Instant; readonly values: readonly string[] } {
  const [, at = '', ...values] = typeof mark === 'string' ? mark.split(' ') : []
  return { at: at as Instant, values }
}
