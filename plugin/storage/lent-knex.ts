/**
 * A knex of the host, by what it must have and not by its class: so that a host whose knex is another copy, or another minor
 * version, can lend it without a cast. `checkOptions` refuses what was not made by knex, and `openStorage` other databases.
 */
export interface LentKnex {
  (table: string): object
  readonly client: unknown
  withUserParams(params: Record<string, unknown>): unknown
  raw(sql: string): PromiseLike<unknown>
  destroy(): Promise<void>
}
