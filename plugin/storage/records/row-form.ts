/** Rows of record tables: how cells become values, and values cells. With texts, the keys of them are written (behaviour: Identity). */
import { keyOfTexts } from '../../core/text/identity.js'
import type { RecordType, TextKey } from '../../schema/catalog.js'
import { decode, encode } from '../../schema/derive/columns.js'
import type { DraftRow, Row } from '../../schema/language/define-rule.js'
import type { Lists } from '../database/insert-lists.js'
import { columnsOf, type NamedColumn } from './record-columns.js'

/** Reads and writes rows by the columns of their types, which are derived once. */
export interface RowForms {
  columns(type: RecordType): readonly NamedColumn[]
  /** A row, of cells in the order of the columns. */
  decode(type: RecordType, cells: readonly unknown[]): DraftRow
  /** A row in database form, with only the columns of the table. */
  encode(type: RecordType, row: Row): Record<string, string | number | null>
  /** Rows in database form as lists of the values of these columns; null for rows of which some have other columns than the first. */
  encodeAlike(type: RecordType, rows: readonly Row[]): Lists | null
  /** These columns, and the keys that are made of some of them. */
  withKeys(type: RecordType, columns: readonly string[]): readonly string[]
}

interface Form {
  readonly columns: readonly NamedColumn[]
  /** A row with null in all columns: its copies have their shape at once, without a transition for each column. */
  readonly blank: Row
}

/** Creates the forms of one catalog. */
export function createRowForms(): RowForms {
  const forms = new WeakMap<RecordType, Form>()
  const formOf = (type: RecordType): Form => {
    const known = forms.get(type)
    if (known) return known
    const columns = columnsOf(type)
    const form = { columns, blank: Object.fromEntries(columns.map(([name]) => [name, null])) }
    forms.set(type, form)
    return form
  }
  return {
    columns: (type) => formOf(type).columns,
    decode(type, cells) {
      const { blank, columns } = formOf(type)
      const row: DraftRow = { ...blank }
      for (const [index, [name, column]] of columns.entries()) {
        const cell = cells[index]
        if (cell !== null && cell !== undefined) row[name] = decode(column, cell)
      }
      return row
    },
    encode(type, row) {
      const encoded: Record<string, string | number | null> = {}
      for (const [name, column] of formOf(type).columns) if (name in row) encoded[name] = encode(column, row[name])
      for (const [name, key] of type.keys) if (key.of.some((one) => one in row)) encoded[name] = keyIn(type, row, key)
      return encoded
    },
    encodeAlike(type, rows) {
      const [first = {}] = rows
      const { columns } = formOf(type)
      const has = columns.map(([name]) => name in first)
      const keys = [...type.keys].filter(([, { of }]) => of.some((one) => one in first))
      const encoded: (string | number | null)[][] = []
      for (const row of rows) {
        const cells: (string | number | null)[] = []
        for (const [index, [name, column]] of columns.entries()) {
          if (name in row !== has[index]) return null
          if (has[index]) cells.push(encode(column, row[name]))
        }
        for (const [, key] of keys) cells.push(keyIn(type, row, key))
        encoded.push(cells)
      }
      const names = columns.flatMap(([name], index) => (has[index] ? [name] : []))
      return { columns: [...names, ...keys.map(([name]) => name)], rows: encoded }
    },
    withKeys: (type, columns) => [
      ...columns,
      ...[...type.keys].flatMap(([name, { of }]) => (of.some((one) => columns.includes(one)) ? [name] : [])),
    ],
  }
}

/** The key of texts of a row. @throws Error if the row has only some of them: the key would be that of another record */
function keyIn(type: RecordType, row: Row, { form, of }: TextKey): string | null {
  const missing = of.find((name) => !(name in row))
  if (missing !== undefined) throw new Error(`A row of ${type.name} is written without '${missing}', of which a key is made`)
  return keyOfTexts(
    form,
    of.map((name) => row[name]),
  )
}
