import type { Call } from '../../core/call.js'
import { Forbidden, NotFound } from '../../core/errors.js'
import type { Operations, Output, Owner } from '../operations.js'

/**
 * The full record after it was saved. If the caller does not see it then (a request for another person), only its id: the save
 * has succeeded all the same.
 */
export async function readSaved(
  operations: Pick<Operations, 'read'>,
  call: Call,
  type: string,
  id: number,
  owner?: Owner,
  also?: readonly string[],
): Promise<Output> {
  try {
    return await operations.read(call, type, id, owner, ...(also ? [also] : []))
  } catch (error) {
    if (error instanceof NotFound || error instanceof Forbidden) return { id }
    throw error
  }
}
