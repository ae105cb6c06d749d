/** Blocks single statements, like a row that somebody else has locked: for the end of a call's time. */
import type { Knex } from 'knex'

export interface BlockedStatements {
  /** Texts of the statements since the last `blockAt`. */
  readonly sent: readonly string[]
  /** Blocks the statement with this number, from 1; null for none. The function is called when it is blocked. */
  blockAt(number: number | null, whenBlocked?: () => void): void
  /** Ends the blocked statement: a commit takes place, all others fail. */
  release(): void
}

interface Statement {
  readonly sql?: string
}
interface Client {
  readonly dialect: string
  readonly pool: { on(event: 'acquireSuccess', listen: (eventId: number, connection: Connection) => void): void }
  _query(connection: Connection, statement: Statement): Promise<unknown>
}
type Run = (...values: unknown[]) => unknown
interface Connection {
  query: Run
  execute: Run
}

/** Watches the statements of the knex, and of all to which it is lent, from now on. */
export function blockStatements(database: Knex): BlockedStatements {
  let number: number | null = null
  let whenBlocked = () => {}
  let sent: string[] = []
  let release = () => {}

  /** Runs the statement, or keeps it until `release`. */
  const pass = (sql: string, run: () => void, fail: (error: Error) => void) => {
    if (/^(rollback|set session)/i.test(sql)) return run()
    sent.push(sql)
    if (sent.length !== number) return run()
    release = () => (/^commit/i.test(sql) ? run() : fail(new Error('released')))
    setImmediate(whenBlocked)
  }

  const client = database.client as Client
  if (client.dialect === 'mysql') blockConnections(client, pass)
  else blockClient(client, pass)
  return {
    get sent() {
      return sent
    },
    blockAt(at, then = () => {}) {
      number = at
      whenBlocked = then
      sent = []
    },
    release() {
      release()
      release = () => {}
    },
  }
}

type Pass = (sql: string, run: () => void, fail: (error: Error) => void) => void

/** Prepared statements do not pass through the client. */
function blockConnections({ pool }: Client, pass: Pass): void {
  const watched = new WeakSet<Connection>()
  pool.on('acquireSuccess', (_, connection) => {
    if (watched.has(connection)) return
    watched.add(connection)
    for (const way of ['query', 'execute'] as const) {
      const run = connection[way].bind(connection)
      connection[way] = (...values) => {
        const done = values.findLast((value) => typeof value === 'function') as (error: Error) => void
        const text = typeof values[0] === 'string' ? values[0] : String(Object(values[0]).sql)
        return pass(text, () => run(...values), done)
      }
    }
  })
}

/** Statements of an embedded database return at once. */
function blockClient(client: Client, pass: Pass): void {
  const { constructor: Base } = Object.getPrototypeOf(client) as { constructor: new () => Client }
  class Blocking extends Base {
    override _query(connection: Connection, statement: Statement): Promise<unknown> {
      return new Promise((resolve, reject) => {
        pass(statement.sql ?? '', () => super._query(connection, statement).then(resolve, reject), reject)
      })
    }
  }
  Object.setPrototypeOf(client, Blocking.prototype)
}
