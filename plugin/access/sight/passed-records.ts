/**
 * Records of trusted accounts that a call sees because they were passed to its account: the definition names the person, or a
 * team of the person. People who see all records of the type in their own account also see those that name other people and
 * teams of this account (behaviour: Passed records).
 */
import { type Call, hasRole, type Role } from '../../core/call.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import type { Criterion } from '../../schema/language/conditions.js'
import { type Way, waysToSee } from './ways-to-see.js'

/** Records that a call sees without a role in their account. */
export interface PassedRecords {
  /** Records of trusted accounts that were passed to the account of the call; null if the call sees none. */
  toCall(call: Call, type: RecordType): Criterion | null
  /** Further records that the call sees because it works on a record that was passed to another account. */
  besides(call: Call, type: RecordType): readonly Criterion[]
}

/** Reads the definition of each type once. */
export function createPassedRecords(catalog: Catalog): PassedRecords {
  const known = new WeakMap<RecordType, readonly Way[]>()
  const waysTo = (type: RecordType): readonly Way[] => {
    const found = known.get(type) ?? (isPassed(type) ? waysToSee(catalog, type, type.seenByOthers) : [])
    // A condition without a tie applies to all people of the own account.
    const ways = found.filter(({ ties }) => ties.length > 0)
    known.set(type, ways)
    return ways
  }
  return {
    toCall(call, type) {
      if (call.bypassesPermissions || !call.actor || call.trusted.length === 0) return null
      const ways = waysTo(type)
      if (ways.length === 0) return null
      const { account, actor } = call
      // A record that names people of another account was passed there, and not to this one, in which they act as well.
      const isOfAccount = actor.accountId === account.id || actor.accountId === account.directoryAccountId
      const mine = isOfAccount ? ways.map(({ mine, rest }): Criterion => ({ all: [...mine, ...rest] })) : []
      const any = [...mine, ...(hasRole(call, ...rolesOf(type)) ? ofAccount(ways, account.id) : [])]
      return any.length > 0 ? { any } : null
    },
    besides({ passed }, type) {
      if (!passed || !rolesOf(type).some((role) => passed.roles.has(role))) return []
      // Internal notes name the account that may see them.
      if (type.partOf.length > 0) return [inAccount([], passed.accountId)]
      return ofAccount(waysTo(type), passed.accountId)
    },
  }
}

/** The ways by which records are tied to people and teams of this account. */
function ofAccount(ways: readonly Way[], accountId: string): readonly Criterion[] {
  return ways.flatMap(({ ties, mine, rest }) => {
    // Links cannot be followed to the accounts of the linked records.
    if (ties.some((tie) => 'link' in tie)) return []
    return [{ all: [...mine.flatMap((one) => ('path' in one ? [inAccount(one.path, accountId)] : [])), ...rest] }]
  })
}

function inAccount(path: readonly string[], accountId: string): Criterion {
  return { path: [...path, 'account'], op: 'in', values: [accountId] }
}

function rolesOf({ access }: RecordType): readonly Role[] {
  return access.see?.roles ?? []
}

function isPassed({ access, partOf }: RecordType): boolean {
  return partOf.length === 0 && access.see !== undefined && !access.use
}
