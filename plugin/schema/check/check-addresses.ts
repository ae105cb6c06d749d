/** Reports URL paths of record types that endpoints use: the endpoint would hide the records. */

import type { Definition } from '../define-record.js'
import type { Say } from './check-names.js'
import { type Definitions, isPartOf } from './check-paths.js'

/** @param endpoints the URL paths of all endpoints, `/import/:token` */
export function checkAddresses(definition: Definition, all: Definitions, endpoints: readonly string[], say: Say): void {
  if (definition.partOf ? !definition.operations?.length : definition.operations?.length === 0) return
  const collection = `/${definition.path}`
  const taken = (address: string) => endpoints.find((endpoint) => overlap(endpoint, address))
  const own = taken(collection) ?? taken(`${collection}/:id`)
  if (own) {
    say('.path', `'${collection}' is already the path of the endpoint ${own}; choose another path`)
    return
  }
  for (const list of Object.keys(definition.lists ?? {})) {
    const endpoint = list === 'new' ? 'the defaults of a new record' : taken(`${collection}/${list}`)
    if (endpoint) say(`.lists.${list}`, `'${collection}/${list}' is already the path of ${endpoint}; choose another name`)
  }
  const parts = [...all.values()].filter((part) => isPartOf(part, definition))
  const below = [
    ...parts.map((part) => [part.pathBelow ?? part.path, `parts=${part.name}`] as const),
    ...(['links', 'children', 'coverages'] as const).flatMap((kind) =>
      Object.keys(definition[kind] ?? {}).map((name) => [name, `${kind}.${name}`] as const),
    ),
  ]
  for (const [name, part] of below) {
    const address = `${collection}/:id/${name}`
    const endpoint = taken(address) ?? taken(`${address}/:other_id`)
    if (!endpoint) continue
    const where = part.startsWith('parts=') ? '.parts' : `.${part}`
    say(where, `'${address}' is already the path of ${endpoint}; choose another name`, part)
  }
}

/**
 * True if a request may match both. In the path of records each segment with a colon is an id, in that of endpoints it may be
 * any text.
 */
function overlap(endpoint: string, address: string): boolean {
  const [one, other] = [endpoint.split('/'), address.split('/')]
  return one.length === other.length && one.every((segment, index) => meet(segment, other[index] ?? ''))
}

function meet(segment: string, other: string): boolean {
  if (!segment.startsWith(':')) return segment === other
  const isId = segment === ':id' || segment.endsWith('_number')
  return other.startsWith(':') || !isId
}
