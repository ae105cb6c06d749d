/**
 * What the driver makes of values is a setting of the pool, and a lent pool has the settings of its host: times as Dates of its own
 * time zone, large numbers as texts, decimals as numbers, functions of its own. The plugin reads all its tables in one form,
 * whatever pool it is given: times and decimals are texts, as they are stored, and integers are numbers if these are exact. The form
 * is set in the client of knex, which every statement passes through, so that no table can be read without it.
 */
import type { Knex } from 'knex'

/** The options of mysql2 for our statements. Those for names of parameters and tables would change statements and rows. */
export const READ_ALIKE = {
  ...{ dateStrings: true, supportBigNumbers: true },
  ...{ rowsAsArray: false, nestTables: false, namedPlaceholders: false },
} as const

/** The settings of a connection that options of a statement cannot take back. */
interface Config {
  readonly typeCast?: unknown
  readonly decimalNumbers?: unknown
  readonly bigNumberStrings?: unknown
}
interface Connection {
  readonly config?: Config
}
interface Statement {
  options?: object
  [HOSTS]?: true
}
interface Client {
  readonly dialect: string
  _query(connection: Connection, statement: Statement): Promise<unknown>
}
/** A cell as drivers pass it to a function of their option `typeCast`. */
interface Cell {
  readonly type: string
  string(): string | null
}

const READ_BY_US = { ...READ_ALIKE, typeCast: castCell }
/** In statements of the host, which may expect the form of its pool. */
const HOSTS = Symbol('hosts')
const STORED_AS_TEXT: ReadonlySet<string> = new Set(['DATE', 'DATETIME', 'TIMESTAMP', 'DECIMAL', 'NEWDECIMAL'])

/** Makes all statements of a knex read in our form, and those of transactions that are begun with it. */
export function readAlike(database: Knex): Knex {
  const client = database.client as Client
  // The embedded database and others of SQLite return what is stored.
  if (client.dialect === 'sqlite3') return database
  const { constructor: Base } = Object.getPrototypeOf(client) as { constructor: new () => Client }
  // Clients of transactions inherit only from the class of a client.
  class Alike extends Base {
    override _query(connection: Connection, statement: Statement): Promise<unknown> {
      if (!statement[HOSTS]) statement.options = optionsFor(connection, statement.options)
      return super._query(connection, statement)
    }
  }
  Object.setPrototypeOf(client, Alike.prototype)
  return database
}

/** The statement as one of the host, which is read in the form of its pool. */
export function asTheHostReads<S extends object>(statement: S | string): S & { readonly sql?: string } {
  const own = typeof statement === 'string' ? { sql: statement } : statement
  return Object.assign(own, { [HOSTS]: true }) as S
}

/** True if options of a statement are enough for our form: for mysql2, unless the host casts by itself or has other numbers. */
export function obeysOptions({ config }: Connection): boolean {
  if (!config || !('rowsAsArray' in config)) return false
  return config.typeCast === true && !config.decimalNumbers && !config.bigNumberStrings
}

function optionsFor(connection: Connection, own: object | undefined): object {
  const ours = obeysOptions(connection) ? READ_ALIKE : READ_BY_US
  return own ? { ...ours, ...own } : ours
}

/** Reads a cell in our form, whatever the settings of the connection. */
function castCell(cell: Cell, asUsual: () => unknown): unknown {
  if (STORED_AS_TEXT.has(cell.type)) return cell.string()
  if (cell.type !== 'LONGLONG') return asUsual()
  const text = cell.string()
  return text !== null && Number.isSafeInteger(Number(text)) ? Number(text) : text
}
