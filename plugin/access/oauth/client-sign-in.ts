/** Signing in of OAuth clients. Secrets cannot be guessed, so the limit of wrong ones only protects the lookup. */
import { networkOf } from '../../core/network-of.js'
import { createTurns } from '../../core/waiting/turns.js'
import { createFailureLimit, tooManyAtOnce } from '../tokens/wrong-credentials.js'
import type { Clients, SignedInClient } from './clients.js'

/** Limits for lookups from addresses that have sent too many wrong secrets. */
const LOOKUPS = { atOnce: 8, atOncePerKey: 2, waiting: 400, waitingPerKey: 200, refusal: tooManyAtOnce }

/**
 * The client with this id and secret; null for wrong ones. A right client always gets in, so that others at its address cannot
 * lock it out.
 *
 * @throws TooManyRequests for wrong ones, after too many of them from one address; for all, if too many are waiting there
 */
export type SignInClient = (id: string, secret: string, remoteAddress: string) => Promise<SignedInClient | null>

/** @param limit wrong secrets that one address may send in a quarter of an hour */
export function clientSignIn(clients: Pick<Clients, 'find' | 'noteUse'>, limit: number): SignInClient {
  const wrong = createFailureLimit(limit)
  const lookups = createTurns(LOOKUPS)
  return async (id, secret, remoteAddress) => {
    const look = () => clients.find(id, secret)
    const address = networkOf(remoteAddress)
    const refusal = await wrong.take(address)
    const found = await (refusal ? lookups.run(address, look) : wrong.judge(address, look))
    if (!found && refusal) throw refusal
    if (found) clients.noteUse(found.client.id)
    return found
  }
}
