/** Reads records as callers see them: one page of a collection, or one full record. */
import { applies, mayReadEverywhere, mayUse } from '../access/decide.js'
import type { Call } from '../core/call.js'
import { BadRequest, Forbidden, NotFound } from '../core/errors.js'
import type { Catalog, RecordType } from '../schema/compile.js'
import { ANYTHING, type Criterion } from '../schema/conditions.js'
import { readListParameters } from '../schema/derive/filters.js'
import { fullShape, listShape, referenceShape, type Shape, type WriteContext } from '../schema/derive/shape.js'
import type { Json } from '../schema/fields.js'
import { MOST_RECORDS } from '../storage/query.js'
import type { ListRequest, Operations, Output } from './operations.js'
import type { OperationParts } from './parts.js'
import { partsOfOwner, visibleRow } from './visible.js'

/** Compiled shapes that are kept; callers choose fields freely, so their number must be bounded. */
const MOST_SHAPES = 500

export function createReading(parts: OperationParts): Pick<Operations, 'list' | 'read'> {
  const shapes = shapeCache(parts.catalog)
  const { queries, scope } = parts

  return {
    async list(call, typeName, request) {
      const { type, within } = await collectionOf(parts, call, typeName, request)
      if (!mayUse(call, type)) throw new Forbidden()
      await parts.decisions.decide(call, 'read', type, null)
      const asked = readListParameters(type, request.parameters.filter(isNotRoles(type)), (field) =>
        mayReadEverywhere(call, field),
      )
      const where = await scope.resolve(call, {
        all: [
          ...within,
          await scope.visible(call, type),
          listNamed(type, request.list),
          asked.list === null ? ANYTHING : stateNamed(type, asked.list),
          ...asked.where,
          ...(await rolesFilter(parts, call, type, request)),
          ...(request.also ? [request.also] : []),
        ],
      })
      const shape = shapes('list', type, asked.fields, request.within !== undefined)
      const counted = await queries.count(call, { type, where })
      const totalEntries = Math.min(counted, MOST_RECORDS)
      const offset = (asked.page - 1) * asked.perPage
      const limit = Math.min(asked.perPage, MOST_RECORDS - offset)
      const cells = limit > 0 ? await queries.cells(call, { type, where, sort: asked.sort, limit, offset }, shape.slots) : []
      return {
        items: await write(parts, call, shape, cells),
        page: asked.page,
        perPage: asked.perPage,
        totalEntries,
        totalPages: Math.ceil(totalEntries / asked.perPage),
        throttled: counted > MOST_RECORDS,
      }
    },

    async read(call, typeName, id, owner) {
      const type = parts.catalog.type(typeName)
      if (!mayUse(call, type)) throw new Forbidden()
      await parts.decisions.decide(call, 'read', type, null)
      if (owner) await visibleRow(parts, call, parts.catalog.type(owner.type), owner.id)
      const where: Criterion = {
        all: [
          { path: ['id'], op: 'in', values: [id] },
          await scope.visible(call, type),
          owner ? partsOfOwner(owner) : ANYTHING,
        ],
      }
      const shape = shapes('single', type, null, owner !== undefined)
      const cells = await queries.cells(call, { type, where, limit: 1 }, shape.slots)
      if (cells.length === 0) throw new NotFound()
      const [output] = await write(parts, call, shape, cells)
      if (!output) throw new NotFound()
      return output
    },
  }
}

/** Which type a list shows, and how it is restricted to an owner. */
async function collectionOf(parts: OperationParts, call: Call, typeName: string, request: ListRequest) {
  const type = parts.catalog.type(typeName)
  if (!request.within) return { type, within: [] as Criterion[] }
  const { within } = request
  const owner = parts.catalog.type(within.type)
  await visibleRow(parts, call, owner, within.id)
  const part = owner.parts.get(within.path)
  if (part) return { type: parts.catalog.type(part), within: [partsOfOwner(within)] }
  const child = owner.children.get(within.path)
  if (child) {
    const by: Criterion = { path: [child.by], op: 'in', values: [within.id] }
    return { type: parts.catalog.type(child.record), within: [by] }
  }
  const link = owner.links.get(within.path)
  if (!link) throw new NotFound()
  const linked: Criterion = { linkedBy: link, id: within.id }
  return { type: parts.catalog.type(link.record), within: [linked] }
}

function listNamed(type: RecordType, name: string | undefined): Criterion {
  if (name === undefined) return ANYTHING
  const list = type.lists.get(name)
  if (!list) throw new NotFound()
  return list
}

function stateNamed(type: RecordType, name: string): Criterion {
  const list = type.lists.get(name)
  if (!list) throw new BadRequest(`Invalid value '${name.slice(0, 100)}' for parameter 'state'`)
  return list
}

function isNotRoles(type: RecordType) {
  return ([name]: readonly [string, string]) => !(type.holdsRoles && name === 'roles')
}

/** `GET /people?roles=a,b`: any of the roles; `/people/all_with_roles?roles=a,b`: all of them (gaps 2.4). */
async function rolesFilter(
  parts: OperationParts,
  call: Call,
  type: RecordType,
  request: ListRequest,
): Promise<readonly Criterion[]> {
  const roles = request.parameters.findLast(([name]) => name === 'roles')?.[1]
  if (!type.holdsRoles || roles === undefined) return []
  const names = roles.split(',').map((role) => role.trim())
  const ids = await parts.peopleWithRoles(call, names, request.list === 'all_with_roles' ? 'all' : 'any')
  return [{ path: ['id'], op: 'in', values: ids }]
}

function shapeCache(catalog: Catalog) {
  const shapes = new Map<string, Shape>()
  return (form: 'single' | 'list', type: RecordType, fields: readonly string[] | null, nested: boolean): Shape => {
    const known = fields?.filter((name) => type.fields.has(name))
    const key = `${form} ${type.name} ${nested} ${known?.join() ?? '*'}`
    const cached = shapes.get(key)
    if (cached) return cached
    const shape = form === 'single' ? fullShape(type, catalog, nested) : listShape(type, catalog, known ?? null, nested)
    if (shapes.size >= MOST_SHAPES) shapes.delete(shapes.keys().next().value ?? '')
    shapes.set(key, shape)
    return shape
  }
}

/** Makes answers of rows; parts, owners and account names come in one query a type. */
async function write(
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
    mayRead: (who, column) => applies(call, who, { id: Number(column('id')), ...personColumn(who, column) }),
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
    const cells = await parts.queries.cells(call, { type, where, sort: type.collection.sort }, slots)
    const outputs = await write(parts, call, visible, cells)
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
    for (const output of await write(parts, call, reference, cells)) found.set(`${name} ${output['id']}`, output)
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
