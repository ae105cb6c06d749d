/** The flag of records that are disabled instead of removed. */
import type { RecordType } from '../../schema/catalog.js'
import { kindOf } from '../../schema/kinds/kinds.js'

/** The field of the flag. */
export const DISABLED = 'disabled'

/** True if records of the type have the flag in a column of their own. */
export function hasDisabledFlag({ fields }: RecordType): boolean {
  const field = fields.get(DISABLED)
  return field !== undefined && field.column !== null && kindOf(field).defaults === 'boolean'
}
