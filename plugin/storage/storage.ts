/** Entry point of this folder: the database, its tables, and the leases and counters that processes share in it. */
import type { Observer } from '../core/observe.js'
import { openStorage, type Storage, type StorageOptions } from './database/connections.js'
import { databaseFault } from './database/faults.js'
import { createLeases, type Leases, type LeasesDeps } from './queues/leases.js'
import { sharedLimitStore } from './queues/limit-store.js'
import { createTables, type Tables, type TablesDeps } from './tables/tables.js'

/** Dependencies of the storage. */
export interface CreateStorageDeps extends Omit<TablesDeps, 'storage'>, Omit<LeasesDeps, 'storage'> {
  readonly database: StorageOptions
  /** The functions of the host that watch statements. */
  readonly observer: Observer
  /** Prefix of the names of all our tables. */
  readonly tablePrefix: string
  /** Milliseconds after which a statement is aborted. */
  readonly statementMs: number
}

/** The storage, and how other folders read, write, lock and count in it. */
export interface StorageRoom extends Tables {
  readonly storage: Storage
  /** Work that one process may do at a time. */
  readonly leases: Leases
  /** Counters that several processes share; undefined for an embedded database, which has one process. */
  readonly openSharedLimits: ReturnType<typeof sharedLimitStore>
  /** The error for callers when the database failed; null for any other error. */
  readonly databaseFault: typeof databaseFault
}

/**
 * Opens the storage, without any I/O.
 *
 * @throws InvalidOptions for another database or a URL that cannot be parsed
 */
export function createStorage(deps: CreateStorageDeps): StorageRoom {
  const { clock, database, observer, statementMs, tablePrefix } = deps
  const storage = openStorage(database, tablePrefix, statementMs, observer.statement, clock)
  return {
    storage,
    ...createTables({ ...deps, storage }),
    leases: createLeases({ ...deps, storage }),
    openSharedLimits: sharedLimitStore(storage),
    databaseFault,
  }
}
