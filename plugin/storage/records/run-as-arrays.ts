import type { Knex } from 'knex'
import type { Storage } from '../database/connections.js'
import { onLiveConnection, type Pooled } from '../database/live-connection.js'
import { READ_ALIKE } from '../database/read-alike.js'
import type { Sender } from '../database/time-limits.js'
import { createPreparing } from './prepared.js'
import type { Bound } from './statement-texts.js'

/** Options of mysql2: knex would create an object for every row. */
const OPTIONS = { ...READ_ALIKE, rowsAsArray: true } as const

/** The part of knex's client that sends a statement as it is. */
interface Client extends Pooled {
  /** Set only on clients of transactions. */
  readonly transacting?: boolean
  acquireConnection(): Promise<object>
  releaseConnection(connection: object): Promise<void>
  query(
    connection: object,
    statement: Pick<Bound, 'sql' | 'bindings'> & { readonly options: typeof OPTIONS; readonly sender?: Sender },
  ): Promise<{ readonly response: readonly [rows: unknown[][], fields: unknown] }>
}

/** Runs a statement that reads; returns rows as arrays in the order of the columns. */
export type ArrayRunner = (database: Knex, statement: Bound) => Promise<readonly unknown[][]>

/** Creates the runner. On a server, repeated statements are prepared, once on each connection. */
export function createArrayRunner(storage: Storage): ArrayRunner {
  if (storage.dialect === 'sqlite') {
    return async (database, { sql, bindings }) => {
      const rows = (await database.raw(sql, [...bindings])) as readonly Record<string, unknown>[]
      return rows.map((row) => Object.values(row))
    }
  }
  const prepare = createPreparing(OPTIONS)
  return async (database, statement) => {
    const client = database.client as Client
    const rows = await onLiveConnection(
      client,
      () => run(client, statement, prepare),
      () => !client.transacting,
    )
    // The driver of knex's client `mysql` does not know the option.
    return rows[0] === undefined || Array.isArray(rows[0]) ? rows : rows.map((row) => Object.values(row))
  }
}

/** Runs a statement that writes; returns the id that the server has given to a new row. */
export type WriteRunner = (database: Knex, statement: Bound) => Promise<number>

/** Creates the runner, for servers only. A statement that was lost on its way is not sent again: it may have been executed. */
export function createWriteRunner(): WriteRunner {
  const prepare = createPreparing(OPTIONS)
  return async (database, statement) => {
    const written: unknown = await run(database.client as Client, statement, prepare)
    return Number((written as { readonly insertId?: number | string }).insertId ?? 0)
  }
}

async function run(client: Client, { sql, bindings, isRepeated }: Bound, prepare: Sender): Promise<readonly unknown[][]> {
  const connection = await client.acquireConnection()
  try {
    const sender = isRepeated ? { sender: prepare } : {}
    const { response } = await client.query(connection, { sql, bindings, options: OPTIONS, ...sender })
    return response[0]
  } finally {
    await client.releaseConnection(connection)
  }
}
