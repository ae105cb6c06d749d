/** OAuth clients: programs that sign in as a person, with an id and a secret of their own. Of the secret only a digest is stored. */
import type { Actor } from '../../core/call.js'
import { actorOf } from '../people/people.js'
import {
  type LimitedRow,
  type LimitedRowsDeps,
  limitedIn,
  limitedRows,
  type NewLimited,
  type StoredLimited,
} from '../tokens/limited-rows.js'
import type { InCall } from '../tokens/rows-of-people.js'
import { isSecretText, kindOfSecret, newSecretText } from '../tokens/token-text.js'

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
export interface ClientsDeps extends LimitedRowsDeps {
  /** A text that no other client has. */
  readonly randomId: () => string
}

interface ClientRow extends LimitedRow {
  readonly client_id: string
}

/** Maximum length of the id of a client; longer ones are not looked up. */
const MAX_ID_LENGTH = 64

/** Creates the store. Does no I/O. */
export function createClients(deps: ClientsDeps): Clients {
  const { storage, secrets, randomBytes, randomId } = deps
  const rows = limitedRows(deps, storage.table('oauth_clients'), ['client_id'], clientIn)

  return {
    async add(call, client) {
      const [clientId, secret] = [randomId(), newSecretText('client', randomBytes)]
      const stored = await rows.add(call, client, { client_id: clientId, secret_digest: secrets.digest(secret) })
      return { client: { ...client, ...stored, clientId }, secret }
    },
    async find(clientId, secret) {
      // Texts that cannot be right are not worth a query.
      if (clientId.length > MAX_ID_LENGTH || kindOfSecret(secret) !== 'client' || !isSecretText(secret)) return null
      // By the digest, too: unknown clients take as long as wrong secrets, and nothing is compared here.
      const row = await rows.withPerson({ 'own.client_id': clientId, 'own.secret_digest': secrets.digest(secret) })
      // MySQL ignores spaces at the end.
      if (row?.client_id !== clientId) return null
      return { client: clientIn({ ...row, id: row.own_id, name: row.own_name }), actor: actorOf(row) }
    },
    list: (call, personId) => rows.list(call, { person_id: personId }),
    lock: async (call, id) => (await rows.query(call).where({ id }).forUpdate().first('id')) !== undefined,
    remove: async (call, id) => void (await rows.query(call).where({ id }).delete()),
    noteUse: rows.uses.note,
    finished: rows.uses.finished,
  }
}

function clientIn(row: ClientRow): StoredClient {
  return { ...limitedIn(row), clientId: row.client_id }
}
