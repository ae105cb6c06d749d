/**
 * Finds the other accounts in which a record is visible, for messages to an account as a whole, such as deliveries (behaviour:
 * Events). There is no acting person, so a record counts as visible in an account
 *
 * - whose directory account holds it, if records of its type belong to the directory;
 * - that has a trust relation with the holding account, if the type offers the record to all such accounts;
 * - that has a trust relation with it, if the definition lets people or teams of this account see the record: a request whose
 *   team or member is of a provider is visible there.
 *
 * Roles of people in the holding account do not count: they apply in that account.
 */
import type { Knex } from 'knex'
import { type Account, AS_CALLER, type Call, type Role } from '../../core/call.js'
import { type Clock, instantOf } from '../../core/clock.js'
import type { Log } from '../../core/log.js'
import { type AskHost, createAskHost } from '../../core/waiting/ask-host.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import { ANYTHING, type Criterion } from '../../schema/language/conditions.js'
import type { Storage } from '../../storage/database/connections.js'
import { transactionOf } from '../../storage/database/transaction.js'
import type { Queries } from '../../storage/records/query.js'
import { NO_ACCOUNT } from '../people/callers.js'
import { type Relations, readRelations } from './account-relations.js'
import { createAskScope, type ScopeHook } from './ask-scope.js'
import { createCoverages } from './coverage.js'
import { resolvePlaceholders } from './placeholders.js'
import { type Tie, type Way, waysToSee } from './ways-to-see.js'

export interface VisibleInDeps {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly queries: Queries
  readonly clock: Clock
  readonly log: Log
  /** The host's restriction: records that it hides are not visible in other accounts either. */
  readonly hook?: ScopeHook | undefined
  /** Calls the host. */
  readonly ask?: AskHost
}

export interface RecordOfAccount {
  readonly type: string
  readonly id: number
  /** The account that the record belongs to. */
  readonly accountId: string
}

/**
 * The other accounts in which each record is visible, by `<type>/<id>`. A few queries per type of record, for any number of
 * records and accounts; with a restriction of the host, one more per type and account.
 */
export type VisibleIn = (
  db: Knex,
  records: readonly RecordOfAccount[],
  accounts: readonly string[],
) => Promise<ReadonlyMap<string, ReadonlySet<string>>>

/** Accounts by records; null means every account. */
type Found = ReadonlyMap<number, ReadonlySet<string> | null>
type Ids = readonly number[]

/** Key of a record in the result of `VisibleIn`. */
export function recordKey(type: string, id: number): string {
  return `${type}/${id}`
}

/** Creates the function that finds these accounts. It reads in the given transaction. */
export function createVisibleIn(deps: VisibleInDeps): VisibleIn {
  const { storage, catalog, queries, clock, log, hook, ask = createAskHost() } = deps
  const askScope = hook && createAskScope(catalog, hook, ask)
  const coverages = createCoverages(storage, catalog)
  const ways = new Map<RecordType, readonly Way[]>()

  return async (db, records, accounts) => {
    const visible = new Map<string, ReadonlySet<string>>()
    const holders = [...new Set(records.map(({ accountId }) => accountId))]
    const relations = await readRelations(db, storage, accounts, holders)
    const inside = { transaction: transactionOf(storage, db) }
    for (const name of new Set(records.map(({ type }) => type))) {
      const type = catalog.types.get(name)
      // Sub-records are part of the events of their owner.
      if (!type || type.partOf.length > 0 || !isForAdministrators(type.access.use)) continue
      const own = records.filter((record) => record.type === name && isRelated(relations, record.accountId))
      if (own.length === 0) continue
      for (const [key, found] of await visibleOf(inside, type, own, relations)) visible.set(key, found)
    }
    return visible
  }

  async function visibleOf(
    inside: Pick<Call, 'transaction'>,
    type: RecordType,
    records: readonly RecordOfAccount[],
    relations: Relations,
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const ids = [...new Set(records.map(({ id }) => id))]
    const all = ways.get(type) ?? waysTo(catalog, type)
    ways.set(type, all)
    const { present, judged } = await judge(inside, type, ids, all)
    const isListed = type.withDirectory && isForAdministrators(type.access.see?.roles)
    const isShown = ({ id, accountId }: RecordOfAccount, account: Account) =>
      present.has(id) &&
      account.id !== accountId &&
      ((isListed && account.directoryAccountId === accountId) ||
        (relations.trust(account.id, accountId) && judged.some((found) => isIn(found.get(id), account.id))))
    const visible = new Map<string, Set<string>>()
    for (const account of relations.accounts.values()) {
      const shown = records.filter((record) => isShown(record, account)).map(({ id }) => id)
      const trusted = [...new Set(records.map(({ accountId }) => accountId))].filter((id) => relations.trust(account.id, id))
      const call = { ...callIn(account), trusted, ...inside }
      for (const id of await unhidden(call, type, [...new Set(shown)])) {
        const key = recordKey(type.name, id)
        visible.set(key, (visible.get(key) ?? new Set()).add(account.id))
      }
    }
    return visible
  }

  /** Looks up the accounts that the records are tied to, and checks the other criteria. */
  async function judge(inside: Pick<Call, 'transaction'>, type: RecordType, ids: Ids, all: readonly Way[]) {
    const paths = all.flatMap(({ ties }) => ties.flatMap((tie) => ('path' in tie && !('part' in tie) ? [tie.path] : [])))
    const among: Criterion = { path: ['id'], op: 'in', values: ids }
    const where: Criterion = { all: [among, type.existsWhile] }
    const rows = await queries.cells(inside, { type, where: await common(where) }, [
      ['id'],
      ...paths.map((path) => [...path, 'account']),
    ])
    const present = new Set(rows.map(([id]) => Number(id)))
    const ofPath = new Map(paths.map((path, index) => [path, accountsBy(rows.map((row) => [row[0], row[index + 1]]))]))
    const judged: Found[] = []
    for (const { ties, rest } of all) {
      let found: Found = new Map(ids.map((id) => [id, null]))
      if (rest.length > 0) {
        const met = await queries.cells(inside, { type, where: await common({ all: [among, ...rest] }) }, [['id']])
        found = new Map(met.map(([id]) => [Number(id), null]))
      }
      for (const tie of ties) {
        const known = 'path' in tie ? ofPath.get(tie.path) : undefined
        found = both(found, known ?? (await accountsOf(inside, type, ids, tie)))
      }
      judged.push(found)
    }
    return { present, judged }
  }

  /** The accounts of the records that a link or the sub-records lead to. */
  async function accountsOf(inside: Pick<Call, 'transaction'>, type: RecordType, ids: Ids, tie: Tie): Promise<Found> {
    if ('link' in tie) {
      const linked = { type: catalog.type(tie.link.record), where: ANYTHING }
      return accountsBy(await queries.linkedCells(inside, tie.link, ids, linked, [['account']]))
    }
    if (!('part' in tie)) return new Map()
    const ofRecords: Criterion = {
      all: [
        { path: ['owner_type'], op: 'in', values: [type.name] },
        { path: ['owner_id'], op: 'in', values: ids },
        tie.part.existsWhile,
      ],
    }
    const parts = { type: tie.part, where: await common(ofRecords) }
    return accountsBy(await queries.cells(inside, parts, [['owner_id'], [...tie.path, 'account']]))
  }

  /** The ids that the host does not hide from the account of the call. None if its restriction fails. */
  async function unhidden(call: Call, type: RecordType, ids: Ids): Promise<Ids> {
    if (!askScope || ids.length === 0) return ids
    try {
      const where: Criterion = {
        all: [{ path: ['id'], op: 'in', values: ids }, await askScope(call, type, 'elsewhere', ANYTHING)],
      }
      const resolved = await resolvePlaceholders({ storage, catalog, coverages, call, person: null }, where)
      return (await queries.cells(call, { type, where: resolved }, [['id']])).map(([id]) => Number(id))
    } catch (error) {
      const details = { err: error, type: type.name, accountId: call.account.id }
      log.error(details, 'The scope hook of the host failed; an account gets no events for records of other accounts')
      return []
    }
  }

  /** Replaces placeholders that have the same values for all people. */
  function common(criterion: Criterion): Promise<Criterion> {
    return resolvePlaceholders({ storage, catalog, coverages, call: callIn(NO_ACCOUNT), person: null }, criterion)
  }

  /** Creates a call without an acting person, with the role that decides what is delivered. */
  function callIn(account: Account): Call {
    return {
      ...AS_CALLER,
      acts: 'plugin',
      actor: null,
      roles: new Set(['account_administrator'] as const),
      account,
      trusted: [],
      language: account.locale,
      zone: 'UTC',
      origin: 'event',
      source: 'system',
      requestId: '',
      now: instantOf(clock.now()),
    }
  }
}

/**
 * Ways by which the definition lets other accounts see its records, as far as they can be decided for an account as a whole.
 */
function waysTo(catalog: Catalog, type: RecordType): readonly Way[] {
  // A condition without a tie applies to all people of the own account.
  const passed = type.access.see ? waysToSee(catalog, type, type.seenByOthers).filter(({ ties }) => ties.length > 0) : []
  return [...passed, ...(type.fromTrusted ? waysToSee(catalog, type, type.fromTrusted) : [])]
}

/** True if the roles include the one that decides what is delivered, or no role is needed. */
function isForAdministrators(roles: readonly Role[] | undefined): boolean {
  return !roles || roles.includes('account_administrator')
}

function isRelated({ accounts, trust }: Relations, holder: string): boolean {
  return [...accounts.values()].some(({ id, directoryAccountId }) => directoryAccountId === holder || trust(id, holder))
}

function isIn(accounts: ReadonlySet<string> | null | undefined, id: string): boolean {
  return accounts === null || accounts?.has(id) === true
}

/** The accounts that are in both findings, by record. */
function both(some: Found, others: Found): Found {
  const found = new Map<number, ReadonlySet<string> | null>()
  for (const [id, accounts] of some) {
    const other = others.get(id)
    if (other === undefined) continue
    found.set(id, accounts && other ? new Set([...accounts].filter((one) => other.has(one))) : (accounts ?? other))
  }
  return found
}

function accountsBy(rows: readonly (readonly unknown[])[]): Found {
  const found = new Map<number, Set<string>>()
  for (const [id, account] of rows) {
    if (typeof account === 'string') found.set(Number(id), (found.get(Number(id)) ?? new Set()).add(account))
  }
  return found
}
