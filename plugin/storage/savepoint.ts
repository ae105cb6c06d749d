import { randomBytes } from 'node:crypto'
import type { Call } from '../core/call.js'
import type { Storage } from './connections.js'
import { isDeadlock, isOutage } from './faults.js'
import { dbOf, keepSavepoint } from './transaction.js'

/**
 * Does work within the transaction of the call so that, when it throws, nothing of it is left and the transaction can go on.
 * The error is thrown on. Locks are kept either way.
 */
export async function inSavepoint<T>(storage: Storage, call: Pick<Call, 'transaction'>, work: () => Promise<T>): Promise<T> {
  const db = dbOf(storage, call)
  // One of the same name would take the place of an outer one.
  const name = `itsm_${randomBytes(6).toString('hex')}`
  await db.raw(`SAVEPOINT ${name}`)
  const undo = keepSavepoint(storage, call)
  try {
    const result = await work()
    await db.raw(`RELEASE SAVEPOINT ${name}`)
    return result
  } catch (error) {
    // Who lost against another transaction has lost the whole of its own, savepoints too: the outermost begins again.
    if (isDeadlock(error)) throw error
    await db.raw(`ROLLBACK TO SAVEPOINT ${name}`).catch((failure: unknown) => {
      // On a connection that is gone the first error says why.
      throw isOutage(error) ? error : failure
    })
    undo()
    throw error
  }
}
