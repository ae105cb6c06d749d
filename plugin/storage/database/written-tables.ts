/** Reports the tables that were written to the caches of this process. */
import type { Knex } from 'knex'
import { withoutComments } from './plain-statements.js'

/** Full names of tables. */
export type TableNames = ReadonlySet<string>

/** Writes of this process, for listeners that cache rows. */
export interface Changes {
  /**
   * Calls the listener after each commit of this process that may have changed rows. The tables are null when they are
   * unknown.
   */
  listen(listener: (tables: TableNames | null) => void): void
  /** For statements outside of transactions: to be called when they have been executed. */
  tell(tables: TableNames | null): void
}

/** Creates the changes of one storage. */
export function createChanges(): Changes {
  const listeners: ((tables: TableNames | null) => void)[] = []
  return {
    listen: (listener) => void listeners.push(listener),
    tell: (tables) => {
      for (const listener of listeners) listener(tables)
    },
  }
}

/** Tables that a transaction has written so far. */
export interface Written {
  /** Null when a statement was not understood. */
  tables(): TableNames | null
}

const READS = /^(?:select|show|set|begin|start|commit|rollback|savepoint|release|explain|describe|desc|pragma)\b/i
const WRITES = /\b(?:insert|delete|replace|(?<!for )update)\b/i
/** The table as knex writes it, in backticks. Not that of another schema, and not one of several. */
const TABLE = /^(?:(?:insert|replace)(?: ignore| or \w+)?(?: into)?|update|delete from)\s+`([^`]+)`(?!\s*[.,])/i
/** A limit that MariaDB has for the statement that follows. */
const FOR_STATEMENT = /^\/\*M! SET STATEMENT [\w =]+ FOR \*\/\s*/
const JOIN = /\bjoin\b/i

/**
 * Calls the listener before each statement of a transaction that may write: with the full name of the table, or null when the
 * statement was not understood.
 */
export function onWrite(database: Knex.Transaction, listener: (table: string | null) => void): void {
  database.on('query', ({ sql }: { readonly sql: string }) => {
    const statement = withoutComments(sql.replace(FOR_STATEMENT, ''))
    if (READS.test(statement) || (/^with\b/i.test(statement) && !WRITES.test(statement))) return
    listener(JOIN.test(statement) ? null : (TABLE.exec(statement)?.[1] ?? null))
  })
}

/** Watches which tables the statements of a transaction write. */
export function watchWrites(database: Knex.Transaction): Written {
  const tables = new Set<string>()
  let isUnderstood = true
  onWrite(database, (table) => {
    if (table) tables.add(table)
    else isUnderstood = false
  })
  return { tables: () => (isUnderstood ? tables : null) }
}
