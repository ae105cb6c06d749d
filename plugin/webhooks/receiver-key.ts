import { createHash } from 'node:crypto'

/**
 * Returns the key of the receiver of a webhook: its account and its URL without credentials and query. Webhooks with the same
 * key share a receiver, which gets deliveries about one record in order, whichever webhook they go through
 * (behaviour: Events). The account is part of the key, so that no account can delay the deliveries of another one.
 */
export function receiverKey(accountId: string, uri: string): string {
  const { origin, pathname } = URL.canParse(uri) ? new URL(uri) : { origin: '', pathname: uri }
  return createHash('sha256').update(`${accountId} ${origin}${pathname}`).digest('hex')
}
