/** The columns of record tables, and the form of their values. */
import type { RecordType } from '../../schema/catalog.js'
import type { Column } from '../../schema/kinds/kind.js'
import { columnOf } from '../../schema/kinds/kinds.js'

/** The column form of ids and other integers. */
export const WHOLE_NUMBER = columnOf({ kind: 'integer' })
/** The column form of names that the host or the plugin chooses. */
export const NAME = columnOf({ kind: 'string' })

/** Columns of every record table in addition to those of its fields. */
export const EXTRA_COLUMNS: Readonly<Record<string, Column>> = {
  account_id: NAME,
  owner_type: NAME,
  owner_id: WHOLE_NUMBER,
}

export type NamedColumn = readonly [name: string, column: Column]

/** All columns of a record table, with the form of their values. */
export function columnsOf(type: RecordType): readonly NamedColumn[] {
  const extra = Object.entries(EXTRA_COLUMNS).filter(([name]) => name === 'account_id' || type.partOf.length > 0)
  return [...extra, ...[...type.columns].map(([name, field]) => [name, columnOf(field)] as const)]
}
