/** The person for whom a page sends a request (behaviour: Sessions). */
import { Unauthenticated } from '../../core/errors.js'
import type { Context, Identity } from '../contract.js'
import { isHeaderSent, ownHeader } from './own-header.js'

/** Name of the header, behind each prefix. */
export const PERSON_HEADER = 'Person'

/**
 * Refuses a request that names another person than the one who is signed in. Cookies belong to all tabs of a browser: in one that
 * is still open, a page would otherwise write as whoever has signed in since.
 *
 * @param identity who is signed in; null for nobody
 * @throws Unauthenticated for somebody else, for nobody, and for a header that is not the id of a person
 */
export function mustBeNamedPerson(
  ctx: Pick<Context, 'get' | 'req'>,
  prefixes: readonly string[],
  identity: Pick<Identity, 'actor'> | null,
): void {
  if (!isHeaderSent(ctx, prefixes, PERSON_HEADER)) return
  const named = ownHeader(ctx, prefixes, PERSON_HEADER)
  if (identity === null || named !== String(identity.actor.id)) throw new Unauthenticated()
}
