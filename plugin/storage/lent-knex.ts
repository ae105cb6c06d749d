/**
 * A knex of the host. Described by its members and not by its class, so that a host can lend another copy, or another minor
 * version, without a cast. `checkOptions` refuses what was not created by knex, and `openStorage` other databases.
 */
export interface LentKnex {
  (table: string): object
  readonly client: unknown
  withUserParams(params: Record<string, unknown>): unknown
  raw(sql: string): PromiseLike<unknown>
  destroy(): Promise<void>
}
