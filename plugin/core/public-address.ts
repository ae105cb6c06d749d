/** Decides which IP addresses deliveries may reach: the same check for addresses in URLs and for those that names resolve to. */
import { isIP } from 'node:net'
import type { IPv4, IPv6 } from 'ipaddr.js'
import { loadPackage } from './load-package.js'

/** True for an address that may be reached. */
export type Reachable = (address: string) => boolean

type Address = IPv4 | IPv6
type Network = readonly [Address, number]

/** Other IPv6 networks are not assigned, or contain an IPv4 address, which may be private. */
const GLOBAL_UNICAST = '2000::/3'
/** Metadata service of Azure for virtual machines. It looks like a public address. */
const AZURE_PLATFORM = '168.63.129.16'
/** An interface identifier of ISATAP ends with an IPv4 address behind one of these. */
const ISATAP = new Set(['0:5efe', '200:5efe'])

/**
 * True for an address on the public internet. False for private, loopback, link-local, documentation and reserved ones, for
 * those in which IPv6 carries an IPv4 address (compatible, NAT64, 6to4, Teredo, ISATAP), and for texts that are not an address.
 * An IPv4 address in IPv6 form (`::ffff:192.0.2.1`) is judged as IPv4.
 */
export function isPublicAddress(address: string): boolean {
  const { IPv4, IPv6 } = loadPackage('ipaddr.js')
  const parsed = parse(address)
  if (parsed === null || parsed.range() !== 'unicast') return false
  if (parsed instanceof IPv4) return parsed.toString() !== AZURE_PLATFORM
  const [, , , , high = 0, low = 0] = parsed.parts
  return parsed.match(IPv6.parseCIDR(GLOBAL_UNICAST)) && !ISATAP.has(`${high.toString(16)}:${low.toString(16)}`)
}

/**
 * Creates the check: allows public addresses and those in the given networks.
 *
 * @param networks as `10.1.0.0/16` or `fd00::/8`
 * @throws RangeError for a text that is not a network
 */
export function createReachable(networks: readonly string[] = []): Reachable {
  const allowed = networks.map((text): Network => {
    const network = readNetwork(text)
    if (typeof network === 'string') throw new RangeError(`'${text}' ${network}`)
    return network
  })
  return (address) => isPublicAddress(address) || isIn(allowed, parse(address))
}

/** Returns the mistake in the text of a network; null if it is valid. */
export function mistakeInNetwork(text: unknown): string | null {
  const network = readNetwork(text)
  return typeof network === 'string' ? network : null
}

/** The network, or the mistake in its text. */
function readNetwork(text: unknown): Network | string {
  const ipaddr = loadPackage('ipaddr.js')
  const [host = '', size = '', ...more] = typeof text === 'string' ? text.split('/') : []
  const cidr = `${inGroups(host)}/${size}`
  const isNetwork = isIP(host) !== 0 && !host.includes('%') && more.length === 0 && ipaddr.isValidCIDR(cidr)
  if (!isNetwork) return "must be a network, such as '10.1.0.0/16' or 'fd00::/8'"
  const [address, bits] = ipaddr.parseCIDR(cidr)
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()) return 'must be written as IPv4'
  const kind = address instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6
  const first = kind.networkAddressFromCIDR(cidr).toString()
  if (first !== address.toString()) return `has more than the network before the slash; did you mean '${first}/${bits}'?`
  return [address, bits]
}

/** Parses an IP address; null if it is not valid. IPv4 in IPv6 form (`::ffff:…`) becomes IPv4. */
function parse(address: string): Address | null {
  return isIP(address) === 0 ? null : loadPackage('ipaddr.js').process(inGroups(address))
}

/** Writes IPv6 without dots, because the parser reads `::127.0.0.1` as `::ffff:127.0.0.1`. */
function inGroups(address: string): string {
  const dotted = /^([\da-f:]*:)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(%.*)?$/i.exec(address)
  if (!dotted) return address
  const [, start, a, b, c, d, zone = ''] = dotted
  const group = (high = '', low = '') => (Number(high) * 256 + Number(low)).toString(16)
  return `${start}${group(a, b)}:${group(c, d)}${zone}`
}

function isIn(networks: readonly Network[], address: Address | null): boolean {
  return (
    address !== null && networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
  )
}
