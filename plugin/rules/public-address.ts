import { isIP } from 'node:net'
import { createReachable } from '../core/public-address.js'
import type { Rule } from '../schema/define-rule.js'

/** The web address must not be a private or loopback one (gaps 5.1). Names are judged by their address when it is connected to. */
export function publicAddress(field: string) {
  return { rule: 'publicAddress', field } as const
}

/**
 * @param allowPrivate true for local use, where receivers run beside the service
 * @param networks networks that may be reached all the same, `10.1.0.0/16`
 */
export function publicAddressRule(allowPrivate: boolean, networks: readonly string[] = []): Rule {
  const isReachable = createReachable(networks)
  return {
    fields: (use) => [String(use['field'])],
    before({ changed, fail, next }, use) {
      const field = String(use['field'])
      const value = next[field]
      if (allowPrivate || !changed(field) || typeof value !== 'string' || !URL.canParse(value)) return
      const addresses = addressesIn(new URL(value).hostname)
      if (addresses.length > 0 && !addresses.some(isReachable)) fail(field, 'invalid')
    },
  }
}

/** Addresses of a host name that are known without a lookup. */
function addressesIn(hostname: string): readonly string[] {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1', '::1']
  return isIP(host) === 0 ? [] : [host]
}
