/** Loads a world: accounts, people who can sign in, and records that refer to each other by name. */
import type { NewAccount, Plugin, Role } from '../index.js'
import { nameIn, namesIn, withNames } from './names.js'

/** A company: accounts and records that refer to each other by name. */
export interface WorldFile {
  /** As for `accounts.put`. */
  readonly accounts: readonly (Omit<NewAccount, 'organizationId'> & {
    /** Name of the record that is the account's own organization. */
    readonly organization?: string
  })[]
  /** Pairs of accounts that trust each other. */
  readonly trusts?: readonly (readonly [string, string])[]
  /** In any order: a record is created after all records that it refers to. */
  readonly records: readonly WorldRecord[]
}

/** A record of a world. */
export interface WorldRecord {
  /** Without the at sign; unique in the world. */
  readonly name: string
  /** Name of its record type. */
  readonly type: string
  /** The account that holds the record; sub-records belong to the account of their owner. */
  readonly account?: string
  /** For sub-records: their owner. */
  readonly owner?: string
  /** Name of the person who creates the record; default: the system. */
  readonly as?: string
  /** As in the API; names such as `@ines` stand for ids. */
  readonly body: Readonly<Record<string, unknown>>
  /** Records to be linked, by link name. */
  readonly links?: Readonly<Record<string, readonly string[]>>
  /** Changes to apply when all records and links exist: a `body` each, sent by the person in `as`. */
  readonly then?: readonly { readonly as?: string; readonly body: Readonly<Record<string, unknown>> }[]
  /** With a password or roles, a person gets an API token. */
  readonly password?: string
  /** Roles of a person by account. */
  readonly roles?: Readonly<Record<string, readonly Role[]>>
}

/** The records of a world that was loaded. */
export interface World {
  /** Id of a record by its name, with or without the at sign. @throws RangeError */
  id(name: string): number
  /** API token of a person. @throws RangeError */
  token(name: string): string
  /** The `email` and the `password` of a person. @throws RangeError */
  signIn(name: string): { readonly email: string; readonly password: string }
  /** The record in the file. @throws RangeError */
  record(name: string): WorldRecord
  /** All names, without at sign. */
  readonly names: readonly string[]
}

/**
 * Creates everything in the file, in the order of the references. The tables must exist.
 *
 * @throws RangeError for names that no record has, or that need each other; and errors of the pipeline, with the record's name
 */
export async function loadWorld(itsm: Plugin, file: WorldFile): Promise<World> {
  const records = new Map(file.records.map((record) => [record.name, record]))
  if (records.size < file.records.length) throw new RangeError('Two records of the world have the same name')
  const ids = new Map<string, number>()
  const tokens = new Map<string, string>()
  const find = (name: string): number => known(ids, name, 'record')
  const record = (name: string): WorldRecord => known(records, name, 'record')

  for (const { organization: _, ...account } of file.accounts) await itsm.accounts.put(account)
  for (const [one, other] of file.trusts ?? []) await itsm.accounts.trust(one, other)
  // Links are made as soon as both records exist: a request can name a member only of the team that it goes to.
  let unlinked = file.records.flatMap((one) =>
    Object.entries(one.links ?? {}).flatMap(([link, others]) => others.map((other) => ({ one, link, other }))),
  )
  const linkAll = async (isDue: (other: string) => boolean) => {
    const due = unlinked.filter(({ one, other }) => ids.has(one.name) && isDue(other))
    unlinked = unlinked.filter((link) => !due.includes(link))
    for (const { one, link, other } of due) {
      await named(one, () => apiFor(itsm, records, find, one).link({ type: one.type, id: find(one.name) }, link, find(other)))
    }
  }
  for (const one of inOrder(file)) {
    await named(one, async () => {
      const owner = one.owner === undefined ? undefined : { type: record(one.owner).type, id: find(one.owner) }
      const body = withNames(one.body, find) as object
      const made = await apiFor(itsm, records, find, one, one.as).create(one.type, body, owner)
      ids.set(one.name, Number(made['id']))
      const account = file.accounts.find(({ organization }) => organization && bare(organization) === one.name)
      if (account) await itsm.accounts.put({ id: account.id, name: account.name, organizationId: find(one.name) })
      for (const [accountId, roles] of Object.entries(one.roles ?? {})) await itsm.grant(find(one.name), accountId, roles)
      if (one.password !== undefined) await itsm.credentials.setPassword(find(one.name), one.password)
      if (one.password !== undefined || one.roles) tokens.set(one.name, await itsm.credentials.apiToken(find(one.name)))
    })
    await linkAll((other) => ids.has(bare(other)))
  }
  // What is left names records that do not exist.
  await linkAll(() => true)
  for (const one of file.records) {
    await named(one, async () => {
      for (const change of one.then ?? []) {
        const owner = one.owner === undefined ? undefined : { type: record(one.owner).type, id: find(one.owner) }
        const body = withNames(change.body, find) as object
        await apiFor(itsm, records, find, one, change.as).update(one.type, find(one.name), body, owner)
      }
    })
  }
  return {
    id: find,
    token: (name) => known(tokens, name, 'person who signs in'),
    signIn(name) {
      const { body, password } = record(name)
      if (password === undefined) throw new RangeError(`${name} has no password`)
      return { email: String(body['primary_email']), password }
    },
    record,
    names: [...records.keys()],
  }
}

function bare(name: string): string {
  return name.startsWith('@') ? name.slice(1) : name
}

function known<T>(map: ReadonlyMap<string, T>, name: string, kind: string): T {
  const found = map.get(bare(name))
  if (found === undefined) throw new RangeError(`The world has no ${kind} '@${bare(name)}'`)
  return found
}

/** The account that holds a record: its own, or that of its owner. */
function accountOf(records: ReadonlyMap<string, WorldRecord>, { name, account, owner }: WorldRecord): string {
  if (account !== undefined) return account
  if (owner === undefined) throw new RangeError(`${name} must have an account or an owner`)
  return accountOf(records, known(records, owner, 'record'))
}

function apiFor(
  itsm: Plugin,
  records: ReadonlyMap<string, WorldRecord>,
  find: (name: string) => number,
  record: WorldRecord,
  person?: string,
) {
  const account = accountOf(records, record)
  return person === undefined ? itsm.asSystem('loads a world', account) : itsm.as(find(person), { account })
}

/** The records, each after those that it needs: the names in its body, its owner, its creator. */
function inOrder(file: WorldFile): readonly WorldRecord[] {
  const done = new Set<string>()
  const waiting = [...file.records]
  const ordered: WorldRecord[] = []
  while (waiting.length > 0) {
    const ready = waiting.findIndex((record) => needsOf(file, record).every((name) => done.has(name)))
    const [next] = ready < 0 ? [] : waiting.splice(ready, 1)
    if (!next) {
      const stuck = waiting.map((one) => `${one.name} (${needsOf(file, one).filter((need) => !done.has(need))})`)
      throw new RangeError(`These records need others that do not exist, or each other: ${stuck.join(', ')}`)
    }
    ordered.push(next)
    done.add(next.name)
  }
  return ordered
}

function needsOf(file: WorldFile, { name, account, body, owner, as: maker }: WorldRecord): readonly string[] {
  const places = [owner, maker].flatMap((one) => (one === undefined ? [] : [bare(one)]))
  // The account's own organization is created first: it is a default of other records.
  const home = file.accounts.find(({ id }) => id === account)?.organization
  const homeName = home === undefined ? null : (nameIn(home) ?? home)
  return [...namesIn(body), ...places, ...(homeName === null || homeName === name ? [] : [homeName])]
}

async function named(record: WorldRecord, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw new Error(`${record.name} of the world: ${(error as Error).message}`, { cause: error })
  }
}
