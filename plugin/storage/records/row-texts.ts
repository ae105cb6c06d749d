/** The SQL of statements that write one row. */
import { quote } from './joins.js'
import { type Bound, createKeptTexts } from './statement-texts.js'

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
  const kept = createKeptTexts(MAX_TEXTS)
  const bound = (key: string, bindings: Bound['bindings'], write: () => string): Bound => {
    const { sql, uses } = kept(key, () => ({ sql: write(), bindings: [] }))
    return { sql, bindings, isRepeated: uses > 1 }
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
