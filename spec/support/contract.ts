/**
 * The generated suite: what every record type promises, ours and a host's. It is derived from the catalog, which is all that it
 * knows of the types. What a type needs to be created comes from fixtures/records/<type>.json. Each file of spec/contract/
 * checks one side of the promise, so that they can run in parallel.
 */
import { createPlugin, type PluginOptions } from '../../plugin/index.js'
import type { Catalog } from '../../plugin/schema/catalog.js'
import type { RecordFixture } from '../../plugin/testing/index.js'
import { type ContractDeps, createMaker, type Maker, type Place, placesOf } from './contract-place.js'
import { isAgain } from './database.js'
import { extendVehicles, fleet, fleetFixtures, fleetRecords } from './fleet.js'
import { fixtures, withMounted } from './mounted.js'
import { inspected } from './openapi.js'
import { TEST_SECRET } from './settings.js'
import { createVehicles, vehicle } from './vehicle.js'

/** Options of a plugin with our record types and those of a host, one of them and some of ours extended. */
export const withHostType = {
  records: [vehicle, ...fleetRecords],
  extend: fleet,
  migrations: [createVehicles, extendVehicles],
  // The clock stands still, so that no cache expires in the middle of a count.
  clock: { now: () => new Date('2026-11-21T09:00:00Z') },
  rateLimit: { burst: false, perHour: 1_000_000 },
} as const

/** The bodies of all these types. */
export const recordFixtures: ReadonlyMap<string, RecordFixture> = new Map([
  ...[...fixtures.records].map(withFleet),
  ...fleetFixtures,
])

/** The world has no vehicles, so the bodies of tasks name none. */
function withFleet([name, fixture]: readonly [string, RecordFixture]): readonly [string, RecordFixture] {
  if (name !== 'task') return [name, fixture]
  return [name, { ...fixture, notInFull: { ...fixture.notInFull, vehicle: 'is of the host, and not in the world' } }]
}

export interface Contract {
  readonly deps: ContractDeps
  readonly maker: Maker
}

/**
 * Mounts the API for the calling block; every request and response is checked against the OpenAPI document, in one pass of the run.
 *
 * @param more further options of the plugin
 */
export function withContract(more: Partial<PluginOptions> = {}): Contract {
  const mounted = withMounted('mounted under a prefix', { ...withHostType, ...more })
  const deps: ContractDeps = {
    mounted: isAgain() ? mounted : inspected(mounted),
    catalog: catalogOf(),
    fixtures: recordFixtures,
  }
  return { deps, maker: createMaker(deps) }
}

/** One URL of records of a type. */
export interface PlaceToTest extends Contract {
  readonly place: Place
  readonly fixture: RecordFixture
  /** True if callers can create records here. */
  readonly canBeMade: boolean
}

/** Describes every place of every record type, each in its own block. */
export function describePlaces({ deps, maker }: Contract, describePlace: (place: PlaceToTest) => void): void {
  for (const type of deps.catalog.types.values()) {
    const fixture = deps.fixtures.get(type.name)
    if (!fixture) continue
    describe(type.name, () => {
      for (const place of placesOf(type, deps, maker)) {
        const canBeMade = place.operations.has('create') && Object.keys(fixture.bodies).length > 0
        describe(place.title, () => describePlace({ deps, maker, place, fixture, canBeMade }))
      }
    })
  }
}

/** The plugin is created only for its catalog; it is never started. */
function catalogOf(): Catalog {
  return createPlugin({
    baseUrl: 'https://desk.example/v1',
    secret: TEST_SECRET,
    database: { url: 'mysql://nobody@nowhere.example/none' },
    ...withHostType,
  }).catalog
}
