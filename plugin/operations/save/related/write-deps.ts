/** What functions take along that write rows, and what comes with the row of a record: links, notes, files. */
import type { Clock } from '../../../core/clock.js'
import type { FindEmitted } from '../../../events/emitted.js'
import type { Files } from '../../../files/files.js'
import type { Validator } from '../../../schema/derive/validator.js'
import type { Writer } from '../../../storage/records/write.js'
import type { LockDeps } from '../../work/work-deps.js'

/** Writes rows and links. */
export interface WriteDeps extends LockDeps {
  readonly writer: Writer
}

/** Stores files and pictures with their record. */
export interface FileDeps extends WriteDeps {
  readonly clock: Clock
  readonly files: Pick<Files, 'addresses' | 'sizeLimit' | 'allowedExtensions'>
}

/** Adds events to the outbox, and notifies those who dispatch them. */
export interface EventDeps extends WriteDeps {
  readonly clock: Clock
  /** Events of the host. */
  readonly findEmitted: FindEmitted
  /** Runs once after a commit with events of these names, so that they are dispatched without waiting for the sweep. */
  wakeDispatch(events: readonly string[]): void
}

/** Checks bodies. */
export interface ValidateDeps extends LockDeps {
  /** By record type. */
  readonly validators: ReadonlyMap<string, Validator>
}
