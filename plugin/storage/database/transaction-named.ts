import { shown } from '../../core/text/shown.js'
import type { HostTransaction } from './host-transaction.js'
import { isLent } from './lend-transaction.js'

/**
 * Checks what the host has passed as its transaction, as far as that is possible without the database.
 *
 * @throws TypeError
 */
export function transactionNamed(place: string, given: unknown): HostTransaction {
  if (isLent(given))
    throw new TypeError(
      `${place}: the transaction must be one that you have begun, not the db of a hook or rule: rules save records with save()`,
    )
  const { executionPromise, isCompleted, isTransaction } = Object(given) as Record<string, unknown>
  if (typeof given === 'function' && isTransaction === true && executionPromise && typeof isCompleted === 'function')
    return given as HostTransaction
  const isPromise = typeof Object(given).then === 'function'
  const hint = isPromise ? 'a promise: await it' : typeof given === 'function' ? 'another function' : shown(given)
  throw new TypeError(`${place}: the transaction must be one of knex, as knex.transaction() returns it, not ${hint}`)
}
