/** People, as far as signing in and calls need them: the default user lookup, over our own tables. */
import type { Actor, Role } from '../../core/call.js'
import { ROLES } from '../../core/call.js'
import { exactKey, foldedKey } from '../../core/text/identity.js'
import type { RecordType } from '../../schema/catalog.js'
import { isStorable } from '../../schema/kinds/values/read-values.js'
import type { Storage } from '../../storage/database/connections.js'
import { dbOf, type Inside, isInHosts } from '../../storage/database/transaction.js'

/**
 * A host's reference to a person: the `id` of the person record, the primary `email`, or the `source` and the `sourceID` of the record.
 * The last two may occur in several accounts; `account` is that of the record.
 */
export type PersonKey =
  | { readonly id: number }
  | { readonly email: string; readonly account?: string }
  | { readonly source: string; readonly sourceID: string; readonly account?: string }

/** A person with the hash of its password. */
export interface KnownPerson {
  readonly actor: Actor
  readonly passwordHash: string | null
}

export interface People {
  /** An enabled person; null if not found. @throws TypeError for an invalid key */
  find(key: PersonKey): Promise<Actor | null>
  /** True if a person with this key exists, even a disabled one. */
  isKnown(key: PersonKey): Promise<boolean>
  /** All enabled people with this key: several if people of several accounts have the e-mail address. */
  all(key: PersonKey, call?: Inside): Promise<readonly Actor[]>
  /**
   * Enabled people with this primary e-mail; the same address may occur in several accounts.
   *
   * @param how `remembered` allows cached people; by default they are read from the database
   */
  withEmail(email: string, how?: 'remembered'): Promise<readonly KnownPerson[]>
  withTokenDigest(digest: string): Promise<Actor | null>
  rolesOf(personId: number, accountId: string, call?: Inside): Promise<ReadonlySet<Role>>
  /** Ids of people with any or all of the roles in the account. */
  withRoles(accountId: string, roles: readonly string[], match: 'any' | 'all', call?: Inside): Promise<readonly number[]>
  /** Primary e-mails of the enabled account administrators, each once, and their languages. */
  administrators(accountId: string): Promise<readonly Pick<Actor, 'email' | 'locale'>[]>
}

/** Row of a person with the columns of its actor. */
export interface PersonRow {
  readonly id: number | string
  readonly account_id: string
  readonly name: string
  readonly primary_email: string
  readonly locale: string | null
  readonly time_zone: string | null
  readonly organization_id: number | string | null
  readonly password_hash?: string | null
}

/** Columns of people that an actor is made of. */
export const ACTOR_COLUMNS = ['id', 'account_id', 'name', 'primary_email', 'locale', 'time_zone', 'organization_id'] as const
/** Maximum number of people with the same address that sign-in tries. */
const MAX_SAME_EMAIL = 10

/** @param type the record type of people */
export function createPeople(storage: Storage, type: RecordType): People {
  const [people, credentials] = [storage.table(type.table), storage.table('credentials')]
  const permissions = storage.table('permissions')
  const everybody = (call?: Inside) => (isInHosts(call) ? dbOf(storage, call) : storage.knex)(`${people} as p`)
  const enabled = (call?: Inside) => everybody(call).where('p.disabled', 0)
  const columns = ACTOR_COLUMNS.map((column) => `p.${column}`)

  const all = async (given: PersonKey, among = enabled, call?: Inside): Promise<readonly Actor[]> => {
    const key = personKey(given)
    const query = among(call).select(columns).orderBy('p.id').limit(MAX_SAME_EMAIL)
    if ('id' in key) query.where('p.id', key.id)
    else if ('email' in key) query.where('p.key_of_primary_email', foldedKey(key.email.trim()))
    // The index of the pair begins with the account.
    else query.where('p.key_of_source_pair', exactKey([key.source, key.sourceID]))
    if (!('id' in key) && key.account !== undefined) query.where('p.account_id', key.account)
    else if ('source' in key) query.whereIn('p.account_id', storage.knex(storage.table('accounts')).select('id'))
    const rows: PersonRow[] = await query
    return rows.map(actorOf)
  }

  return {
    all: (key, call) => all(key, enabled, call),
    isKnown: async (key) => (await all(key, everybody)).length > 0,
    find: async (key) => (await all(key))[0] ?? null,
    async withEmail(email) {
      const rows: PersonRow[] = await enabled()
        .leftJoin(`${credentials} as c`, 'c.person_id', 'p.id')
        .where('p.key_of_primary_email', foldedKey(email.trim()))
        .select([...columns, 'c.password_hash'])
        .orderBy('p.id')
        .limit(MAX_SAME_EMAIL)
      return rows.map((row) => ({ actor: actorOf(row), passwordHash: row.password_hash ?? null }))
    },
    async withTokenDigest(digest) {
      const [row]: PersonRow[] = await enabled()
        .join(`${credentials} as c`, 'c.person_id', 'p.id')
        .where('c.token_digest', digest)
        .select(columns)
        .limit(1)
      return row ? actorOf(row) : null
    },
    async rolesOf(personId, accountId, call) {
      const rows: { role: string }[] = await dbOf(
        storage,
        call,
      )(permissions)
        .where({ person_id: personId, account_id: accountId })
        .select('role')
      return rolesIn(rows.map((row) => row.role))
    },
    async withRoles(accountId, roles, match, call) {
      const wanted = [...new Set(roles)]
      const db = isInHosts(call) ? dbOf(storage, call) : storage.knex
      const rows: { person_id: number | string }[] = await db(permissions)
        .where('account_id', accountId)
        .whereIn('role', wanted)
        .groupBy('person_id')
        .havingRaw('COUNT(*) >= ?', [match === 'all' ? wanted.length : 1])
        .select('person_id')
      return rows.map((row) => Number(row.person_id))
    },
    async administrators(accountId) {
      const rows: { email: string; locale: string | null }[] = await enabled()
        .join(`${permissions} as r`, 'r.person_id', 'p.id')
        .where('r.account_id', accountId)
        .whereIn('r.role', ['account_administrator', 'account_owner'])
        .groupBy('p.key_of_primary_email')
        .orderBy('email')
        .min('p.primary_email as email')
        .max('p.locale as locale')
      return rows
    },
  }
}

/**
 * Checks the key of a person from the host. MySQL reads an id such as '12ab' as 12, and would find another person.
 *
 * @throws TypeError for anything else
 */
export function personKey(given: unknown): PersonKey {
  const { id, email, source, sourceID, account } = Object(given) as { readonly [name: string]: unknown }
  const number = typeof id === 'string' && /^[1-9]\d{0,15}$/.test(id) ? Number(id) : id
  if (typeof number === 'number' && Number.isSafeInteger(number)) return { id: number }
  const isPlaced = id === undefined && (account === undefined || typeof account === 'string')
  const place = typeof account === 'string' ? { account } : {}
  if (isPlaced && typeof email === 'string') return { email, ...place }
  const isPair = email === undefined && typeof source === 'string' && typeof sourceID === 'string'
  if (isPlaced && isPair && isStorable(source) && isStorable(sourceID)) return { source, sourceID, ...place }
  throw new TypeError('A person must be { id } of the person record, { email, account? } or { source, sourceID, account? }')
}

/** The owner of an account is one of its administrators (behaviour: Roles). */
function rolesIn(names: readonly string[]): ReadonlySet<Role> {
  const roles = new Set(ROLES.filter((role) => names.includes(role)))
  if (roles.has('account_owner')) roles.add('account_administrator')
  return roles
}

/** The actor in a row. */
export function actorOf(row: PersonRow): Actor {
  return Object.freeze({
    id: Number(row.id),
    name: row.name,
    email: row.primary_email,
    accountId: row.account_id,
    locale: row.locale,
    timeZone: row.time_zone,
    organizationId: row.organization_id === null ? null : Number(row.organization_id),
  })
}
