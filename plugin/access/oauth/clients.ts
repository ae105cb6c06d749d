/** OAuth clients: programs that sign in as a person, with an id and a secret of their own. Of the secret only a digest is stored. */
import type { Actor, Call } from '../../core/call.js'
import type { Clock } from '../../core/clock.js'
import type { Log } from '../../core/log.js'
import type { RecordType } from '../../schema/compile/compile.js'
import type { Storage } from '../../storage/database/connections.js'
import { dbOf } from '../../storage/database/transaction.js'
import { actorOf } from '../people/people.js'
import { createLastUses } from '../tokens/last-uses.js'
import {
  columnsOfLimited,
  LIMITED_COLUMNS,
  type LimitedRow,
  limitedIn,
  type NewLimited,
  type RowOfPerson,
  type StoredLimited,
  withPerson,
} from '../tokens/limited-rows.js'
import type { Secrets } from '../tokens/secrets.js'
import { isSecretText, kindOfSecret, newSecretText, type RandomBytes } from '../tokens/token-text.js'

/** A stored client. Its secret is unknown. */
export interface StoredClient extends StoredLimited {
  /** The name by which it signs in. */
  readonly clientId: string
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
  add(call: InCall, client: NewLimited): Promise<{ readonly client: StoredClient; readonly secret: string }>
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

interface ClientRow extends LimitedRow {
  readonly client_id: string
}

const COLUMNS: readonly (keyof ClientRow)[] = [...LIMITED_COLUMNS, 'client_id']
/** Maximum length of the id of a client; longer ones are not looked up. */
const MAX_ID_LENGTH = 64

/** Creates the store. Does no I/O. */
export function createClients(deps: ClientsDeps): Clients {
  const { storage, person, secrets, clock, randomBytes, randomId } = deps
  const tableName = storage.table('oauth_clients')
  const table = (call?: InCall) => dbOf(storage, call)(tableName)
  const uses = createLastUses(deps, () => table())

  return {
    async add(call, client) {
      const [clientId, secret, createdAt] = [randomId(), newSecretText('client', randomBytes), clock.now()]
      const [id] = await table(call).insert({
        ...columnsOfLimited(client, createdAt),
        ...{ client_id: clientId, secret_digest: secrets.digest(secret) },
      })
      return { client: { ...client, id: Number(id), clientId, createdAt, lastUsedAt: null }, secret }
    },
    async find(clientId, secret) {
      // Texts that cannot be right are not worth a query.
      if (clientId.length > MAX_ID_LENGTH || kindOfSecret(secret) !== 'client' || !isSecretText(secret)) return null
      const [row]: RowOfPerson<ClientRow>[] = await withPerson(storage, person, tableName, COLUMNS)
        // By the digest, too: unknown clients take as long as wrong secrets, and nothing is compared here.
        .where({ 'own.client_id': clientId, 'own.secret_digest': secrets.digest(secret) })
      // MySQL ignores spaces at the end.
      if (row?.client_id !== clientId) return null
      return { client: clientIn({ ...row, id: row.own_id, name: row.own_name }), actor: actorOf(row) }
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
  return { ...limitedIn(row), clientId: row.client_id }
}
