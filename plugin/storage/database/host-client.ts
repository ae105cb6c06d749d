/** The client of knex of a transaction of the host, whose conversions must not reach our statements. */
import type { Knex } from 'knex'
import type { Storage } from './connections.js'

interface Connection {
  readonly inTransaction?: boolean
}
/** What we use of the client of a transaction. */
export interface Client {
  config: object
  readonly pool?: { readonly used?: readonly { readonly resource: unknown }[] }
  acquireConnection(): Promise<Connection>
  query(connection: unknown, statement: { readonly sql?: string } | string): Promise<unknown>
}

/** Our time limits hold for our statements, and the host's conversion of names and rows does not. */
export function useOwnClient(storage: Storage, part: Knex.Transaction): void {
  const ours: Client = storage.knex.client
  Object.setPrototypeOf(part.client, Object.getPrototypeOf(ours))
  ;(part.client as Client).config = ours.config
  part.userParams = storage.knex.userParams
}

/** Sends statements of ours in a transaction of the host, which has not ended. */
export async function inOwnPart(
  storage: Storage,
  trx: Knex.Transaction,
  work: (part: Knex.Transaction) => Promise<void>,
): Promise<void> {
  await trx.transaction(async (part) => {
    useOwnClient(storage, part)
    await work(part)
  })
}
