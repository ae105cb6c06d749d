import type { HostDeliveries } from './deliveries/log/host-deliveries.js'
import type { HealthReport } from './health/health.js'
import type { Http } from './http/http.js'
import type { HostApi } from './operations/host/host-api.js'
import type { Catalog } from './schema/catalog.js'
import type { RecordPermissions } from './schema/derive/permission-table.js'
import type { AnyRecords } from './schema/types/typed-records.js'
import type { Models } from './storage/records/models.js'
import type { SetupCheck } from './storage/tables/tables.js'

/**
 * The result of `createPlugin`, which knows its record types. Without them, as plain `Plugin`, it takes any text for a type, a field
 * or a list: for code that treats all types alike.
 */
export interface Plugin<out T extends object = AnyRecords> extends Pick<Http, 'app' | 'middleware' | 'signedIn'>, HostApi<T> {
  /** What was sent, or waits to be sent, on all channels: those of the plugin, and those of the host. */
  readonly deliveries: HostDeliveries
  /** Every record type, compiled. */
  readonly catalog: Catalog
  /**
   * The permissions of each record type, also of the host's types, as data that can be stored as JSON. They have the roles and
   * people that may read, create, update and remove records, the records that they see, and limits of single fields. The plugin
   * decides by the same definitions; `authorize` and `scope` of the host come after them.
   */
  permissions(): readonly RecordPermissions[]
  /** Objection models of the record tables, bound to this plugin's database; for reading. Write through `as`. */
  readonly models: Models<T>
  /** Migrates the tables; never runs by itself. Returns the names of the migrations that ran. */
  migrate(): Promise<readonly string[]>
  /**
   * Checks the database without starting: which migrations have not run, and how the tables differ from the record types.
   * Changes nothing. `start()` checks the same.
   *
   * @throws the error of the database if it does not respond
   */
  check(): Promise<SetupCheck>
  /**
   * Whether the parts that this process depends on answer, and how far its background work is behind. Within two seconds, also if
   * the database hangs, and never throws; what it finds is remembered for a second. The option `healthPaths` serves the same.
   */
  health(): Promise<HealthReport>
  /** Clears the row caches of this process, which last some seconds: for hosts that restore the tables from a copy. */
  forget(): void
  /**
   * Checks connections and tables, then starts the jobs.
   *
   * @throws InvalidSetup with all differences and a migration draft; an Error after `stop()`
   */
  start(): Promise<void>
  /** Stops taking work, drains, closes only the connections that the plugin opened. May be called twice, and while it starts. */
  stop(): Promise<void>
}
