/** Which records a call sees. */
import { type Call, hasRole } from '../core/call.js'
import { HookFailed } from '../core/errors.js'
import type { Catalog, RecordType } from '../schema/compile.js'
import { ANYTHING, accountsWithMyRole, type Criterion, criterionOf } from '../schema/conditions.js'
import type { Storage } from '../storage/connections.js'
import { createCoverages } from './coverage.js'
import { resolvePlaceholders, type Subject } from './placeholders.js'

/** The host's restriction of what a caller sees: a criterion that is added to ours, which `decide()` gives. */
export type ScopeHook = (question: { readonly call: Call; readonly type: string }, decide: () => Criterion) => Criterion

export interface Scope {
  /** The records of a type that the call sees, placeholders resolved. */
  visible(call: Call, type: RecordType): Promise<Criterion>
  /** True when the call may refer to every record of the type, in the accounts that it reaches. */
  seesAll(call: Call, type: RecordType): boolean
  /** The records of a type that references show in full to the call. */
  extent(call: Call, type: RecordType): Extent
  /** The records that the call may refer to: like visible, with those of trusted accounts. */
  reachable(call: Call, type: RecordType, accountId?: string): Promise<Criterion>
  /** Replaces placeholders by their values for this call; `me` and the like may mean another person than who acts. */
  resolve(call: Call, criterion: Criterion, person?: Subject): Promise<Criterion>
}

/** Records that the call sees, and those of trusted accounts that it may refer to. */
export interface Extent {
  /** Accounts of which the call sees every record of the type. */
  readonly whole: ReadonlySet<string>
  /** The criterion for records of other accounts, placeholders resolved; null when the call sees none of them. */
  readonly others: (() => Promise<Criterion>) | null
}

/** @param hook the host's restriction, which is asked wherever a type is restricted, or could be */
export function createScope(storage: Storage, catalog: Catalog, hook?: ScopeHook): Scope {
  const coverages = createCoverages(storage, catalog)
  const resolve: Scope['resolve'] = (call, criterion, person) =>
    resolvePlaceholders({ storage, catalog, coverages, call, person: person ?? call.actor }, criterion)

  const limits = (call: Call, type: RecordType): readonly Criterion[] => {
    if (call.systemReason !== undefined) return []
    const see = type.access.see
    const ours = !see || hasRole(call, ...see.roles) ? ANYTHING : type.seenByOthers
    return asking(hook ? ask(hook, call, type, ours) : ours)
  }

  /** The same for records of trusted accounts as well: a role opens those of the accounts that it was given in (gaps 2.7). */
  const limitsAcross = (call: Call, type: RecordType): readonly Criterion[] => {
    const { see } = type.access
    if (!see || call.systemReason !== undefined || call.trusted.length === 0) return limits(call, type)
    const ours: Criterion = { any: [criterionOf({ account: accountsWithMyRole(...see.roles) }), type.seenByOthers] }
    return [hook ? ask(hook, call, type, ours) : ours]
  }

  /** A part is visible when its owner is. */
  const ownerLimits = (call: Call, type: RecordType, below: readonly RecordType[] = []): readonly Criterion[] => {
    const owners = type.partOf.map((name) => catalog.type(name))
    const seen = owners.flatMap((owner) => {
      if (owner.access.use && !hasRole(call, ...owner.access.use)) return []
      // Parts that may be parts of their own kind end with the first owner.
      const further = below.includes(owner) ? [] : ownerLimits(call, owner, [...below, type])
      return [{ owner, all: [...asking(owner.present), ...limits(call, owner), ...further] }]
    })
    const whole = seen.filter(({ all }) => all.length === 0)
    if (whole.length === owners.length) return []
    // Where all owners are seen, nobody has to look for them: the line that tells who removed one stays visible.
    const ofWhole: Criterion = { path: ['owner_type'], op: 'in', values: whole.map(({ owner }) => owner.name) }
    const ofOthers = seen.filter(({ all }) => all.length > 0).map(({ owner, all }) => ({ owner: owner.name, where: { all } }))
    return [{ any: [ofWhole, ...ofOthers] }]
  }

  /** Records of trusted accounts that are meant for people of this one, and their translations. */
  const foreign = (call: Call, type: RecordType): readonly Criterion[] => {
    if (call.systemReason !== undefined || call.trusted.length === 0) return []
    const offered = offeredBy(catalog, type)
    if (!offered) return []
    return [{ all: [inAccounts(call.trusted), hook ? ask(hook, call, type, offered) : offered] }]
  }

  /** The accounts whose records belong to the collections of the call. */
  const accountsOf = ({ account }: Call, { withDirectory }: RecordType): readonly string[] =>
    withDirectory && account.directoryAccountId ? [account.id, account.directoryAccountId] : [account.id]

  const visible: Scope['visible'] = (call, type) => {
    const own = [inAccounts(accountsOf(call, type)), ...limits(call, type), ...ownerLimits(call, type)]
    const others = foreign(call, type)
    const seen = others.length > 0 ? [{ any: [{ all: own }, ...others] }] : own
    return resolve(call, { all: [...asking(type.present), ...seen] })
  }

  return {
    resolve,
    visible,
    seesAll: (call, type) => type.present === ANYTHING && limitsAcross(call, type).length === 0,
    extent(call, type) {
      const present = asking(type.present)
      const seesOwn = [...present, ...limits(call, type), ...ownerLimits(call, type)].length === 0
      // Of a part of a trusted account nobody here knows whether its owner is seen.
      const trusted = type.partOf.length > 0 ? [] : call.trusted
      const across = [...present, ...limitsAcross(call, type)]
      const seesTrusted = trusted.length > 0 && across.length === 0
      const whole = new Set([...(seesOwn ? accountsOf(call, type) : []), ...(seesTrusted ? trusted : [])])
      if (seesOwn && (seesTrusted || trusted.length === 0) && foreign(call, type).length === 0) return { whole, others: null }
      const ofTrusted = async () => resolve(call, { all: [inAccounts(trusted), ...across] })
      const others = async () => ({ any: [await visible(call, type), ...(trusted.length > 0 ? [await ofTrusted()] : [])] })
      return { whole, others }
    },
    reachable(call, type, accountId) {
      const all = [
        call.account.id,
        ...call.trusted,
        ...(call.account.directoryAccountId ? [call.account.directoryAccountId] : []),
      ]
      const accounts = accountId === undefined ? all : all.filter((id) => id === accountId)
      return resolve(call, { all: [inAccounts(accounts), ...asking(type.present), ...limitsAcross(call, type)] })
    },
  }
}

function inAccounts(ids: readonly string[]): Criterion {
  return { path: ['account'], op: 'in', values: ids }
}

/** The criterion, or none where it asks nothing. */
function asking(criterion: Criterion): readonly Criterion[] {
  return criterion === ANYTHING ? [] : [criterion]
}

/** What other accounts offer of a type; null when that is nothing. */
function offeredBy(catalog: Catalog, type: RecordType): Criterion | null {
  if (type.foreign) return type.foreign
  const owners = type.partOf.map((name) => catalog.type(name)).filter((owner) => owner.translations?.record === type.name)
  const [owner] = owners
  return owner?.foreign ? { owner: owner.name, where: { all: [owner.present, owner.foreign] } } : null
}

const OF_CRITERION = ['all', 'any', 'path', 'owner', 'part', 'linkedBy']

/** The host's restriction. What is no criterion is an error, never "everything". */
export function ask(hook: ScopeHook, call: Call, type: RecordType, ours: Criterion): Criterion {
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
