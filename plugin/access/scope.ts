/** Which records a call sees, and what the words of conditions (`me`, `myTeams` …) mean for it. */
import { type Call, hasRole } from '../core/call.js'
import { HookFailed } from '../core/errors.js'
import type { Catalog, RecordType } from '../schema/compile.js'
import { ANYTHING, type Criterion, NOTHING, type Placeholder, type Scalar } from '../schema/conditions.js'
import { ORGANIZATION, TEAM } from '../schema/foundation.js'
import type { Storage } from '../storage/connections.js'
import { dbOf } from '../storage/transaction.js'

/** The host's restriction of what a caller sees: a criterion that is added to ours, which `decide()` gives. */
export type ScopeHook = (question: { readonly call: Call; readonly type: string }, decide: () => Criterion) => Criterion

export interface Scope {
  /** The records of a type that the call sees, placeholders resolved. */
  visible(call: Call, type: RecordType): Promise<Criterion>
  /** True when the call sees every record of the type, in the accounts that it reaches. */
  seesAll(call: Call, type: RecordType): boolean
  /** The records that the call may refer to: like visible, with those of trusted accounts. */
  reachable(call: Call, type: RecordType, accountId?: string): Promise<Criterion>
  /** Replaces placeholders by their values for this call. */
  resolve(call: Call, criterion: Criterion): Promise<Criterion>
}

type Values = readonly Scalar[]

export function createScope(storage: Storage, catalog: Catalog, hook?: ScopeHook): Scope {
  const resolve: Scope['resolve'] = async (call, criterion) => {
    const known = new Map<Placeholder['placeholder'], Values>()
    for (const name of placeholdersIn(criterion)) known.set(name, await valuesOf(storage, catalog, call, name))
    return known.size === 0 ? criterion : replace(criterion, known)
  }

  const limits = (call: Call, type: RecordType): readonly Criterion[] => {
    if (call.systemReason !== undefined) return []
    const see = type.access.see
    const ours = !see || hasRole(call, ...see.roles) ? ANYTHING : type.seenByOthers
    if (!hook) return ours === ANYTHING ? [] : [ours]
    return [ask(hook, call, type, ours)]
  }

  /** A part at its own address is visible when its owner is. */
  const ownerLimits = (call: Call, type: RecordType): readonly Criterion[] => {
    const owners = type.partOf.map((name) => catalog.type(name))
    const seen = owners.filter((owner) => !owner.access.use || hasRole(call, ...owner.access.use))
    const whole = seen.filter((owner) => limits(call, owner).length === 0)
    if (whole.length === owners.length) return []
    // Where all owners are seen, nobody has to look for them: the line that tells who removed one stays visible.
    const ofWhole: Criterion = { path: ['owner_type'], op: 'in', values: whole.map((owner) => owner.name) }
    const ofOthers = seen
      .filter((owner) => !whole.includes(owner))
      .map((owner) => ({ owner: owner.name, where: { all: limits(call, owner) } }))
    return [{ any: [ofWhole, ...ofOthers] }]
  }

  return {
    resolve,
    seesAll: (call, type) => limits(call, type).length === 0,
    visible(call, type) {
      const accounts =
        type.withDirectory && call.account.directoryAccountId
          ? [call.account.id, call.account.directoryAccountId]
          : [call.account.id]
      const where: Criterion = { path: ['account'], op: 'in', values: accounts }
      return resolve(call, { all: [where, ...limits(call, type), ...ownerLimits(call, type)] })
    },
    reachable(call, type, accountId) {
      const all = [
        call.account.id,
        ...call.trusted,
        ...(call.account.directoryAccountId ? [call.account.directoryAccountId] : []),
      ]
      const accounts = accountId === undefined ? all : all.filter((id) => id === accountId)
      return resolve(call, { all: [{ path: ['account'], op: 'in', values: accounts }, ...limits(call, type)] })
    },
  }
}

const OF_CRITERION = ['all', 'any', 'path', 'owner', 'linkedBy']

/** The host's restriction. What is no criterion is an error, never "everything". */
function ask(hook: ScopeHook, call: Call, type: RecordType, ours: Criterion): Criterion {
  const place = `scope for ${type.name}`
  let answer: unknown
  try {
    answer = hook({ call, type: type.name }, () => ours)
  } catch (error) {
    throw new HookFailed(place, error)
  }
  if (typeof answer === 'object' && answer !== null && OF_CRITERION.some((key) => key in answer)) return answer as Criterion
  throw new HookFailed(place, new Error('it must answer a criterion'))
}

function placeholdersIn(criterion: Criterion): ReadonlySet<Placeholder['placeholder']> {
  if ('all' in criterion) return new Set(criterion.all.flatMap((c) => [...placeholdersIn(c)]))
  if ('any' in criterion) return new Set(criterion.any.flatMap((c) => [...placeholdersIn(c)]))
  if ('owner' in criterion) return placeholdersIn(criterion.where)
  if ('linkedBy' in criterion) return new Set()
  return new Set(criterion.values.flatMap((value) => (isPlaceholder(value) ? [value.placeholder] : [])))
}

function replace(criterion: Criterion, known: ReadonlyMap<Placeholder['placeholder'], Values>): Criterion {
  if ('all' in criterion) return { all: criterion.all.map((c) => replace(c, known)) }
  if ('any' in criterion) return { any: criterion.any.map((c) => replace(c, known)) }
  if ('owner' in criterion) return { owner: criterion.owner, where: replace(criterion.where, known) }
  if ('linkedBy' in criterion) return criterion
  const values = criterion.values.flatMap((value) => (isPlaceholder(value) ? (known.get(value.placeholder) ?? []) : [value]))
  if (criterion.op === 'in' || criterion.op === 'not in') return { ...criterion, op: criterion.op, values }
  const [only] = values
  return only === undefined || only === null ? NOTHING : { path: criterion.path, op: criterion.op, values: [only] }
}

function isPlaceholder(value: Scalar | Placeholder): value is Placeholder {
  return typeof value === 'object' && value !== null
}

/** A placeholder that means nobody or nothing has no values, so that `in` finds no record. */
async function valuesOf(storage: Storage, catalog: Catalog, call: Call, name: Placeholder['placeholder']): Promise<Values> {
  switch (name) {
    case 'me':
      return call.actor ? [call.actor.id] : []
    case 'my_organization':
      return call.actor?.organizationId ? [call.actor.organizationId] : []
    case 'this_account':
      return [call.account.id]
    case 'directory_account':
      return call.account.directoryAccountId ? [call.account.directoryAccountId] : []
    case 'trusted_accounts':
      return call.trusted
    case 'now':
      return [call.now]
    case 'six_months_ago':
      return [sixMonthsBefore(call.now)]
    case 'three_months_ago':
    case 'my_covered_services':
    case 'my_covered_service_instances':
      return []
    case 'my_teams':
      return call.actor ? teamsOf(storage, catalog, call, call.actor.id) : []
    case 'internal_organizations':
      return internalOrganizations(storage, catalog, call)
  }
}

function sixMonthsBefore(moment: string): string {
  const date = new Date(moment)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() - 6)
  // There is no 31 February: half a year before 31 August is the last day of that month.
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return `${date.toISOString().slice(0, 19)}Z`
}

async function teamsOf(storage: Storage, catalog: Catalog, call: Call, personId: number): Promise<Values> {
  const link = catalog.type(TEAM).links.get('members')
  if (!link) return []
  const rows: Record<string, unknown>[] = await dbOf(
    storage,
    call,
  )(storage.table(link.table))
    .where(link.to, personId)
    .select(link.from)
  return rows.map((row) => Number(row[link.from]))
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
