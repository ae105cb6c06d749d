/** Decides which records a call sees. */
import { type Call, hasRole } from '../../core/call.js'
import { accountsReferredTo } from '../../core/passed-calls.js'
import { type AskHost, createAskHost } from '../../core/waiting/ask-host.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import { ANYTHING, accountsWithMyRole, type Criterion, criterionOf, NOTHING } from '../../schema/language/conditions.js'
import type { Storage } from '../../storage/database/connections.js'
import { opensType } from '../tokens/token-limits.js'
import { createAccountsReached } from './accounts-reached.js'
import { createAskScope, type ScopeHook } from './ask-scope.js'
import { createCoverages } from './coverage.js'
import { mayKnow } from './decide.js'
import { createPassedRecords } from './passed-records.js'
import { type PlaceholderPerson, resolvePlaceholders } from './placeholders.js'
import { isOfPerson } from './ways-to-see.js'

export interface Scope {
  /** The records of a type that the call sees one by one, placeholders resolved. `owner`: only sub-records of this type. */
  visible(call: Call, type: RecordType, owner?: RecordType): Promise<Criterion>
  /**
   * The records of a collection of the type: those of the account, and of other accounts only if the chosen list asks for them
   * (behaviour: Accounts).
   */
  listed(call: Call, type: RecordType, list: Criterion): Promise<Criterion>
  /** The records of trusted accounts that were passed to the call, placeholders resolved; null if there cannot be any. */
  passed(call: Call, type: RecordType): Promise<Criterion | null>
  /** True if the call may refer to every record of the type, in the accounts that it reaches. */
  seesAll(call: Call, type: RecordType): Promise<boolean>
  /** True if no record of the type in the account of the call is hidden from it, so that it may know of removed ones as well. */
  knowsAll(call: Call, type: RecordType): Promise<boolean>
  /** The records of a type that references to them show in full. */
  extent(call: Call, type: RecordType): Promise<Extent>
  /** The records that the call may refer to: the visible ones, and those of trusted accounts. */
  reachable(call: Call, type: RecordType, accountId?: string): Promise<Criterion>
  /** The sub-records that the call sees of records that it sees, placeholders resolved. */
  ofSeen(call: Call, type: RecordType): Promise<Criterion>
  /** Replaces placeholders by their values for this call; `person` is used for `me` instead of the acting person. */
  resolve(call: Call, criterion: Criterion, person?: PlaceholderPerson): Promise<Criterion>
}

/** Accounts whose records of a type are meant, and the type of the owners if it is known. */
interface Reach {
  readonly accounts: (call: Call, type: RecordType) => readonly string[]
  readonly only?: RecordType | undefined
}

/** Records that the call sees, and those of trusted accounts that it may refer to. */
export interface Extent {
  /** Accounts in which the call sees every record of the type. */
  readonly whole: ReadonlySet<string>
  /** The criterion for records of other accounts, placeholders resolved; null if the call sees none of them. */
  readonly others: (() => Promise<Criterion>) | null
}

/** Functions of the host, and what follows from its decisions. */
interface ScopeParts {
  /** The host's restriction, asked for every type that is restricted, or could be. */
  readonly hook?: ScopeHook | undefined
  /** Calls the host. */
  readonly ask?: AskHost
  /** See `Decisions.isOpen`. */
  isOpen?(call: Call, type: RecordType): Promise<boolean>
}

/** Creates the scope of calls. */
export function createScope(storage: Storage, catalog: Catalog, parts: ScopeParts = {}): Scope {
  const { hook, ask = createAskHost(), isOpen = async (call, type) => mayKnow(call, type) } = parts
  const coverages = createCoverages(storage, catalog)
  const reach = createAccountsReached(catalog)
  const passedRecords = createPassedRecords(catalog)
  const askScope = hook && createAskScope(catalog, hook, ask)
  const resolve: Scope['resolve'] = (call, criterion, person) =>
    resolvePlaceholders({ storage, catalog, coverages, call, person: person ?? call.actor }, criterion)

  const limits = async (call: Call, type: RecordType): Promise<readonly Criterion[]> => {
    if (call.bypassesPermissions) return []
    const see = type.access.see
    const besides = passedRecords.besides(call, type)
    const others = besides.length > 0 ? { any: [type.seenByOthers, ...besides] } : type.seenByOthers
    const ours = !see || hasRole(call, ...see.roles) ? ANYTHING : others
    return asking(askScope ? await askScope(call, type, 'own', ours) : ours)
  }

  /**
   * The limits for records of trusted accounts as well: a role opens records of the accounts that it was granted in (behaviour:
   * Accounts).
   */
  const limitsAcross = async (call: Call, type: RecordType): Promise<readonly Criterion[]> => {
    const { see } = type.access
    if (!see || call.bypassesPermissions || call.trusted.length === 0) return limits(call, type)
    const ours: Criterion = { any: [criterionOf({ account: accountsWithMyRole(...see.roles) }), type.seenByOthers] }
    return [askScope ? await askScope(call, type, 'across', ours) : ours]
  }

  /** A sub-record is visible if its owner is. */
  const ownerLimits = async (
    call: Call,
    type: RecordType,
    { accounts, only }: Reach,
    below: readonly RecordType[] = [],
  ): Promise<readonly Criterion[]> => {
    const owners = only ? [only] : type.partOf.map((name) => catalog.type(name))
    const seen: { readonly owner: RecordType; readonly all: readonly Criterion[] }[] = []
    for (const owner of owners) {
      if (!opensType(call, owner) || !(await isOpen(call, owner))) continue
      // Types that may be sub-records of their own type end with the first owner.
      const further = below.includes(owner) ? [] : await ownerLimits(call, owner, { accounts }, [...below, type])
      const theirs = accounts(call, owner)
      const isEverywhere = accounts(call, type).every((id) => theirs.includes(id))
      const all = [...asking(owner.existsWhile), ...(await limits(call, owner)), ...further]
      seen.push({ owner, all: isEverywhere ? all : [inAccounts(theirs), ...all] })
    }
    const whole = seen.filter(({ all }) => all.length === 0)
    if (whole.length === type.partOf.length) return []
    // If the caller sees all owners of a type, do not join them: audit lines of a deleted owner must stay visible.
    const ofWhole: Criterion = { path: ['owner_type'], op: 'in', values: whole.map(({ owner }) => owner.name) }
    const ofOthers = seen.filter(({ all }) => all.length > 0).map(({ owner, all }) => ({ owner: owner.name, where: { all } }))
    return [{ any: [ofWhole, ...ofOthers] }]
  }

  /** Records of trusted accounts that are offered to people of this one, and their translations. */
  const foreign = async (call: Call, type: RecordType): Promise<readonly Criterion[]> => {
    if (call.bypassesPermissions || call.trusted.length === 0) return []
    const offered = offeredBy(catalog, type)
    if (!offered) return []
    return [{ all: [inAccounts(call.trusted), askScope ? await askScope(call, type, 'offered', offered) : offered] }]
  }

  const within = async (call: Call, type: RecordType, reach: Reach): Promise<Criterion> => {
    const ofAccounts = inAccounts(reach.accounts(call, type))
    const own = [ofAccounts, ...(await limits(call, type)), ...(await ownerLimits(call, type, reach))]
    const others = await foreign(call, type)
    const all = others.length > 0 ? [{ any: [{ all: own }, ...others] }] : own
    return resolve(call, { all: [...asking(type.existsWhile), ...all] })
  }

  const passed: Scope['passed'] = async (call, type) => {
    const ours = passedRecords.toCall(call, type)
    if (ours === null) return null
    const limited = askScope ? await askScope(call, type, 'passed', ours) : ours
    return resolve(call, { all: [inAccounts(call.trusted), ...asking(type.existsWhile), limited] })
  }

  const listed: Scope['listed'] = async (call, type, list) => {
    const own = await within(call, type, { accounts: (asked, of) => reach.listed(asked, of, list) })
    const others = isOfPerson(list) ? await passed(call, type) : null
    return others ? { any: [own, others] } : own
  }

  const seen: Scope['visible'] = (call, type, only) => within(call, type, { accounts: reach.seen, only })

  return {
    resolve,
    visible: async (call, type, only) => (opensType(call, type) ? seen(call, type, only) : NOTHING),
    listed: async (call, type, list) => (opensType(call, type) ? listed(call, type, list) : NOTHING),
    passed: async (call, type) => (opensType(call, type) ? passed(call, type) : null),
    ofSeen: async (call, type) => resolve(call, { all: [...asking(type.existsWhile), ...(await limitsAcross(call, type))] }),
    seesAll: async (call, type) => type.existsWhile === ANYTHING && (await limitsAcross(call, type)).length === 0,
    async knowsAll(call, type) {
      if (!opensType(call, type) || (await limits(call, type)).length > 0) return false
      return (await ownerLimits(call, type, { accounts: reach.own })).length === 0
    },
    async extent(call, type) {
      const present = asking(type.existsWhile)
      const below = await ownerLimits(call, type, { accounts: reach.own })
      const seesOwn = [...present, ...(await limits(call, type)), ...below].length === 0
      // For sub-records of trusted accounts it is unknown if their owner is visible.
      const trusted = type.partOf.length > 0 ? [] : call.trusted
      const across = [...present, ...(await limitsAcross(call, type))]
      const seesTrusted = trusted.length > 0 && across.length === 0
      const whole = new Set([...(seesOwn ? reach.own(call, type) : []), ...(seesTrusted ? trusted : [])])
      const isWhole = seesOwn && (seesTrusted || trusted.length === 0)
      if (isWhole && (await foreign(call, type)).length === 0) return { whole, others: null }
      const ofTrusted = async () => resolve(call, { all: [inAccounts(trusted), ...across] })
      const others = async () => {
        const ofPassed = await passed(call, type)
        const further = [...(trusted.length > 0 ? [await ofTrusted()] : []), ...(ofPassed ? [ofPassed] : [])]
        return { any: [await seen(call, type), ...further] }
      }
      return { whole, others }
    },
    async reachable(call, type, accountId) {
      const all = accountsReferredTo(call)
      const accounts = accountId === undefined ? all : all.filter((id) => id === accountId)
      return resolve(call, { all: [inAccounts(accounts), ...asking(type.existsWhile), ...(await limitsAcross(call, type))] })
    },
  }
}

function inAccounts(ids: readonly string[]): Criterion {
  return { path: ['account'], op: 'in', values: ids }
}

/** The criterion, or none if it does not restrict anything. */
function asking(criterion: Criterion): readonly Criterion[] {
  return criterion === ANYTHING ? [] : [criterion]
}

/** The records of a type that other accounts offer; null if none. */
function offeredBy(catalog: Catalog, type: RecordType): Criterion | null {
  if (type.fromTrusted) return type.fromTrusted
  const owners = type.partOf.map((name) => catalog.type(name)).filter((owner) => owner.translations?.record === type.name)
  const [owner] = owners
  return owner?.fromTrusted ? { owner: owner.name, where: { all: [owner.existsWhile, owner.fromTrusted] } } : null
}
