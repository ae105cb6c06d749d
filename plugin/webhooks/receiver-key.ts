import { createHash } from 'node:crypto'

/**
 * Names the receiver that a webhook reaches: the address of one or more webhooks of an account. What goes to it about one record
 * arrives in order, whichever webhook it goes through (gaps 12.1). Credentials and the query tell webhooks apart, not receivers.
 * The account is part of it, so that no account can hold up the deliveries of another one.
 */
export function receiverKey(accountId: string, uri: string): string {
  const { origin, pathname } = URL.canParse(uri) ? new URL(uri) : { origin: '', pathname: uri }
  return createHash('sha256').update(`${accountId} ${origin}${pathname}`).digest('hex')
}
