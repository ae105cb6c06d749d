/** Values of the placeholders in conditions (`me`, `myTeams` …) for a call. */
import { type Actor, type Call, hasRole, type Role } from '../../core/call.js'
import type { Catalog } from '../../schema/catalog.js'
import { ORGANIZATION } from '../../schema/language/built-in-types.js'
import {
  type Criterion,
  hasValue,
  isPlaceholder,
  NOTHING,
  type Placeholder,
  type Scalar,
} from '../../schema/language/conditions.js'
import type { Storage } from '../../storage/database/connections.js'
import { dbOf } from '../../storage/database/transaction.js'
import { teamsOf } from '../people/teams.js'
import { type Coverage, type Coverages, NO_COVERAGE } from './coverage.js'

/** The person that `me` stands for. */
export type PlaceholderPerson = Pick<Actor, 'id' | 'organizationId'>

/** Dependencies of the lookups, and the person that they are for. */
export interface PlaceholderContext {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly coverages: Coverages
  readonly call: Call
  readonly person: PlaceholderPerson | null
}

type Values = readonly Scalar[]

/** Replaces the placeholders of a criterion by values. Each one is loaded once, and only if it occurs. */
export async function resolvePlaceholders(context: PlaceholderContext, criterion: Criterion): Promise<Criterion> {
  // Runs for each call, and most criteria have none: looked for before anything is made.
  if (!hasValue(criterion, isPlaceholder)) return criterion
  const known = new Map<string, Values>()
  for (const [key, one] of placeholdersIn(criterion)) known.set(key, await valuesOf(context, one))
  return replace(criterion, known)
}

/** The placeholders, each once, by key. */
function placeholdersIn(criterion: Criterion): ReadonlyMap<string, Placeholder> {
  if ('all' in criterion) return new Map(criterion.all.flatMap((c) => [...placeholdersIn(c)]))
  if ('any' in criterion) return new Map(criterion.any.flatMap((c) => [...placeholdersIn(c)]))
  if ('owner' in criterion || 'part' in criterion) return placeholdersIn(criterion.where)
  if ('linkedBy' in criterion) return new Map()
  return new Map(criterion.values.filter(isPlaceholder).map((one) => [keyOf(one), one]))
}

function replace(criterion: Criterion, known: ReadonlyMap<string, Values>): Criterion {
  if ('all' in criterion) return { all: criterion.all.map((c) => replace(c, known)) }
  if ('any' in criterion) return { any: criterion.any.map((c) => replace(c, known)) }
  if ('owner' in criterion || 'part' in criterion) return { ...criterion, where: replace(criterion.where, known) }
  if ('linkedBy' in criterion) return criterion
  const values = criterion.values.flatMap((value) => (isPlaceholder(value) ? (known.get(keyOf(value)) ?? []) : [value]))
  if (criterion.op === 'in' || criterion.op === 'not in') return { ...criterion, op: criterion.op, values }
  const [only] = values
  return only === undefined || only === null ? NOTHING : { path: criterion.path, op: criterion.op, values: [only] }
}

function keyOf({ placeholder, roles = [] }: Placeholder): string {
  return [placeholder, ...roles].join(' ')
}

/** A placeholder without a person or a match has no values, so that `in` finds no records. */
async function valuesOf(context: PlaceholderContext, one: Placeholder): Promise<Values> {
  const { storage, catalog, call, person } = context
  switch (one.placeholder) {
    case 'me':
      return person ? [person.id] : []
    case 'my_organization':
      return person?.organizationId ? [person.organizationId] : []
    case 'this_account':
      return [call.account.id]
    case 'directory_account':
      return call.account.directoryAccountId ? [call.account.directoryAccountId] : []
    case 'trusted_accounts':
      return call.trusted
    case 'now':
      return [call.now]
    case 'six_months_ago':
      return [monthsBefore(call.now, 6)]
    case 'three_months_ago':
      return [monthsBefore(call.now, 3)]
    case 'my_covered_services':
      return (await coverage(context)).services
    case 'my_covered_service_instances':
      return (await coverage(context)).serviceInstances
    case 'my_services_with_knowledge':
      return (await coverage(context)).servicesWithKnowledge
    case 'my_agreements':
      return (await coverage(context)).agreements
    case 'my_covering_accounts':
      return (await coverage(context)).accounts
    case 'my_role_accounts':
      return roleAccounts(storage, call, one.roles ?? [])
    case 'my_teams':
      return person ? teamsOf(storage, catalog, call, person.id) : []
    case 'internal_organizations':
      return internalOrganizations(storage, catalog, call)
  }
}

async function coverage({ coverages, call, person }: PlaceholderContext): Promise<Coverage> {
  return person ? coverages.of(call, person.id) : NO_COVERAGE
}

function monthsBefore(moment: string, months: number): string {
  const date = new Date(moment)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() - months)
  // 31 February does not exist: half a year before 31 August is the last day of that month.
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return `${date.toISOString().slice(0, 19)}Z`
}

/** The account of the call and the trusted ones in which the caller has one of the roles. */
async function roleAccounts(storage: Storage, call: Call, roles: readonly Role[]): Promise<Values> {
  const here = hasRole(call, ...roles) ? [call.account.id] : []
  if (!call.actor || call.trusted.length === 0) return here
  const rows: { account_id: string }[] = await dbOf(
    storage,
    call,
  )(storage.table('permissions'))
    .where({ person_id: call.actor.id })
    .whereIn('account_id', [...call.trusted])
    .whereIn('role', roles.includes('account_administrator') ? [...roles, 'account_owner'] : [...roles])
    .distinct('account_id')
  return [...here, ...rows.map((row) => row.account_id)]
}

/** The account's organization and all its descendants, level by level. */
async function internalOrganizations(storage: Storage, catalog: Catalog, call: Call): Promise<Values> {
  const table = storage.table(catalog.type(ORGANIZATION).table)
  const found = new Set<number>(call.account.organizationId ? [call.account.organizationId] : [])
  for (let level = [...found]; level.length > 0; ) {
    const rows: { id: unknown }[] = await dbOf(storage, call)(table).whereIn('parent_id', level).select('id')
    level = rows.map((row) => Number(row.id)).filter((id) => !found.has(id))
    for (const id of level) found.add(id)
  }
  return [...found]
}
