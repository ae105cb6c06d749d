/** What a row waits for. */
import type { Instant } from '../../core/clock.js'
import type { RecordTimer, RecordType } from '../catalog.js'
import type { Scalar } from '../language/conditions.js'
import type { Row } from '../language/define-rule.js'
import { canMeet } from '../language/define-timer.js'

/** The timestamp for which a row waits by this timer of its type; null if it does not wait. */
export function momentOf(type: RecordType, timer: RecordTimer, row: Row): Instant | null {
  const moment = row[timer.column]
  const valueIn = (name: string) => (row[type.fields.get(name)?.column ?? name] ?? null) as Scalar
  return typeof moment === 'string' && canMeet(timer.while, valueIn) ? moment : null
}

/** True if the timestamp has come for which the row waits by this timer. */
export function isDue(type: RecordType, timer: RecordTimer, row: Row, now: Instant): boolean {
  const moment = momentOf(type, timer, row)
  return moment !== null && moment <= now
}
