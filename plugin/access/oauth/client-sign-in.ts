/** Signing in of OAuth clients. */
import { createFailureLimit, createSecretLookup } from '../tokens/wrong-credentials.js'
import type { Clients, SignedInClient } from './clients.js'

/**
 * The client with this id and secret; null for wrong ones. A right client always gets in, so that others at its address cannot
 * lock it out.
 *
 * @throws TooManyRequests for wrong ones, after too many of them from one address; for all, if too many are waiting there
 */
export type SignInClient = (id: string, secret: string, remoteAddress: string) => Promise<SignedInClient | null>

/** @param limit wrong secrets that one address may send in a quarter of an hour */
export function clientSignIn(clients: Pick<Clients, 'find' | 'noteUse'>, limit: number): SignInClient {
  const lookUp = createSecretLookup(createFailureLimit(limit))
  return async (id, secret, remoteAddress) => {
    const found = await lookUp(remoteAddress, () => clients.find(id, secret))
    if (found) clients.noteUse(found.client.id)
    return found
  }
}
