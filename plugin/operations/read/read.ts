/** Reads records as callers see them: one page of a collection, or one full record. */
import type { Call } from '../../core/call.js'
import { Forbidden, NotFound } from '../../core/errors.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import { fullShape, isOnRequest, listShape, type Shape } from '../../schema/derive/shape.js'
import { refuseWithoutEffect } from '../../schema/derive/strict-parameters.js'
import { ANYTHING, type Criterion } from '../../schema/language/conditions.js'
import { MAX_RECORDS } from '../../storage/records/query.js'
import type { ListRequest, Operations } from '../contract.js'
import { writeAnswers } from './answers.js'
import { chosenList } from './chosen-list.js'
import { knowsRoles } from './knows-roles.js'
import { createReadList } from './list-parameters.js'
import type { ListDeps, ReadDeps } from './read-deps.js'
import { filtersInSight, orderInSight } from './sight.js'
import { createTotals } from './totals.js'
import { partsOfOwner, visibleRow } from './visible.js'

/** Maximum number of cached shapes; callers choose fields freely, so their number must be bounded. */
const MAX_SHAPES = 500

/** Compiles shapes of responses once per choice of fields, and caches them. */
export function createReading(deps: ListDeps): Pick<Operations, 'list' | 'read'> {
  const shapes = shapeCache(deps.catalog)
  const { queries, scope } = deps
  const totals = createTotals(deps)
  const readList = createReadList()

  return {
    async list(call, typeName, request) {
      const { type, within, seen } = await collectionOf(deps, call, typeName, request)
      await deps.decisions.decide(call, 'read', type, null)
      const { sort } = request.within ? type.collection.below : type.collection
      const parameters = type.holdsRoles ? request.parameters.filter(isNotRoles) : request.parameters
      const asked = readList(call, type, parameters, sort)
      if (request.handling === 'strict') refuseWithoutEffect(type, parameters)
      const list = chosenList(type, request.list, asked.list)
      const where = await scope.resolve(call, {
        all: [
          ...within,
          await seen(list),
          list,
          ...(await filtersInSight(deps, call, type, asked.where)),
          ...(await rolesFilter(deps, call, type, request)),
          ...(request.also ? [request.also] : []),
        ],
      })
      const shape = shapes('list', type, asked.fields, request.within !== undefined)
      const offset = (asked.page - 1) * asked.perPage
      const limit = Math.min(asked.perPage, MAX_RECORDS - offset)
      const order = await orderInSight(deps, call, type, asked.sort)
      // One more than the page has, to find out if there is another page.
      const selection = { type, where, sort: order, limit: limit + 1, offset, language: call.language }
      const cells = limit > 0 ? await queries.cells(call, selection, shape.slots) : []
      const counted = await totals.of(call, { type, where }, { offset, limit, found: cells.length })
      const totalEntries = Math.min(counted, MAX_RECORDS)
      return {
        items: await writeAnswers(deps, call, shape, cells.slice(0, Math.max(limit, 0))),
        page: asked.page,
        perPage: asked.perPage,
        totalEntries,
        totalPages: Math.ceil(totalEntries / asked.perPage),
        throttled: counted > MAX_RECORDS,
      }
    },

    async read(call, typeName, id, owner, also) {
      const type = deps.catalog.type(typeName)
      // Only the host's `authorize` needs the record to decide; reading it costs a query.
      const row = deps.decisions.asksHost ? await visibleRow(deps, call, type, id, { owner }) : null
      await deps.decisions.decide(call, 'read', type, row)
      if (owner) {
        const ownerType = deps.catalog.type(owner.type)
        const ownerRow = await visibleRow(deps, call, ownerType, owner.id)
        if (deps.decisions.asksHost) await deps.decisions.decide(call, 'read', ownerType, ownerRow)
      }
      const where: Criterion = {
        all: [
          { path: ['id'], op: 'in', values: [id] },
          await scope.visible(call, type, owner && deps.catalog.type(owner.type)),
          owner ? partsOfOwner(owner) : ANYTHING,
        ],
      }
      const shape = shapes('single', type, also ?? null, owner !== undefined)
      const cells = await queries.cells(call, { type, where, limit: 1, language: call.language }, shape.slots)
      if (cells.length === 0) throw new NotFound()
      const [output] = await writeAnswers(deps, call, shape, cells)
      if (!output) throw new NotFound()
      return output
    },
  }
}

/** The type that a list shows, its restriction to an owner, and the records of the type that the caller sees there. */
async function collectionOf(deps: ReadDeps, call: Call, typeName: string, request: ListRequest): Promise<Collection> {
  const { catalog, scope } = deps
  const type = catalog.type(typeName)
  if (!request.within) return { type, within: [], seen: (list) => scope.listed(call, type, list) }
  const { within } = request
  const owner = catalog.type(within.type)
  const row = await visibleRow(deps, call, owner, within.id)
  if (deps.decisions.asksHost) await deps.decisions.decide(call, 'read', owner, row)
  const below = (name: string, criterion: Criterion, only?: RecordType): Collection => {
    const record = catalog.type(name)
    return { type: record, within: [criterion], seen: () => scope.visible(call, record, only) }
  }
  const part = owner.parts.get(within.path)
  if (part) return below(part, partsOfOwner(within), owner)
  const child = owner.children.get(within.path)
  if (child) return below(child.record, { any: child.by.map((path): Criterion => ({ path, op: 'in', values: [within.id] })) })
  const coverage = owner.coverages.get(within.path)
  if (coverage) {
    const person = { id: within.id, organizationId: Number(row['organization_id']) || null }
    return below(coverage.record, await scope.resolve(call, coverage.where, person))
  }
  const link = owner.links.get(within.path)
  if (!link) throw new NotFound()
  const linked = below(link.record, { linkedBy: link, id: within.id })
  // Teams have members of trusted accounts (behaviour: Accounts).
  return { ...linked, seen: () => scope.reachable(call, linked.type) }
}

interface Collection {
  readonly type: RecordType
  readonly within: readonly Criterion[]
  /** The records that the caller sees of a list. */
  seen(list: Criterion): Promise<Criterion>
}

function isNotRoles([name]: readonly [string, string]): boolean {
  return name !== 'roles'
}

/** `GET /people?roles=a,b`: any of the roles; `/people/all_with_roles?roles=a,b`: all of them (behaviour: Roles). @throws Forbidden */
async function rolesFilter(
  deps: Pick<ListDeps, 'peopleWithRoles'>,
  call: Call,
  type: RecordType,
  request: ListRequest,
): Promise<readonly Criterion[]> {
  const roles = request.parameters.findLast(([name]) => name === 'roles')?.[1]
  if (!type.holdsRoles || roles === undefined) return []
  if (!knowsRoles(call)) throw new Forbidden()
  const names = roles.split(',').map((role) => role.trim())
  const ids = await deps.peopleWithRoles(call, names, request.list === 'all_with_roles' ? 'all' : 'any')
  return [{ path: ['id'], op: 'in', values: ids }]
}

function shapeCache(catalog: Catalog) {
  const shapes = new Map<string, Shape>()
  // Lists get a choice of fields as one object from `createReadList`, which makes it for one type and place.
  const chosen = new WeakMap<readonly string[], Shape>()
  const shapeOf = (form: 'single' | 'list', type: RecordType, fields: readonly string[] | null, nested: boolean): Shape => {
    const known = namesFor(form, type, fields)
    const key = `${form} ${type.name} ${nested} ${known?.join() ?? '*'}`
    const cached = shapes.get(key)
    if (cached) return cached
    const shape = form === 'single' ? fullShape(type, catalog, nested, known ?? []) : listShape(type, catalog, known, nested)
    if (shapes.size >= MAX_SHAPES) shapes.delete(shapes.keys().next().value ?? '')
    shapes.set(key, shape)
    return shape
  }
  return (...[form, type, fields, nested]: Parameters<typeof shapeOf>): Shape => {
    const isKept = form === 'list' && fields !== null
    const made = isKept ? chosen.get(fields) : undefined
    if (made) return made
    const shape = shapeOf(form, type, fields, nested)
    if (isKept) chosen.set(fields, shape)
    return shape
  }
}

/** The names that make a difference: known ones for lists, and for a single record those that it includes only on request. */
function namesFor(form: 'single' | 'list', type: RecordType, fields: readonly string[] | null): readonly string[] | null {
  const known = fields?.flatMap((name) => type.fields.get(name) ?? []) ?? null
  if (form === 'list') return known?.map(({ name }) => name) ?? null
  return known ? [...new Set(known.filter(isOnRequest).map(({ name }) => name))] : []
}
