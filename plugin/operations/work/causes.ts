/** The records that lead to changes of others, for the audit trail. */
import type { CausingRecord } from '../../core/call.js'
import type { Row } from '../../schema/language/define-rule.js'

/** The record as a cause; of a sub-record its owner, whose trail shows what has changed. Null before it has an id. */
export function causingRecord(type: string, row: Row): CausingRecord | null {
  const { owner_id, owner_type, id } = row
  if (typeof owner_type === 'string' && owner_id) return { type: owner_type, id: Number(owner_id) }
  return id ? { type, id: Number(id) } : null
}

/** The record of a batch as a cause; null for a batch of several, of which any may be the cause. */
export function onlyCause(type: string, rows: readonly Row[]): CausingRecord | null {
  const [first] = rows
  return first && rows.every((row) => row['id'] === first['id']) ? causingRecord(type, first) : null
}

const SETTLING = 'settling '

/** The cause, in the audit trail, of what settling changes. */
export function causeOfSettling(settling: string, type: string): string {
  return `${SETTLING}${settling} of ${type}`
}

/** True for causes of {@link causeOfSettling}. */
export function isCauseOfSettling(cause: string): boolean {
  return cause.startsWith(SETTLING)
}
