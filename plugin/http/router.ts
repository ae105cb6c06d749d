/** Finds the route of a request: endpoints first, then the paths of the catalog. */
import type { RecordType } from '../schema/catalog.js'
import { createWithoutSignatures } from '../schema/derive/without-signatures.js'
import type { RecordDeps } from './answers/record-answers.js'
import { type Branch, type HttpState, idOf, type Route, type Router } from './contract.js'
import type { RouteDeps } from './deps.js'
import { compileEndpoints, findEndpoint } from './endpoint-table.js'
import { enums } from './endpoints/enums.js'
import { me } from './endpoints/me.js'
import { myPermissions, myPermissionsOfTypes } from './endpoints/my-permissions.js'
import { openapi } from './endpoints/openapi.js'
import { permissions } from './endpoints/permissions.js'
import { recordCatalog } from './endpoints/record-catalog.js'
import { root } from './endpoints/root.js'
import { tokens } from './endpoints/tokens.js'
import { childRoutes, coverageRoutes, linkRoutes, partRoutes, recordRoutes } from './records/record-routes.js'

interface Trunk extends Branch {
  /** Links, children, coverages and sub-records by their name below a record. */
  readonly below: ReadonlyMap<string, Branch>
}

/** Compiles endpoints at once, and the routes of a record type with the first request for them; later, finding one allocates nothing. */
export function createRouter(deps: RouteDeps): Router {
  const ofRecordTypes = [...enums(deps), ...recordCatalog(deps)]
  const all = [
    ...(deps.endpoints ?? []),
    root(),
    ...ofRecordTypes,
    ...me(deps),
    myPermissions(deps),
    myPermissionsOfTypes(deps),
    ...permissions(deps),
    ...tokens(deps),
  ]
  const endpoints = compileEndpoints([...all, openapi(deps, all)])
  const ofRecords = { ...deps, withoutSignatures: createWithoutSignatures(deps.catalog) }
  const trunks = new Map<string, Trunk>()

  function trunkAt(path: string): Trunk | null {
    const known = trunks.get(path)
    if (known) return known
    const type = deps.catalog.byPath.get(path)
    if (!type) return null
    const trunk = trunkOf(ofRecords, type)
    trunks.set(path, trunk)
    return trunk
  }

  return {
    find(state) {
      const { segments, method } = state
      if (segments === null) return
      const found = findEndpoint(endpoints, method, segments)
      if (found) {
        state.named = found.named
        state.route = found.endpoint
      } else {
        state.route = findIn(trunkAt, state, segments)
      }
    },
  }
}

function trunkOf(deps: RecordDeps, type: RecordType): Trunk {
  return {
    ...recordRoutes(deps, type),
    below: new Map<string, Branch>([
      ...[...type.children].map(([path, child]) => [path, childRoutes(deps, type, path, child)] as const),
      ...[...type.coverages].map(([path, { record }]) => [path, coverageRoutes(deps, type, path, record)] as const),
      ...[...type.links].map(([path, link]) => [path, linkRoutes(deps, type, path, link)] as const),
      ...[...type.parts].map(([path, part]) => [path, partRoutes(deps, type, path, deps.catalog.type(part))] as const),
    ]),
  }
}

function findIn(trunkAt: (path: string) => Trunk | null, state: HttpState, segments: readonly string[]): Route | null {
  const [path = '', record, below, last] = segments
  const trunk = segments.length > 4 ? null : trunkAt(path)
  if (!trunk) return null
  if (record === undefined) return trunk.all.get(state.method) ?? null

  const id = idOf(record)
  if (id === null) return (below === undefined && state.method === 'GET' && trunk.lists.get(record)) || null
  state.id = id
  if (below === undefined) return trunk.one.get(state.method) ?? null

  const branch = trunk.below.get(below)
  if (!branch || last === undefined) return branch?.all.get(state.method) ?? null
  const subId = idOf(last)
  if (subId === null) return (state.method === 'GET' && branch.lists.get(last)) || null
  state.subId = subId
  return branch.one.get(state.method) ?? null
}
