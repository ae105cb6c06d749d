/** The SQL of statements that write one row. */
import { quote } from './joins.js'
import type { Bound } from './statement-texts.js'

/** Values by column, in database form. */
export type Cells = Readonly<Record<string, string | number | null>>

export interface RowTexts {
  insert(table: string, cells: Cells): Bound
  update(table: string, cells: Cells, id: number): Bound
}

/** Rows of a table are written with few sets of columns; which columns an update changes is up to callers. */
const MAX_TEXTS = 500

/** Creates the texts. Each is written once, and kept with the number of its uses. */
export function createRowTexts(): RowTexts {
  const texts = new Map<string, string>()
  const bound = (key: string, bindings: Bound['bindings'], write: () => string): Bound => {
    const known = texts.get(key)
    const sql = known ?? write()
    if (known === undefined && texts.size >= MAX_TEXTS) texts.delete(texts.keys().next().value ?? '')
    if (known === undefined) texts.set(key, sql)
    return { sql, bindings, isRepeated: known !== undefined }
  }
  return {
    insert(table, cells) {
      const names = Object.keys(cells)
      return bound(`insert ${table} ${names.join()}`, Object.values(cells), () => {
        return `INSERT INTO ${quote(table)} (${names.map(quote).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
      })
    },
    update(table, cells, id) {
      const names = Object.keys(cells)
      return bound(`update ${table} ${names.join()}`, [...Object.values(cells), id], () => {
        return `UPDATE ${quote(table)} SET ${names.map((name) => `${quote(name)} = ?`).join(', ')} WHERE \`id\` = ?`
      })
    },
  }
}
