/** Reports URL paths of record types that endpoints use: the endpoint would hide the records. */
import type { Definition } from '../language/define-record.js'
import type { Report } from './check-names.js'
import type { Definitions } from './check-paths.js'
import { namesBelow } from './check-relations.js'

/** Returns the endpoint at a URL path, if there is one. */
export type EndpointAt = (address: string) => string | undefined

/** Finds the endpoint that a request for a URL path may match. @param endpoints their paths, `/import/:token` */
export function endpointsAt(endpoints: readonly string[]): EndpointAt {
  const all = endpoints.map((endpoint) => ({ endpoint, segments: endpoint.split('/') }))
  return (address) => {
    const asked = address.split('/')
    return all.find(({ segments }) => overlap(segments, asked))?.endpoint
  }
}

/** Reports the paths of a definition that belong to an endpoint. */
export function checkAddresses(definition: Definition, all: Definitions, taken: EndpointAt, report: Report): void {
  if (definition.partOf ? !definition.operations?.length : definition.operations?.length === 0) return
  const collection = `/${definition.path}`
  const own = taken(collection) ?? taken(`${collection}/:id`)
  if (own) {
    report('.path', `'${collection}' is already the path of the endpoint ${own}; choose another path`)
    return
  }
  for (const list of Object.keys(definition.lists ?? {})) {
    const endpoint = RESERVED.get(list) ?? taken(`${collection}/${list}`)
    if (endpoint) report(`.lists.${list}`, `'${collection}/${list}' is already the path of ${endpoint}; choose another name`)
  }
  for (const [name, part] of namesBelow(definition, all)) {
    const address = `${collection}/:id/${name}`
    const endpoint = taken(address) ?? taken(`${address}/:other_id`)
    if (!endpoint) continue
    const where = part.startsWith('parts=') ? '.parts' : `.${part}`
    report(where, `'${address}' is already the path of ${endpoint}; choose another name`, part)
  }
}

/** Paths beside the records of every collection. */
const RESERVED: ReadonlyMap<string, string> = new Map([
  ['new', 'the defaults of a new record'],
  ['counts', 'the counts of the list'],
])

/** True if a request may match both. In the path of records a segment with a colon is an id, in that of endpoints any text. */
function overlap(endpoint: readonly string[], address: readonly string[]): boolean {
  return endpoint.length === address.length && endpoint.every((segment, index) => meet(segment, address[index] ?? ''))
}

function meet(segment: string, other: string): boolean {
  if (!segment.startsWith(':')) return segment === other
  const isId = segment === ':id' || segment.endsWith('_number')
  return other.startsWith(':') || !isId
}
