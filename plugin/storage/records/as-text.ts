/** Selects dates and timestamps as texts. */
import type { RecordField } from '../../schema/catalog.js'
import { kindOf } from '../../schema/kinds/kinds.js'

/** Types of columns that prepared statements return in parts: year, month, day … */
const IN_PARTS: ReadonlySet<string | undefined> = new Set(['date', 'datetime'])

/**
 * The column of a field in a SELECT list. Where statements are prepared, on MariaDB only (ADR 17), the server makes texts of dates
 * and timestamps: the driver takes many times as long. All other databases see comments; they send texts anyway.
 */
export function asText(column: string, field: RecordField | undefined): string {
  const [type] = (field && kindOf(field).column?.form(field).types) ?? []
  return IN_PARTS.has(type) ? `/*M! CAST(*/${column}/*M! AS CHAR)*/` : column
}
