/**
 * Prepared statements of mysql2: the server parses a text once per connection, and rows come in the binary protocol. Whatever
 * keeps a statement from being prepared, it is sent as text instead: nothing depends on this but speed.
 *
 * Only MariaDB is trusted with them. MySQL (seen with 9.7) answers a repeated statement with rows that do not meet its condition
 * when the condition has alternatives on both sides of an outer join: people would see records of others. See ADR 17.
 */
import type { Sender } from './time-limits.js'

/** Prepared statements of one connection; the server holds memory for each, and bounds their number over all connections. */
const MAX_PREPARED = 64
/** Statements sent as text after the server has refused to prepare another one. */
const PAUSE = 1000

/** ER_MAX_PREPARED_STMT_COUNT_REACHED */
const TOO_MANY = 1461
/** The prepared statement is out of date or unknown: tables changed, or something between us and the server replaced its connection. */
const STALE = new Set<unknown>([1243, 1615])
/** This statement, or these types of values, cannot be prepared on this server. */
const IMPOSSIBLE = new Set<unknown>([1210, 1295, 1390])

interface Preparing {
  execute(options: object, done: (error: Failure | null, rows: unknown, fields: unknown) => void): void
  unprepare(options: object): unknown
  readonly config?: { readonly typeCast?: unknown }
  /** What the server has said of itself when the connection was made. */
  readonly _handshakePacket?: { readonly serverVersion?: unknown } | null
}

interface Failure {
  readonly errno?: unknown
}

/**
 * Creates a sender that prepares statements.
 *
 * @param options those of the driver with which statements are sent as text; they must give the same values either way
 */
export function createPreparing(options: object): Sender {
  /** The texts that are prepared on a connection, those used last at the end. */
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

/** False for MySQL and other drivers, and where the host's own conversion of values would get them in another form. */
function canPrepare(connection: object): connection is Preparing {
  const { execute, unprepare, config, _handshakePacket: greeting } = connection as Partial<Preparing>
  if (!/mariadb/i.test(String(greeting?.serverVersion))) return false
  return typeof execute === 'function' && typeof unprepare === 'function' && typeof config?.typeCast !== 'function'
}

function execute(connection: Preparing, options: object): Promise<readonly [rows: unknown, fields: unknown]> {
  return new Promise((resolve, reject) => {
    connection.execute(options, (error, rows, fields) => (error ? reject(error) : resolve([rows, fields])))
  })
}
