import ipaddr from 'ipaddr.js'
import type { Rule } from '../schema/define-rule.js'

/** The web address must not be a private or loopback one (gaps 5.1). Names are checked again when they are resolved. */
export function publicAddress(field: string) {
  return { rule: 'publicAddress', field } as const
}

/** @param allowPrivate true for local use, where receivers run beside the service */
export function publicAddressRule(allowPrivate: boolean): Rule {
  return {
    fields: (use) => [String(use['field'])],
    before({ changed, fail, next }, use) {
      const field = String(use['field'])
      const value = next[field]
      if (allowPrivate || !changed(field) || typeof value !== 'string' || !URL.canParse(value)) return
      if (isPrivate(new URL(value).hostname)) fail(field, 'invalid')
    },
  }
}

function isPrivate(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host === 'localhost' || host.endsWith('.localhost')) return true
  return ipaddr.isValid(host) && ipaddr.process(host).range() !== 'unicast'
}
