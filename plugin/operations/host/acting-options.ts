/** Reads the options of `as` and `asSystem`: the host's program may be plain JavaScript. */
import { accountNamed } from '../../access/sign-in/host-people.js'
import { suggestion } from '../../core/text/nearest.js'
import { shown } from '../../core/text/shown.js'
import type { HostTransaction } from '../../storage/database/host-transaction.js'
import { transactionNamed } from '../../storage/database/transaction-named.js'

/** Options of acting, as a person or as the system. */
export interface ActingOptions {
  /**
   * True to refuse what would otherwise be ignored: read-only fields, and fields that the person may not set. The functions in
   * `strict` do so anyway. Default: false.
   */
  readonly strict?: boolean
  /**
   * A transaction of the pool that was lent as `database.knex`. What the operations read and write is in it, and is committed or
   * rolled back with it; what the plugin does after a commit begins once the outermost transaction has committed. Each operation is
   * a savepoint, and one begins when the one before it has ended. The isolation level is that of the transaction: begin it with
   * `{ isolationLevel: 'read committed' }`. Nothing is repeated: an operation that loses against another transaction throws
   * `TransactionLost`, after which only a rollback is possible.
   */
  readonly transaction?: HostTransaction
}

/** Options of acting as a person. */
export interface PersonOptions extends ActingOptions {
  /** The account to act in; default: that of the person. It also selects one of several people with the same address. */
  readonly account?: string
}

/**
 * Checks the options.
 *
 * @param place the function, for messages
 * @param names the options that it has
 * @throws TypeError for unknown options, and for values of a wrong kind
 */
export function actingOptions(place: string, names: readonly string[], given: unknown = {}): PersonOptions {
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`${place}: the options must be { ${names.join(', ')} } or absent, not ${shown(given)}`)
  const { account, strict, transaction } = given as { readonly [name: string]: unknown }
  const other = Object.keys(given).find((name) => !names.includes(name))
  if (other !== undefined) throw new TypeError(`${place}: there is no option '${other}'${suggestion(other, names)}`)
  if (strict !== undefined && typeof strict !== 'boolean')
    throw new TypeError(`${place}: strict must be true or false, not ${shown(strict)}`)
  return {
    ...(account === undefined ? {} : { account: accountNamed(place, account) }),
    ...(strict === undefined ? {} : { strict }),
    ...(transaction === undefined ? {} : { transaction: transactionNamed(place, transaction) }),
  }
}
