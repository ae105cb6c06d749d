import type { Knex } from 'knex'
import type { Storage } from './connections.js'
import { onLiveConnection, type Pooled } from './live-connection.js'

/** Options of mysql2: knex would make an object of every row, and a lent pool may parse dates in a zone of its own. */
const OPTIONS = { rowsAsArray: true, dateStrings: true, supportBigNumbers: true } as const

/** The part of knex's client that sends a statement as it is. */
interface Client extends Pooled {
  /** Clients of transactions only. */
  readonly transacting?: boolean
  acquireConnection(): Promise<object>
  releaseConnection(connection: object): Promise<void>
  query(
    connection: object,
    statement: { readonly sql: string; readonly bindings: readonly unknown[]; readonly options: typeof OPTIONS },
  ): Promise<{ readonly response: readonly [rows: unknown[][], fields: unknown] }>
}

type Bindings = readonly (string | number | null)[]

/** Runs a statement that reads, with positional bindings; rows come as arrays in the order of the columns. */
export async function runAsArrays(
  storage: Storage,
  database: Knex,
  sql: string,
  bindings: Bindings,
): Promise<readonly unknown[][]> {
  if (storage.dialect === 'sqlite') {
    const rows = (await database.raw(sql, [...bindings])) as readonly Record<string, unknown>[]
    return rows.map((row) => Object.values(row))
  }
  const client = database.client as Client
  return onLiveConnection(
    client,
    () => run(client, sql, bindings),
    () => !client.transacting,
  )
}

async function run(client: Client, sql: string, bindings: Bindings): Promise<readonly unknown[][]> {
  const connection = await client.acquireConnection()
  try {
    const { response } = await client.query(connection, { sql, bindings, options: OPTIONS })
    return response[0]
  } finally {
    await client.releaseConnection(connection)
  }
}
