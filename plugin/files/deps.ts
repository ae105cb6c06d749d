/** Dependencies of this folder; `createFiles` supplies them. */
import type { Clock } from '../core/clock.js'
import type { Log } from '../core/log.js'
import type { Catalog } from '../schema/catalog.js'
import type { Storage } from '../storage/database/connections.js'
import type { FileAddresses } from './addresses.js'
import type { FileBytes } from './store.js'

export interface FileDeps {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly clock: Clock
  readonly log: Log
  readonly addresses: FileAddresses
  /** Store for the bytes of new files. */
  readonly bytes: FileBytes
  /** Maximum size of a file in bytes. */
  readonly sizeLimit: number
  /** Allowed file name extensions in lower case; empty if all are allowed. */
  readonly allowedExtensions: readonly string[]
}
