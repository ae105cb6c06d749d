import { loadPackage } from './load-package.js'

/** Maximum length of an IP address in characters. Behind a proxy, the address may be any text that the client sends. */
const MAX_LENGTH = 45

/**
 * The network by which an IP address is counted. A provider gives each customer 64 bits of IPv6 addresses: if each address had
 * a limit of its own, the customer would have no limit.
 */
export function networkOf(address: string): string {
  const ipaddr = loadPackage('ipaddr.js')
  if (!ipaddr.isValid(address)) return address.slice(0, MAX_LENGTH)
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? `${parsed.parts.slice(0, 4).join(':')}/64` : parsed.toString()
}
