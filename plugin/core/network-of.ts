import ipaddr from 'ipaddr.js'

/** Characters of the longest address. Behind a proxy, the address of a client may be any text that the client sends. */
const MAX_LENGTH = 45

/**
 * The network that an IP address is counted as. A provider gives each customer 64 bits of IPv6 addresses: counted one by
 * one, they would be limits without number.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, MAX_LENGTH)
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? `${parsed.parts.slice(0, 4).join(':')}/64` : parsed.toString()
}
