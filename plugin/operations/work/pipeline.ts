/** State that the steps of the pipeline share. */
import type { Call } from '../../core/call.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Attempt, Row } from '../../schema/language/define-rule.js'
import type { Operations, SaveItem, SaveOutcome } from '../contract.js'
import type { Unit } from './unit.js'

/** The pipeline, for records that are stored along with another one. */
export type Pipeline = (call: Call, type: RecordType, items: readonly SaveItem[]) => Promise<readonly SaveOutcome[]>

/** Saves and removes records for rules. */
export interface Others extends Pick<Operations, 'remove' | 'removeEach'> {
  /**
   * Saves all of them with the statements of one save.
   *
   * @throws Invalid, Forbidden, NotFound for the first one that is not saved
   */
  saveAll(call: Call, type: string, items: readonly SaveItem[]): Promise<readonly Row[]>
  /** Saves one record in a savepoint; a refusal undoes only what was stored since. */
  attempt(call: Call, type: string, item: SaveItem): Promise<Attempt>
}

/**
 * One batch of records of a type, in a transaction. A step that takes `Work<ReadDeps>` reads, one that takes `Work<WriteDeps>`
 * also writes; one that takes `Work` has only the batch.
 */
export interface Work<Deps = unknown> {
  readonly deps: Deps
  readonly call: Call
  readonly type: RecordType
  /** State that the whole transaction shares. */
  readonly unit: Unit
  /** For other records; may set read-only fields, too. */
  readonly others: Others
}

/** A batch on its way through the pipeline. */
export interface SaveWork<Deps = unknown> extends Work<Deps> {
  /** For records that are stored along: notes and sub-records. */
  readonly pipeline: Pipeline
}
