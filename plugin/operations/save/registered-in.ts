/** Records that are registered in another account than that of the call: `support_domain` of requests (behaviour: Requests). */
import type { Callers } from '../../access/people/callers.js'
import type { Call } from '../../core/call.js'
import { Invalid } from '../../core/errors.js'
import type { RecordType } from '../../schema/catalog.js'
import type { SaveItem } from '../contract.js'

/**
 * The call for the account that the body of a new record names; the call itself if it names none.
 *
 * @throws Invalid if there is no such account, or the caller may not register records there: callers cannot tell which
 */
export async function callToRegister(callIn: Callers['callIn'], call: Call, type: RecordType, item: SaveItem): Promise<Call> {
  const name = type.registeredIn
  if (name === null || item.id !== null) return call
  const { [name]: given } = item.body as { readonly [name: string]: unknown }
  if (given === undefined || given === null || given === '') return call
  const found = typeof given === 'string' ? await callIn(call, given.trim()) : null
  if (!found) throw new Invalid([[name, 'blank']])
  return found
}
