/**
 * Reads single rows of several types with one statement: what a new record refers to, and what its rules look up of that.
 */
import type { RecordType } from '../../schema/catalog.js'
import type { DraftRow } from '../../schema/language/define-rule.js'
import type { Storage } from '../database/connections.js'
import { quote } from './joins.js'
import type { Parametrized } from './parametrize.js'
import { WHOLE_NUMBER } from './record-columns.js'
import type { RowForms } from './row-form.js'
import type { Bound, createTexts } from './statement-texts.js'

/** A record to read by its id. */
export interface PickedById {
  readonly type: RecordType
  readonly id: number
}

/** A record to read: by its id, or the one that a column of an earlier one in the list leads to. */
export type Picked = PickedById | { readonly type: RecordType; readonly behind: number; readonly column: string }

/** A pair of linked records to look for. */
export interface PickedPair {
  /** The table of the link, without the prefix, and its columns. */
  readonly link: { readonly table: string; readonly from: string; readonly to: string }
  readonly from: number
  readonly to: number
}

/** What was read, in the order of what was asked for. */
export interface Picks {
  /** Null for records that do not exist. */
  readonly rows: readonly (DraftRow | null)[]
  /** True for pairs that exist. */
  readonly linked: readonly boolean[]
}

export type PickRows = (
  run: (statement: Bound) => Promise<readonly (readonly unknown[])[]>,
  picked: readonly Picked[],
  pairs: readonly PickedPair[],
) => Promise<Picks>

/** Creates the function. Each row is joined to one that is always there. */
export function createPickRows(storage: Storage, textOf: ReturnType<typeof createTexts>, forms: RowForms): PickRows {
  const table = (name: string) => quote(storage.table(name))

  return async (run, picked, pairs) => {
    const ids = picked.flatMap((one) => ('id' in one ? one.id : []))
    const values: Parametrized = {
      key: '',
      values: [...ids, ...pairs.flatMap(({ from, to }) => [from, to])],
      criterion: { all: [] },
    }
    const form = `picked ${picked.map(formOf).join()} and ${pairs.map(formOfPair).join()}`
    const text = textOf(form, values, [], () => {
      const columns = [
        ...picked.flatMap(({ type }, at) => forms.columns(type).map(([name]) => `r${at}.${quote(name)}`)),
        ...pairs.map(({ link }, at) => `p${at}.${quote(link.from)}`),
      ]
      const joins = [
        ...picked.map((one, at) => {
          const id = 'id' in one ? '?' : `r${one.behind}.${quote(one.column)}`
          return ` LEFT JOIN ${table(one.type.table)} r${at} ON r${at}.\`id\` = ${id}`
        }),
        ...pairs.map(({ link: { from, table: name, to } }, at) => {
          return ` LEFT JOIN ${table(name)} p${at} ON p${at}.${quote(from)} = ? AND p${at}.${quote(to)} = ?`
        }),
      ]
      // With names of their own: the embedded database returns objects.
      const named = columns.map((column, index) => `${column} AS c${index}`)
      const sql = `SELECT ${named.join(', ')} FROM (SELECT 1 AS here) one${joins.join('')}`
      return { sql, bindings: values.values.map((_, at) => ({ at, column: WHOLE_NUMBER })) }
    })
    const [cells = []] = await run(text)
    let from = 0
    const rows = picked.map(({ type }) => {
      const until = from + forms.columns(type).length
      const row = forms.decode(type, cells.slice(from, until))
      from = until
      return row['id'] === null ? null : row
    })
    return { rows, linked: pairs.map((_, at) => (cells[from + at] ?? null) !== null) }
  }
}

function formOf(one: Picked): string {
  return 'id' in one ? one.type.name : `${one.type.name}<${one.behind}.${one.column}`
}

/** Both sides of a relation have the same table, with the columns the other way round. */
function formOfPair({ link: { from, table, to } }: PickedPair): string {
  return `${table}.${from}.${to}`
}
