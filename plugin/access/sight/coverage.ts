/** Service level agreements that cover a person, and what they cover (behaviour: Service level agreements). */
import type { Call } from '../../core/call.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import { AGREEMENT, CONFIGURATION_ITEM, ORGANIZATION, PERSON } from '../../schema/language/built-in-types.js'
import { anyOf, type Condition, criterionOf } from '../../schema/language/conditions.js'
import type { Storage } from '../../storage/database/connections.js'
import { dbOf } from '../../storage/database/transaction.js'
import { createQueries, type Queries } from '../../storage/records/query.js'

/** Agreements that cover a person and their services, in the account of the call and those that it trusts. */
export interface Coverage {
  /** Ids of the active agreements. */
  readonly agreements: readonly number[]
  readonly serviceInstances: readonly number[]
  readonly services: readonly number[]
  /** Ids of services whose agreements show the knowledge of the provider. */
  readonly servicesWithKnowledge: readonly number[]
  /** The accounts that the agreements belong to. */
  readonly accounts: readonly string[]
}

/** Coverage without any agreement. */
export const NO_COVERAGE: Coverage = Object.freeze({
  agreements: [],
  serviceInstances: [],
  services: [],
  servicesWithKnowledge: [],
  accounts: [],
})

export interface Coverages {
  /**
   * The coverage of a person, with a constant number of queries. Empty if the catalog has no agreements. Cached for the call,
   * unless it is in a transaction, which may change the coverage.
   */
  of(call: Call, personId: number): Promise<Coverage>
}

/** Caches nothing beyond the call. */
export function createCoverages(storage: Storage, catalog: Catalog): Coverages {
  const known = new WeakMap<Call, Map<number, Promise<Coverage>>>()
  const queries = createQueries(storage, catalog)
  const load = (call: Call, personId: number) => coverageOf({ storage, catalog, queries, call }, personId)

  return {
    of(call, personId) {
      if (call.transaction) return load(call, personId)
      const ofCall = known.get(call) ?? new Map<number, Promise<Coverage>>()
      known.set(call, ofCall)
      const coverage = ofCall.get(personId) ?? load(call, personId)
      ofCall.set(personId, coverage)
      return coverage
    },
  }
}

interface Deps {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly queries: Queries
  readonly call: Call
}

interface Agreement {
  readonly id: number
  readonly accountId: string
  readonly serviceInstance: number | null
  readonly usesKnowledge: boolean
  readonly services: readonly number[]
}

async function coverageOf(deps: Deps, personId: number): Promise<Coverage> {
  const type = deps.catalog.types.get(AGREEMENT)
  if (!type) return NO_COVERAGE
  const found = await withIndirect(deps, type, await agreementsWhere(deps, type, await waysToCover(deps, personId)))
  return {
    agreements: unique(found.map(({ id }) => id)),
    serviceInstances: unique(found.flatMap(({ serviceInstance }) => serviceInstance ?? [])),
    services: unique(found.flatMap(({ services }) => services)),
    servicesWithKnowledge: unique(found.flatMap(({ usesKnowledge, services }) => (usesKnowledge ? services : []))),
    accounts: unique(found.map(({ accountId }) => accountId)),
  }
}

/** The conditions under which an agreement covers the person directly, without regard to other agreements. */
async function waysToCover(deps: Deps, personId: number): Promise<Condition> {
  const { accountId, organization, site, organizationOfAccount } = await placeOf(deps, personId)
  const serviceInstances = await instancesOfConfigurationItems(deps, personId)
  return anyOf(
    { coverage: 'customer_account', 'customer.account': accountId },
    { coverage: 'customer_account', customer: organizationOfAccount },
    { coverage: 'organizations_and_descendants', organizations: await organizationsAbove(deps, personId) },
    { coverage: 'organizations', organizations: organization },
    { coverage: 'sites', sites: site },
    { coverage: 'organizations_and_sites', organizations: organization, sites: site },
    { coverage: 'people', people: personId },
    { coverage: 'cis_of_service_instance', service_instance: serviceInstances },
  )
}

/**
 * Adds agreements with coverage `service_instances` if the person is already covered for one of their linked instances. Repeats
 * until none is new.
 */
async function withIndirect(deps: Deps, type: RecordType, direct: readonly Agreement[]): Promise<readonly Agreement[]> {
  const link = type.links.get('service_instances')
  if (direct.length === 0 || !link) return direct
  const indirect = await agreementsWhere(deps, type, { coverage: 'service_instances' })
  const pairs: readonly Record<string, unknown>[] = await dbOf(
    deps.storage,
    deps.call,
  )(deps.storage.table(link.table))
    .whereIn(
      link.from,
      indirect.map(({ id }) => id),
    )
    .select(link.from, link.to)
  const linked = new Map<number, number[]>(indirect.map(({ id }) => [id, []]))
  for (const pair of pairs) linked.get(Number(pair[link.from]))?.push(Number(pair[link.to]))
  const found = new Map(direct.map((one) => [one.id, one]))
  const covered = new Set(direct.map(({ serviceInstance }) => serviceInstance))
  const isCovered = ({ id }: Agreement) => linked.get(id)?.some((instance) => covered.has(instance)) ?? false
  const reached = () => indirect.filter((one) => !found.has(one.id) && isCovered(one))
  for (let more = reached(); more.length > 0; more = reached()) {
    for (const one of more) {
      found.set(one.id, one)
      covered.add(one.serviceInstance)
    }
  }
  return [...found.values()]
}

/** Active agreements of the account and those that it trusts. */
async function agreementsWhere({ queries, call }: Deps, type: RecordType, which: Condition): Promise<readonly Agreement[]> {
  const { id, directoryAccountId } = call.account
  const accounts = [id, ...call.trusted, ...(directoryAccountId === null ? [] : [directoryAccountId])]
  const where = criterionOf({ allOf: [{ status: 'active', account: accounts }, which] })
  const cells = await queries.cells(call, { type, where }, SLOTS)
  return cells.map(([agreement, accountId, instance, knowledge, ...services]) => ({
    id: Number(agreement),
    accountId: String(accountId),
    serviceInstance: instance === null ? null : Number(instance),
    usesKnowledge: Boolean(Number(knowledge)),
    services: services.flatMap((service) => (service === null ? [] : [Number(service)])),
  }))
}

const SLOTS = [
  ...['id', 'account_id', 'service_instance_id', 'use_knowledge_from_service_provider'],
  ...['service_instance.service_id', 'service_offering.service_id'],
].map((path) => path.split('.'))

interface Place {
  readonly accountId: string
  /** A list of one id, or of none; so are the other lists. */
  readonly organization: readonly number[]
  readonly site: readonly number[]
  readonly organizationOfAccount: readonly number[]
}

async function placeOf({ storage, catalog, call }: Deps, personId: number): Promise<Place> {
  const row: Record<string, unknown> | undefined = await dbOf(storage, call)
    .from({ p: storage.table(catalog.type(PERSON).table) })
    .leftJoin({ a: storage.table('accounts') }, 'a.id', 'p.account_id')
    .where('p.id', personId)
    .first('p.account_id', 'p.organization_id', 'p.site_id', 'a.organization_id as organization_of_account')
  const idIn = (column: string) => (row?.[column] ? [Number(row[column])] : [])
  return {
    accountId: String(row?.['account_id'] ?? ''),
    organization: idIn('organization_id'),
    site: idIn('site_id'),
    organizationOfAccount: idIn('organization_of_account'),
  }
}

/** The organization of the person and all those above it, in one query. */
async function organizationsAbove({ storage, catalog, call }: Deps, personId: number): Promise<readonly number[]> {
  const people = storage.table(catalog.type(PERSON).table)
  const organizations = storage.table(catalog.type(ORGANIZATION).table)
  const rows: readonly { id: unknown }[] = await dbOf(storage, call)
    .withRecursive('above', ['id'], (first) =>
      first
        .from(people)
        .where('id', personId)
        .select('organization_id')
        .union((next) => next.from({ o: organizations }).join('above', 'above.id', 'o.id').select('o.parent_id')),
    )
    .from('above')
    .whereNotNull('id')
    .select('id')
  return rows.map(({ id }) => Number(id))
}

/** The service instances of the configuration items that the person uses. */
async function instancesOfConfigurationItems({ storage, catalog, call }: Deps, personId: number): Promise<readonly number[]> {
  const links = catalog.types.get(CONFIGURATION_ITEM)?.links
  const [users, instances] = [links?.get('users'), links?.get('service_instances')]
  if (!users || !instances) return []
  const rows: readonly { id: unknown }[] = await dbOf(storage, call)
    .from({ u: storage.table(users.table) })
    .join({ i: storage.table(instances.table) }, `i.${instances.from}`, `u.${users.from}`)
    .where(`u.${users.to}`, personId)
    .distinct({ id: `i.${instances.to}` })
  return rows.map(({ id }) => Number(id))
}

function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)]
}
