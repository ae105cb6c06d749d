/** Accounts and their trust relations (behaviour: Accounts). */
import type { Knex } from 'knex'
import type { Call } from '../../core/call.js'
import { type Clock, type Instant, instantOf } from '../../core/clock.js'
import { shown } from '../../core/text/shown.js'
import { createShortMemory } from '../../core/waiting/short-memory.js'
import type { Storage } from '../../storage/database/connections.js'
import { inOwnTransaction } from '../../storage/database/own-transaction.js'
import { afterCommit, dbOf, type Inside, isInHosts } from '../../storage/database/transaction.js'
import { markingChanges } from './account-changes.js'
import { type AccountRow, accountOf, type StoredAccount } from './account-rows.js'
import { columnsOfAccount, type NewAccount } from './new-account.js'

/** Accounts and their trust relations. */
export interface Accounts {
  /**
   * An account by id; null if it does not exist. Cached for two seconds, like the two others.
   *
   * @param call if it is in a transaction of the host, the rows are read there
   */
  find(id: string, call?: Inside): Promise<StoredAccount | null>
  /** Ids of the accounts that trust this one or are trusted by it. */
  trustedBy(id: string, call?: Inside): Promise<readonly string[]>
  /** True if the account is the directory account of another one. */
  isDirectory(id: string, call?: Inside): Promise<boolean>
  /**
   * The time zone of the call's account as it is stored, locked until the transaction ends: a change of it waits for those who count
   * in it; what they have counted is made due after it. `call.account` may be older.
   */
  zone(call: Call): Promise<string>
  /** Names of accounts by id. */
  names(call: Pick<Call, 'transaction'>, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /**
   * Creates an account, or changes the given fields of an existing one.
   *
   * @throws RangeError with all mistakes: an id that is not a sub-domain label, an unknown language or time zone. Also for a directory
   *   account that does not exist, is the account itself, or has one of its own
   */
  put(account: NewAccount): Promise<StoredAccount>
  /**
   * Gives the account a service desk, in the transaction of the call. The account is locked until it ends, so that of several
   * calls only one makes a team.
   *
   * @param choose returns the id of the team, given that of the present one
   */
  putServiceDesk(call: Call, choose: (current: number | null) => Promise<number>): Promise<void>
  /** Makes two accounts trust each other; repeating it is not an error. @throws RangeError if one of them does not exist */
  trust(one: string, other: string): Promise<void>
  /**
   * Ends the trust between two accounts. References between their records stay, but neither account sees records of the other one
   * any longer. Repeating it is not an error.
   *
   * @throws RangeError if one of them does not exist
   */
  distrust(one: string, other: string): Promise<void>
}

/** Milliseconds until changes of other processes to accounts, people, tokens and roles take effect in this one. */
export const REMEMBER_FOR = 2_000
/** Bounds the cache, because ids come from callers, who may invent them. */
const MAX_REMEMBERED = 1_000

interface AccountsDeps {
  readonly storage: Storage
  readonly clock: Clock
  /** Runs after a commit after which timers have work to do, with its time. */
  expectTimer(moment: Instant): void
}

export function createAccounts(deps: AccountsDeps): Accounts {
  const { clock, storage } = deps
  const limits = { clock, lasts: REMEMBER_FOR, max: MAX_REMEMBERED }
  const accounts = createShortMemory<StoredAccount | null>({ ...limits, isWorth: (account) => account !== null })
  const trusts = createShortMemory<readonly string[]>(limits)
  const directories = createShortMemory<boolean>(limits)
  const tables = [storage.table('accounts'), storage.table('trusts')] as const
  storage.changes.listen((written) => {
    if (written && !tables.some((table) => written.has(table))) return
    for (const memory of [accounts, directories, trusts]) memory.forget()
  })
  const load = async (id: string, call?: Inside) => {
    const row: AccountRow | undefined = await dbOf(storage, call)(storage.table('accounts')).where({ id }).first()
    return row ? accountOf(row) : null
  }
  const loadIsDirectory = async (id: string, call?: Inside) =>
    (await dbOf(storage, call)(storage.table('accounts')).where({ directory_account_id: id }).first('id')) !== undefined
  const loadTrusts = async (id: string, call?: Inside) => {
    const rows: { account_id: string; trusted_account_id: string }[] = await dbOf(
      storage,
      call,
    )(storage.table('trusts'))
      .where({ account_id: id })
      .orWhere({ trusted_account_id: id })
      .select('account_id', 'trusted_account_id')
    return Object.freeze([...new Set(rows.map((row) => (row.account_id === id ? row.trusted_account_id : row.account_id)))])
  }
  /** Waits for a write, and announces the change even if it fails: only the confirmation may have been lost. */
  const told = async <T>(write: PromiseLike<T>): Promise<T> => {
    try {
      return await write
    } finally {
      storage.changes.tell(new Set(tables))
    }
  }
  const find = async (id: string, call?: Inside) => {
    if (typeof id !== 'string') throw new TypeError(`The account must be an id, a text, not ${shown(id)}`)
    return isInHosts(call) ? load(id, call) : (await accounts.recall(id, () => load(id))).value
  }
  const mustExist = async (...ids: readonly string[]) => {
    for (const id of ids) if (!(await find(id))) throw new RangeError(`There is no account '${id}'`)
  }
  /** Directories have no directory: people would act in accounts at two levels, or around a loop. */
  const checkDirectory = async (db: Knex, id: string, directory: string) => {
    if (directory === id) throw new RangeError(`An account cannot be its own directory account: '${id}'`)
    // Locked in one order: two accounts could become the directory of each other at the same time.
    const rows: AccountRow[] = await db(storage.table('accounts'))
      .whereIn('id', [id, directory])
      .orWhere({ directory_account_id: id })
      .orderBy('id')
      .forUpdate()
    const row = rows.find((one) => one.id === directory)
    if (!row) throw new RangeError(`There is no account '${directory}'`)
    if (row.directory_account_id !== null) {
      throw new RangeError(`The directory account '${directory}' has a directory account itself: '${row.directory_account_id}'`)
    }
    const user = rows.find((one) => one.directory_account_id === id)
    if (user) throw new RangeError(`'${id}' cannot have a directory account: it is the one of '${user.id}'`)
  }
  return {
    find,
    isDirectory: async (id, call) =>
      isInHosts(call) ? loadIsDirectory(id, call) : (await directories.recall(id, () => loadIsDirectory(id))).value,
    trustedBy: async (id, call) =>
      isInHosts(call) ? loadTrusts(id, call) : (await trusts.recall(id, () => loadTrusts(id))).value,
    async zone(call) {
      const { id, timeZone } = call.account
      const row: Pick<AccountRow, 'time_zone'> | undefined = await dbOf(
        storage,
        call,
      )(storage.table('accounts'))
        .where({ id })
        .forShare()
        .first('time_zone')
      return row?.time_zone ?? timeZone
    },
    async names(call, ids) {
      const rows: { id: string; name: string }[] = await dbOf(
        storage,
        call,
      )(storage.table('accounts'))
        .whereIn('id', [...ids])
        .select('id', 'name')
      return new Map(rows.map((row) => [row.id, row.name]))
    },
    async put(account) {
      const given = columnsOfAccount(account)
      const created_at = clock.now().toISOString().slice(0, 19).replace('T', ' ')
      const store = async (db: Knex) => {
        const row = { id: account.id, ...NEW, ...given, created_at }
        await db(storage.table('accounts')).insert(row).onConflict('id').merge(given)
      }
      const { id, directoryAccountId: directory, locale, organizationId, timeZone } = account
      const now = instantOf(clock.now())
      const storeChecked = async (db: Knex) => {
        if (directory) await checkDirectory(db, id, directory)
        return markingChanges(storage, db, { id, now }, () => store(db))
      }
      const isAlone = !directory && [locale, organizationId, timeZone].every((value) => value === undefined)
      const isMarked = await told(isAlone ? store(storage.knex).then(() => false) : inOwnTransaction(storage, storeChecked))
      if (isMarked) deps.expectTimer(now)
      const stored = await find(account.id)
      if (!stored) throw new Error(`The account '${account.id}' was removed while it was changed`)
      return stored
    },
    async putServiceDesk(call, choose) {
      const row = () => dbOf(storage, call)(storage.table('accounts')).where({ id: call.account.id })
      const current: Pick<AccountRow, 'service_desk_team_id'> | undefined = await row()
        .forUpdate()
        .first('service_desk_team_id')
      const id = current?.service_desk_team_id ?? null
      const chosen = await choose(id === null ? null : Number(id))
      if (chosen !== Number(id)) await row().update({ service_desk_team_id: chosen })
      // Another process may have changed it.
      afterCommit(call, () => storage.changes.tell(new Set(tables)))
    },
    async trust(one, other) {
      if (one === other) throw new RangeError(`An account cannot trust itself: '${one}'`)
      await mustExist(one, other)
      const pair = { account_id: one, trusted_account_id: other }
      await told(storage.knex(storage.table('trusts')).insert(pair).onConflict(['account_id', 'trusted_account_id']).ignore())
    },
    async distrust(one, other) {
      await mustExist(one, other)
      const pairs = [
        [one, other],
        [other, one],
      ]
      await told(storage.knex(storage.table('trusts')).whereIn(['account_id', 'trusted_account_id'], pairs).delete())
    },
  }
}

/** Defaults of a new account. */
const NEW = {
  locale: 'en-US',
  time_zone: 'UTC',
  organization_id: null,
  directory_account_id: null,
  plan: 'standard',
  currency: 'USD',
  time_format_24h: 1,
  strong_privacy: 0,
  time_entries_locked_until: null,
  service_desk_team_id: null,
}
