import { randomBytes } from 'node:crypto'
import type { Call } from '../../core/call.js'
import type { Storage } from './connections.js'
import { isDeadlock, isOutage } from './faults.js'
import { dbOf, keepSavepoint } from './transaction.js'

/**
 * Does work within the transaction of the call. If it throws, its changes are undone, the error is thrown again, and the
 * transaction can continue. Locks are kept in both cases.
 */
export async function inSavepoint<T>(storage: Storage, call: Pick<Call, 'transaction'>, work: () => Promise<T>): Promise<T> {
  const db = dbOf(storage, call)
  // A savepoint with the same name would replace an outer one.
  const name = `itsm_${randomBytes(6).toString('hex')}`
  await db.raw(`SAVEPOINT ${name}`)
  const undo = keepSavepoint(storage, call)
  try {
    const result = await work()
    await db.raw(`RELEASE SAVEPOINT ${name}`)
    return result
  } catch (error) {
    // A deadlock rolls back the whole transaction, savepoints included; only the outermost caller can retry.
    if (isDeadlock(error)) throw error
    await db.raw(`ROLLBACK TO SAVEPOINT ${name}`).catch((failure: unknown) => {
      // If the connection is closed, the first error says why.
      throw isOutage(error) ? error : failure
    })
    undo()
    throw error
  }
}
