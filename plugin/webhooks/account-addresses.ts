import { isIPv4 } from 'node:net'
import type { Log } from '../core/log.js'
import { withoutEnd } from '../core/text/trim.js'

/**
 * Creates a function that returns the URL of an account in the user interface, without a slash at its end: the one of the host,
 * or `https://acme.desk.example` for the account acme of an API at `https://desk.example/v1` (after an IP address, the account
 * is the path). If the host returns an invalid URL, that is logged and the default is used, so that events are still delivered.
 */
export function accountAddresses(
  baseUrl: string,
  log: Log,
  hosts?: (accountId: string) => string,
): (accountId: string) => string {
  const { protocol, host, hostname } = new URL(baseUrl)
  // URLs have IPv6 addresses in brackets, and nothing else.
  const isAddress = hostname.startsWith('[') || isIPv4(hostname)
  const ours = (accountId: string) => (isAddress ? `${protocol}//${host}/${accountId}` : `${protocol}//${accountId}.${host}`)
  if (!hosts) return ours
  return (accountId) => {
    try {
      const address = hosts(accountId)
      if (URL.canParse(address)) return withoutEnd(address, '/')
      log.error({ accountId }, 'accountAddress must return an absolute URL')
    } catch (err) {
      log.error({ err, accountId }, 'accountAddress failed')
    }
    return ours(accountId)
  }
}
