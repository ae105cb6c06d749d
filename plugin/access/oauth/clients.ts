/** OAuth clients: programs that sign in as a person, with an id and a secret of their own. Of the secret only a digest is stored. */
import type { Actor, Call } from '../../core/call.js'
import type { Clock } from '../../core/clock.js'
import type { Log } from '../../core/log.js'
import type { RecordType } from '../../schema/compile/compile.js'
import type { Storage } from '../../storage/connections.js'
import { dateOfTimestamp, timestampOf } from '../../storage/timestamps.js'
import { dbOf } from '../../storage/transaction.js'
import { ACTOR_COLUMNS, actorOf, type PersonRow } from '../people.js'
import type { Secrets } from '../secrets.js'
import { createLastUses } from '../tokens/last-uses.js'
import { isSecretText, kindOfSecret, newSecretText, type RandomBytes } from '../tokens/token-text.js'
import type { Limits } from './scopes.js'

/** A client to make. */
export interface NewClient extends Limits {
  /** The person as whom the client acts. */
  readonly personId: number
  /** At most 128 characters. */
  readonly name: string
}

/** A stored client. Its secret is unknown. */
export interface StoredClient extends NewClient {
  readonly id: number
  /** The name by which it signs in. */
  readonly clientId: string
  readonly createdAt: Date
  /** To the minute. */
  readonly lastUsedAt: Date | null
}

/** A client that has signed in, and the enabled person as whom it acts. */
export interface SignedInClient {
  readonly client: StoredClient
  readonly actor: Actor
}

/** A call, of which only the transaction matters. */
type InCall = Pick<Call, 'transaction' | 'signal'>

export interface Clients {
  /** Makes a client and returns it with its secret, which cannot be read again. */
  add(call: InCall, client: NewClient): Promise<{ readonly client: StoredClient; readonly secret: string }>
  /** The client with this id and secret; null for wrong ones, and if its person is disabled. */
  find(clientId: string, secret: string): Promise<SignedInClient | null>
  /** The clients of a person, latest first. */
  list(call: InCall, personId: number): Promise<readonly StoredClient[]>
  /** Locks a client until the end of the transaction, so that it is not revoked. False if it has been revoked already. */
  lock(call: InCall, id: number): Promise<boolean>
  /** Deletes a client. */
  remove(call: InCall, id: number): Promise<void>
  /** Stores that a client has signed in, at most once per minute and in the background. Never throws. */
  noteUse(id: number): void
  /** Waits for uses that are being stored. */
  finished(): Promise<void>
}

/** Dependencies of the clients. */
export interface ClientsDeps {
  readonly storage: Storage
  /** The record type of people. */
  readonly person: RecordType
  readonly secrets: Pick<Secrets, 'digest'>
  readonly clock: Clock
  readonly log: Log
  readonly randomBytes: RandomBytes
  /** A text that no other client has. */
  readonly randomId: () => string
}

interface ClientRow {
  readonly id: number | string
  readonly client_id: string
  readonly person_id: number | string
  readonly name: string
  readonly read_only: number | boolean
  readonly record_types: string | null
  readonly created_at: string
  readonly last_used_at: string | null
}

const COLUMNS: readonly (keyof ClientRow)[] = [
  ...(['id', 'client_id', 'person_id', 'name', 'read_only', 'record_types', 'created_at', 'last_used_at'] as const),
]
/** Maximum length of the id of a client; longer ones are not looked up. */
const MAX_ID_LENGTH = 64

/** Creates the store. Does no I/O. */
export function createClients(deps: ClientsDeps): Clients {
  const { storage, person, secrets, clock, randomBytes, randomId } = deps
  const tableName = storage.table('oauth_clients')
  const table = (call?: InCall) => dbOf(storage, call)(tableName)
  const uses = createLastUses(deps, (id, now, before) =>
    table()
      .where({ id })
      .where((query) => query.whereNull('last_used_at').orWhere('last_used_at', '<=', timestampOf(before)))
      .update({ last_used_at: timestampOf(now) }),
  )

  return {
    async add(call, client) {
      const [clientId, secret, createdAt] = [randomId(), newSecretText('client', randomBytes), clock.now()]
      const { name, readOnly, recordTypes } = client
      const [id] = await table(call).insert({
        ...{ client_id: clientId, person_id: client.personId, name, secret_digest: secrets.digest(secret) },
        ...{ read_only: readOnly ? 1 : 0, record_types: recordTypes && JSON.stringify(recordTypes) },
        created_at: timestampOf(createdAt),
      })
      return { client: { ...client, id: Number(id), clientId, createdAt, lastUsedAt: null }, secret }
    },
    async find(clientId, secret) {
      // Texts that cannot be right are not worth a query.
      if (clientId.length > MAX_ID_LENGTH || kindOfSecret(secret) !== 'client' || !isSecretText(secret)) return null
      const [row]: (PersonRow & ClientRow & { readonly oauth_id: number; readonly client_name: string })[] = await storage
        .knex(`${tableName} as c`)
        .join(`${storage.table(person.table)} as p`, 'p.id', 'c.person_id')
        // By the digest, too: unknown clients take as long as wrong secrets, and nothing is compared here.
        .where({ 'c.client_id': clientId, 'c.secret_digest': secrets.digest(secret), 'p.disabled': 0 })
        .select(ACTOR_COLUMNS.map((column) => `p.${column}`))
        .select(COLUMNS.filter((column) => column !== 'id' && column !== 'name').map((column) => `c.${column}`))
        .select('c.id as oauth_id', 'c.name as client_name')
        .limit(1)
      // MySQL ignores spaces at the end.
      if (row?.client_id !== clientId) return null
      return { client: clientIn({ ...row, id: row.oauth_id, name: row.client_name }), actor: actorOf(row) }
    },
    async list(call, personId) {
      const rows: ClientRow[] = await table(call)
        .where({ person_id: personId })
        .orderBy('id', 'desc')
        .select([...COLUMNS])
      return rows.map(clientIn)
    },
    lock: async (call, id) => (await table(call).where({ id }).forUpdate().first('id')) !== undefined,
    remove: async (call, id) => void (await table(call).where({ id }).delete()),
    noteUse: uses.note,
    finished: uses.finished,
  }
}

function clientIn(row: ClientRow): StoredClient {
  return {
    id: Number(row.id),
    clientId: row.client_id,
    personId: Number(row.person_id),
    name: row.name,
    readOnly: Boolean(Number(row.read_only)),
    recordTypes: row.record_types === null ? null : (JSON.parse(row.record_types) as string[]),
    createdAt: dateOfTimestamp(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : dateOfTimestamp(row.last_used_at),
  }
}
