import { isIP } from 'node:net'
import type { Log } from '../core/log.js'
import { withoutEnd } from '../core/trim.js'

/**
 * The address of an account in the user interface, without a slash at its end: the host's, or
 * `https://acme.desk.example` for the account acme of an interface at `https://desk.example/v1` (an IP address takes the
 * account as its path). An answer of the host that is no address is logged, and ours takes its place: a mistake there must
 * not keep events from being handed on.
 */
export function accountAddresses(
  baseUrl: string,
  log: Log,
  hosts?: (accountId: string) => string,
): (accountId: string) => string {
  const { protocol, host, hostname } = new URL(baseUrl)
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  const ours = (accountId: string) => (isAddress ? `${protocol}//${host}/${accountId}` : `${protocol}//${accountId}.${host}`)
  if (!hosts) return ours
  return (accountId) => {
    try {
      const address = hosts(accountId)
      if (URL.canParse(address)) return withoutEnd(address, '/')
      log.error({ accountId }, 'accountAddress must answer an absolute address')
    } catch (err) {
      log.error({ err, accountId }, 'accountAddress failed')
    }
    return ours(accountId)
  }
}
