/** The form of the rows of a record table: which columns they have, and how cells become values and values cells. */
import type { RecordType } from '../../schema/catalog.js'
import { decode, encode } from '../../schema/derive/columns.js'
import type { Column } from '../../schema/kinds/kind.js'
import { columnOf } from '../../schema/kinds/kinds.js'
import type { DraftRow, Row } from '../../schema/language/define-rule.js'
import { EXTRA_COLUMNS } from './statement.js'

interface Form {
  readonly columns: readonly (readonly [name: string, column: Column])[]
  /** A row with null in all columns: its copies have their shape at once, without a transition for each column. */
  readonly blank: Row
}

/** Derived once for each type: rows are read and written far more often than types are compiled. */
const forms = new WeakMap<RecordType, Form>()

function formOf(type: RecordType): Form {
  const known = forms.get(type)
  if (known) return known
  const extra = Object.entries(EXTRA_COLUMNS).filter(([name]) => name === 'account_id' || type.partOf.length > 0)
  const columns = [...extra, ...[...type.columns].map(([name, field]) => [name, columnOf(field)] as const)]
  const form = { columns, blank: Object.fromEntries(columns.map(([name]) => [name, null])) }
  forms.set(type, form)
  return form
}

/** All columns of a record table, with the form of their values. */
export function columnsOf(type: RecordType): readonly (readonly [name: string, column: Column])[] {
  return formOf(type).columns
}

/** A row, of cells in the order of `columnsOf`. */
export function decodeRow(type: RecordType, cells: readonly unknown[]): DraftRow {
  const { blank, columns } = formOf(type)
  const row: DraftRow = { ...blank }
  for (let index = 0; index < columns.length; index++) {
    const cell = cells[index]
    if (cell === null || cell === undefined) continue
    const [name, column] = columns[index] as Form['columns'][number]
    row[name] = decode(column, cell)
  }
  return row
}

/** A row in database form, with only the columns of the table. */
export function encodeRow(type: RecordType, row: Row): Record<string, string | number | null> {
  const encoded: Record<string, string | number | null> = {}
  for (const [name, column] of columnsOf(type)) if (name in row) encoded[name] = encode(column, row[name])
  return encoded
}
