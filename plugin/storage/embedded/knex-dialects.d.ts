/** The parts of knex's SQLite dialect that `libsql-client.ts` builds on; knex ships no types for them. */
declare module 'knex/lib/dialects/better-sqlite3/index.js' {
  import type { Knex } from 'knex'

  export default class BetterSqliteClient extends Knex.Client {
    // biome-ignore lint/complexity/noBannedTypes: knex's own signature
    declare driver: Function
    acquireRawConnection(): Promise<unknown>
    initializeDriver(): void
    _formatBindings(bindings: readonly unknown[] | undefined): unknown[]
  }
}
