import type { Call } from '../../core/call.js'
import { Forbidden, NotFound } from '../../core/errors.js'
import type { Log } from '../../core/log.js'
import type { Operations, Output, Owner } from '../contract.js'

/** Dependencies of `readSaved`. */
export interface ReadSavedDeps {
  readonly operations: Pick<Operations, 'read'>
  readonly log: Log
}

/**
 * The full record after it was saved. If the caller does not see it then (a request for another person), only its id: the save
 * has succeeded all the same. So it has if a hook of the host or the database fails now, which is logged: an error would say that
 * nothing was saved (behaviour: Writing).
 *
 * @param call outside of the transaction of the save
 * @throws the reason of the call's signal when its time has expired: the caller has got a response then
 */
export async function readSaved(
  { operations, log }: ReadSavedDeps,
  call: Call,
  type: string,
  id: number,
  owner?: Owner,
  also?: readonly string[],
): Promise<Output> {
  try {
    return await operations.read(call, type, id, owner, ...(also ? [also] : []))
  } catch (err) {
    call.signal?.throwIfAborted()
    if (!(err instanceof NotFound || err instanceof Forbidden)) {
      const { requestId } = call
      log.error({ err, requestId, type, id }, 'A record was saved but could not be read: the response has only its id')
    }
    return { id }
  }
}
