/** What the functions of this folder need; `createFiles` puts it together. */
import type { Clock } from '../core/clock.js'
import type { Log } from '../core/log.js'
import type { Catalog } from '../schema/compile/compile.js'
import type { Storage } from '../storage/connections.js'
import type { FileAddresses } from './addresses.js'
import type { FileBytes } from './store.js'

export interface FileDeps {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly clock: Clock
  readonly log: Log
  readonly addresses: FileAddresses
  /** Where the bytes of new files go. */
  readonly bytes: FileBytes
  /** Bytes of the largest file. */
  readonly sizeLimit: number
  /** Endings of file names in lower case; empty when all are allowed. */
  readonly allowedExtensions: readonly string[]
}
