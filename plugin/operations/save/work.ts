/** What the steps of the pipeline share. */
import type { Call } from '../../core/call.js'
import type { RecordType } from '../../schema/compile/compile.js'
import type { Row } from '../../schema/define-rule.js'
import type { OperationDeps } from '../deps.js'
import type { Operations, SaveItem, SaveOutcome } from '../operations.js'
import type { Unit } from '../work/unit.js'

/** The pipeline, for what is stored along with another record. */
export type Pipeline = (call: Call, type: RecordType, items: readonly SaveItem[]) => Promise<readonly SaveOutcome[]>

/** Saves and removes records for rules. */
export interface Others extends Pick<Operations, 'remove' | 'removeEach'> {
  /**
   * Saves all of them with the statements of one.
   *
   * @throws Invalid, Forbidden, NotFound for the first one that is not saved
   */
  saveAll(call: Call, type: string, items: readonly SaveItem[]): Promise<readonly Row[]>
}

/** One batch of records of a type, in a transaction. */
export interface Work {
  readonly deps: OperationDeps
  readonly call: Call
  readonly type: RecordType
  /** What the whole transaction shares. */
  readonly unit: Unit
  /** For other records; read-only fields are taken as well. */
  readonly others: Others
}

/** A batch on its way through the pipeline. */
export interface SaveWork extends Work {
  /** For records that are stored along: notes and sub-records. */
  readonly pipeline: Pipeline
}
