import { isIP } from 'node:net'
import { rule } from '../../schema/language/define-rule.js'

/**
 * The host of the URL must be one that the plugin may send requests to: not a private or loopback address, unless the
 * installation allows it (behaviour: Webhook management). Host names are checked when a connection is opened.
 */
export const publicAddress = rule('publicAddress', (field: string) => ({
  fields: [field],
  check({ changed, fail, mayReach, next }) {
    const value = next[field]
    if (!changed(field) || typeof value !== 'string' || !URL.canParse(value)) return
    const addresses = addressesIn(new URL(value).hostname)
    if (addresses.length > 0 && !addresses.some(mayReach)) fail(field, 'invalid')
  },
}))

/** IP addresses of a host that are known without a lookup. */
function addressesIn(hostname: string): readonly string[] {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1', '::1']
  return isIP(host) === 0 ? [] : [host]
}
