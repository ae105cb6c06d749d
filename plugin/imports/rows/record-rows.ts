/** Rows that are records of their own. */
import type { Columns } from '../columns/match-columns.js'
import type { RowShape } from '../contract.js'
import { type SaveRowsDeps, saveRows } from './save-rows.js'

/** Creates the shape. Every row can be committed without its neighbours. */
export function recordRows(deps: SaveRowsDeps, columns: Columns): RowShape {
  return {
    async *groups(rows, after) {
      for await (const row of rows) if (row.line > after) yield { rows: [row] }
    },
    save(call, groups) {
      const rows = groups.flatMap((group) => group.rows)
      return saveRows(deps, call, columns, rows)
    },
  }
}
