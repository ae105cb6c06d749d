/** Makes answers of rows: what stands in other tables is fetched for the whole page, one query a type. */
import { applies } from '../access/decide.js'
import type { Call } from '../core/call.js'
import type { Criterion } from '../schema/conditions.js'
import { listShape, referenceShape, type Shape, type WriteContext } from '../schema/derive/shape.js'
import type { Json } from '../schema/fields.js'
import type { Output } from './operations.js'
import type { OperationParts } from './parts.js'

/** Makes answers of rows; parts, owners and account names come in one query a type. */
export async function writeAnswers(
  parts: OperationParts,
  call: Call,
  shape: Shape,
  rows: readonly (readonly unknown[])[],
): Promise<readonly Output[]> {
  const home = call.actor?.accountId ?? call.account.id
  const shown = await partsOf(parts, call, shape, rows)
  const owners = shape.showsOwner ? await ownersOf(parts, call, shape, rows) : new Map<string, Json>()
  const accounts = await foreignAccounts(parts, call, shape, rows, home)
  const context: WriteContext = {
    homeAccountId: home,
    accountName: (id) => accounts.get(id) ?? id,
    writeMoment: (moment) => parts.writeMoment(moment, call.zone),
    mayRead: (who, column) => {
      const account_id = (column('account_id') as string | null | undefined) ?? null
      return applies(call, who, { id: Number(column('id')), account_id, ...personColumn(who, column) })
    },
    parts: (type, ownerId, shows) => shown.get(partKey(type, shows, ownerId)) ?? [],
    reference: (type, id) => owners.get(`${type} ${id}`) ?? { id },
  }
  return rows.map((cells) => shape.write(cells, context))
}

function personColumn(who: unknown, column: (name: string) => unknown): { [column: string]: Json } {
  if (typeof who !== 'object' || who === null) return {}
  const name = `${(who as { person: string }).person}_id`
  return { [name]: Number(column(name) ?? 0) }
}

function partKey(type: string, shows: readonly string[] | null, ownerId: number): string {
  return `${type} ${shows?.join() ?? '*'} ${ownerId}`
}

async function partsOf(parts: OperationParts, call: Call, shape: Shape, rows: readonly (readonly unknown[])[]) {
  const found = new Map<string, Json[]>()
  if (rows.length === 0) return found
  const ids = rows.map((cells) => Number(cells[shape.idSlot]))
  for (const { record, shows } of shape.parts) {
    const type = parts.catalog.type(record)
    const own = listShape(type, parts.catalog, shows, true)
    const visible = shows && !shows.includes('id') ? withoutId(own) : own
    const where: Criterion = {
      all: [
        { path: ['owner_type'], op: 'in', values: [shape.type.name] },
        { path: ['owner_id'], op: 'in', values: ids },
      ],
    }
    const slots = [...visible.slots, ['owner_id']]
    const cells = await parts.queries.cells(call, { type, where, sort: type.collection.below.sort }, slots)
    const outputs = await writeAnswers(parts, call, visible, cells)
    for (const [index, output] of outputs.entries()) {
      const key = partKey(record, shows, Number(cells[index]?.[slots.length - 1]))
      found.set(key, [...(found.get(key) ?? []), output])
    }
  }
  return found
}

/** Calendar hours stand in their calendar without id (gaps 6.19). */
function withoutId(shape: Shape): Shape {
  return {
    ...shape,
    write(cells, context) {
      const { id: _, ...output } = shape.write(cells, context)
      return output
    },
  }
}

async function ownersOf(parts: OperationParts, call: Call, shape: Shape, rows: readonly (readonly unknown[])[]) {
  const typeSlot = shape.slots.findIndex(([name]) => name === 'owner_type')
  const idSlot = shape.slots.findIndex(([name]) => name === 'owner_id')
  const wanted = new Map<string, Set<number>>()
  for (const cells of rows) {
    const type = String(cells[typeSlot])
    wanted.set(type, (wanted.get(type) ?? new Set()).add(Number(cells[idSlot])))
  }
  const found = new Map<string, Json>()
  for (const [name, ids] of wanted) {
    if (!parts.catalog.types.has(name)) continue
    const type = parts.catalog.type(name)
    const reference = referenceShape(type, parts.catalog)
    const cells = await parts.queries.cells(
      call,
      { type, where: { path: ['id'], op: 'in', values: [...ids] } },
      reference.slots,
    )
    for (const output of await writeAnswers(parts, call, reference, cells)) found.set(`${name} ${output['id']}`, output)
  }
  return found
}

async function foreignAccounts(
  parts: OperationParts,
  call: Call,
  shape: Shape,
  rows: readonly (readonly unknown[])[],
  home: string,
) {
  const slots = shape.slots.flatMap((slot, index) => (slot[slot.length - 1] === 'account_id' ? [index] : []))
  const ids = new Set<string>()
  for (const cells of rows) {
    for (const slot of slots) if (typeof cells[slot] === 'string' && cells[slot] !== home) ids.add(cells[slot])
  }
  return ids.size === 0 ? new Map<string, string>() : parts.accountNames(call, [...ids])
}
