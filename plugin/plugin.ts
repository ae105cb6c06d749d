import type { Accounts } from './access/accounts.js'
import type { Http } from './http/http.js'
import type { HostApi } from './operations/host-api.js'
import type { Catalog } from './schema/compile/compile.js'
import type { Models } from './storage/models.js'

/** What a host gets from `createPlugin`. */
export interface Plugin extends Http, HostApi {
  /** Every record type, compiled. */
  readonly catalog: Catalog
  /** Objection models of the record tables, bound to this plugin's database; for reading. Writes belong to `as`. */
  readonly models: Models
  /** Accounts and their trust relations; who calls this maintains the installation. */
  readonly accounts: Pick<Accounts, 'put' | 'trust' | 'find'>
  /** Brings the tables up to date; never runs on its own. Returns the names of the migrations that ran. */
  migrate(): Promise<readonly string[]>
  /** Forgets what this process remembers of rows for some seconds: for hosts that restore the tables from a copy. */
  forget(): void
  /** Checks connections and tables, then starts the jobs. @throws InvalidSetup with all differences and a migration draft */
  start(): Promise<void>
  /** Stops taking work, drains, closes only what is ours. May be called twice. */
  stop(): Promise<void>
}
