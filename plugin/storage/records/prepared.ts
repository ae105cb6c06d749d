/**
 * Prepared statements of mysql2: the server parses a text once per connection, and rows are sent in the binary protocol. If a
 * statement cannot be prepared, it is sent as text instead: only speed depends on this.
 *
 * Used on MariaDB only. MySQL (seen with 9.7) returns rows that do not meet the condition of a repeated statement, if the
 * condition has alternatives on both sides of an outer join: callers would see records of others. See ADR 17.
 */
import { obeysOptions } from '../database/read-alike.js'
import type { Sender } from '../database/time-limits.js'

/** Prepared statements per connection; each uses memory of the server, which limits their number over all connections. */
const MAX_PREPARED = 64
/** Statements sent as text after the server has refused to prepare one more. */
const PAUSE = 1000

/** ER_MAX_PREPARED_STMT_COUNT_REACHED */
const TOO_MANY = 1461
/** The prepared statement is out of date or unknown: tables changed, or a proxy replaced its connection to the server. */
const STALE = new Set<unknown>([1243, 1615])
/** Codes of the server for a statement, or types of values, that it cannot prepare. */
const IMPOSSIBLE = new Set<unknown>([1210, 1295, 1390])

interface Preparing {
  execute(options: object, done: (error: Failure | null, rows: unknown, fields: unknown) => void): void
  unprepare(options: object): unknown
  readonly config?: object
  /** The greeting of the server when the connection was opened. */
  readonly _handshakePacket?: { readonly serverVersion?: unknown } | null
}

interface Failure {
  readonly errno?: unknown
}

/**
 * Creates a sender that prepares statements.
 *
 * @param options driver options of statements sent as text; values must have the same form either way
 */
export function createPreparing(options: object): Sender {
  /** The prepared texts of a connection, the most recently used at the end. */
  const prepared = new WeakMap<object, Set<string>>()
  /** By connection, because pools of several servers may be behind one plugin. */
  const impossible = new WeakMap<object, Set<string>>()
  let pause = 0

  return async (connection, { sql = '', bindings = [] }, asText) => {
    if (pause > 0) {
      pause -= 1
      return asText()
    }
    if (!canPrepare(connection) || impossible.get(connection)?.has(sql)) return asText()
    const texts = prepared.get(connection) ?? new Set()
    prepared.set(connection, texts)
    const [oldest] = texts.has(sql) || texts.size < MAX_PREPARED ? [] : texts
    if (oldest !== undefined) forget(connection, texts, oldest)
    texts.delete(sql)
    texts.add(sql)
    try {
      return { response: await execute(connection, { ...options, sql, values: bindings }) }
    } catch (error) {
      const { errno } = error as Failure
      if (errno !== TOO_MANY && !STALE.has(errno) && !IMPOSSIBLE.has(errno)) throw error
      forget(connection, texts, sql)
      if (errno === TOO_MANY) pause = PAUSE
      if (IMPOSSIBLE.has(errno)) note(connection, sql)
      return asText()
    }
  }

  function forget(connection: Preparing, texts: Set<string>, sql: string): void {
    texts.delete(sql)
    connection.unprepare({ ...options, sql })
  }

  function note(connection: object, sql: string): void {
    const texts = impossible.get(connection) ?? new Set()
    if (texts.size >= MAX_PREPARED) texts.clear()
    impossible.set(connection, texts.add(sql))
  }
}

/** False for MySQL and other drivers, and if the host's own conversion of values would change their form. */
function canPrepare(connection: object): connection is Preparing {
  const { execute, unprepare, _handshakePacket: greeting } = connection as Partial<Preparing>
  if (!/mariadb/i.test(String(greeting?.serverVersion))) return false
  return typeof execute === 'function' && typeof unprepare === 'function' && obeysOptions(connection as Preparing)
}

function execute(connection: Preparing, options: object): Promise<readonly [rows: unknown, fields: unknown]> {
  return new Promise((resolve, reject) => {
    connection.execute(options, (error, rows, fields) => (error ? reject(error) : resolve([rows, fields])))
  })
}
