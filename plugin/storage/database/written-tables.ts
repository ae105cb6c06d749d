/** Reports the tables that were written to the caches of this process. */
import type { Knex } from 'knex'
import { effectOf } from './statement-effect.js'

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

/**
 * Calls the listener before each statement of a transaction that may write: with the full name of the table, or null when the
 * statement was not understood.
 */
export function onWrite(database: Knex.Transaction, listener: (table: string | null) => void): void {
  database.on('query', ({ sql }: { readonly sql: string }) => {
    const effect = effectOf(sql)
    if (effect !== 'nothing') listener(effect === 'unknown' ? null : effect[0])
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
