/** What the parts of an undo hand to each other. */
import type { Call } from '../../core/call.js'
import type { Operations } from '../../operations/contract.js'
import type { Permissions } from '../../operations/people/permissions.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { Storage } from '../../storage/database/connections.js'
import type { Queries } from '../../storage/records/query.js'
import type { Results } from '../progress/results.js'
import type { RefusalWords } from '../rows/refusals.js'

/** Dependencies of undoing what an import has done. */
export interface UndoDeps {
  readonly catalog: Catalog
  readonly storage: Storage
  readonly operations: Pick<Operations, 'removeEach' | 'retractEach' | 'saveAll' | 'together'>
  readonly permissions: Pick<Permissions, 'changeEach'>
  readonly queries: Pick<Queries, 'cells' | 'rows'>
  readonly words: RefusalWords
}

/** Audit lines of an import: those after one, up to another, that were written for a person, in the account of the import or by its name. */
export interface LineRange {
  readonly after: number
  readonly until: number
  readonly personId: number
  /** The cause of lines that are not written by rules: `import 17`. They may be in another account. */
  readonly cause: string
}

/** The end of the lines of an undo that has not ended: one of an account runs at a time. */
export const STILL_WRITING = Number.POSITIVE_INFINITY

/** What an undo is about. */
export interface Undone {
  /** The import that is undone. */
  readonly importId: number
  /** The audit lines of the import. */
  readonly own: LineRange
  /** Lines of imports in these ranges do not count as changes since: they are those of the import, of undos, and of undone imports. */
  readonly undone: readonly LineRange[]
  /** The call of the person who undoes it. */
  readonly call: Call
}

/** One thing that the import has written; the last ones are undone first. */
export interface Unit {
  readonly id: number
  /** The record. */
  readonly type: string
  readonly recordId: number
}

/** A record that stays as it is, or in part, and why. */
export interface LeftRecord {
  readonly type: RecordType
  readonly recordId: number
  /** The record; null if it is gone. */
  readonly row: Row | null
  readonly reason: LeftReason
}

export type LeftReason =
  /** Changed, or removed; without a name or a time if these are not known. */
  | {
      readonly code: 'undo_changed_since' | 'undo_gone'
      readonly byId: number | null
      readonly by: string
      readonly at: string
    }
  | { readonly code: 'undo_in_use'; readonly byType: string }
  | { readonly code: 'undo_refused'; readonly text: string }

/** What became of units. */
export interface UndoReport {
  readonly results: Results
  readonly left: readonly LeftRecord[]
}

/** A kind of things that an import has written. The steps of an undo follow each other. */
export interface UndoStep<U extends Unit = Unit> {
  /** True if an earlier step has told what fails. */
  readonly isRepeat?: boolean
  /** Reads units, the last ones first. @param below only those with lower ids; null for all */
  read(below: number | null, limit: number): Promise<readonly U[]>
  /** Undoes them in the transaction of the call. */
  undo(call: Call, units: readonly U[]): Promise<UndoReport>
}
