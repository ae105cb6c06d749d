/** Finds the order of linked records, which files have in one cell. */
import type { Call } from '../core/call.js'
import type { FileReading } from '../operations/read/read-for-files.js'
import type { NamedOrder, Pair } from '../schema/derive/order-of-links.js'
import type { Json } from '../schema/kinds/fields.js'
import type { ExportPlan } from './plan.js'

/** The order at a path below the record with this id. */
export type Orders = (path: string, id: number) => NamedOrder

/** Three queries for each column with an order, but for thousands of linked records. */
export async function findOrders(
  fileReading: FileReading,
  call: Call,
  { ordered, type }: ExportPlan,
  ids: readonly number[],
): Promise<Orders> {
  const found = new Map<string, NamedOrder>()
  for (const { fields, name, order } of ordered) {
    const { after, before, linked } = order
    const parts = await fileReading.partsOf(call, type.name, order.type.name, ids, fields)
    const connected = parts.size > 0 ? await fileReading.connectedIds(call, type.name, order.link, ids) : new Map()
    const all = [...new Set([...connected.values()].flat())]
    const names = await fileReading.valuesOf(call, linked.name, linked.title ?? 'id', all)
    for (const [id, own] of parts) {
      const pairs = own.flatMap((part): Pair[] => {
        const [one, other] = [idIn(part[before.name]), idIn(part[after.name])]
        return one === null || other === null ? [] : [[one, other]]
      })
      const ofRecord = (connected.get(id) ?? []).map((one: number) => [one, names.get(one)?.value ?? ''] as const)
      found.set(`${name} ${id}`, { pairs, linked: new Map(ofRecord) })
    }
  }
  return (path, id) => found.get(`${path} ${id}`) ?? { pairs: [], linked: new Map() }
}

/** The id in a reference as responses show it. */
export function idIn(reference: Json | undefined): number | null {
  const { id } = Object(reference ?? {}) as { readonly id?: unknown }
  return typeof id === 'number' ? id : null
}
