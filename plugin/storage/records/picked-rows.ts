/** Reads single rows of several types with one statement: what a new record refers to. */
import type { RecordType } from '../../schema/catalog.js'
import type { DraftRow } from '../../schema/language/define-rule.js'
import type { Storage } from '../database/connections.js'
import { quote } from './joins.js'
import type { Parametrized } from './parametrize.js'
import { WHOLE_NUMBER } from './record-columns.js'
import type { RowForms } from './row-form.js'
import type { Bound, createTexts } from './statement-texts.js'

/** A record to read. */
export interface Picked {
  readonly type: RecordType
  readonly id: number
}

/** Rows in the order of the records; null for those that do not exist. */
export type PickRows = (
  run: (statement: Bound) => Promise<readonly (readonly unknown[])[]>,
  picked: readonly Picked[],
) => Promise<readonly (DraftRow | null)[]>

/** Creates the function. Each row is joined to one that is always there, by its id. */
export function createPickRows(storage: Storage, textOf: ReturnType<typeof createTexts>, forms: RowForms): PickRows {
  return async (run, picked) => {
    const ids: Parametrized = { key: '', values: picked.map(({ id }) => id), criterion: { all: [] } }
    const form = `picked ${picked.map(({ type }) => type.name).join()}`
    const text = textOf(form, ids, [], () => {
      // With names of their own: the embedded database returns objects.
      const columns = picked
        .flatMap(({ type }, at) => forms.columns(type).map(([name]) => `r${at}.${quote(name)}`))
        .map((column, index) => `${column} AS c${index}`)
      const joins = picked.map(({ type }, at) => {
        return ` LEFT JOIN ${quote(storage.table(type.table))} r${at} ON r${at}.\`id\` = ?`
      })
      const sql = `SELECT ${columns.join(', ')} FROM (SELECT 1 AS here) one${joins.join('')}`
      return { sql, bindings: picked.map((_, at) => ({ at, column: WHOLE_NUMBER })) }
    })
    const [cells = []] = await run(text)
    let from = 0
    return picked.map(({ type }) => {
      const until = from + forms.columns(type).length
      const row = forms.decode(type, cells.slice(from, until))
      from = until
      return row['id'] === null ? null : row
    })
  }
}
