/** What imports do to records without audit lines, such as notes and other sub-records: an undo needs to know it. */
import type { Call } from '../../../core/call.js'
import type { RecordType } from '../../../schema/catalog.js'
import { AUDIT_LINE } from '../../../schema/language/built-in-types.js'
import type { Row } from '../../../schema/language/define-rule.js'
import { dbOf } from '../../../storage/database/transaction.js'
import { insertUnaudited } from '../../../storage/queues/unaudited-rows.js'
import type { WriteDeps } from './write-deps.js'

/** A row before and after a write; null where there is none. */
export interface WrittenRow {
  readonly before: Row | null
  readonly after: Row | null
}

/** Notes the rows, in the transaction of the call; only in imports, and only of types without audit lines. Else `written` is not called. */
export async function noteUnaudited(
  { storage }: Pick<WriteDeps, 'storage'>,
  call: Call,
  type: RecordType,
  written: () => readonly WrittenRow[],
): Promise<void> {
  if (call.importId === undefined || type.audit || type.name === AUDIT_LINE) return
  await insertUnaudited(storage, dbOf(storage, call), call.importId, type.name, written())
}
