/**
 * Reads records without model instances: SQL is built from a shape, a criterion and an order, runs on the same pool or
 * transaction as everything else, and comes back as arrays.
 */
import type { Call } from '../core/call.js'
import { isLanguage, rootOf } from '../core/words/languages.js'
import type { Catalog, RecordType, SortKey } from '../schema/compile.js'
import type { Criterion } from '../schema/conditions.js'
import type { Link } from '../schema/define-record.js'
import type { DraftRow, Row } from '../schema/define-rule.js'
import { decode, encode } from '../schema/derive/columns.js'
import type { Slot } from '../schema/derive/shape.js'
import type { FieldKind } from '../schema/fields.js'
import type { Storage } from './connections.js'
import { quote } from './joins.js'
import { runAsArrays } from './run-as-arrays.js'
import { EXTRA_COLUMNS, Statement } from './statement.js'
import { dbOf } from './transaction.js'

/** A collection is cut at this number of records (gaps 1.1). */
export const MOST_RECORDS = 100_000

export interface Selection {
  readonly type: RecordType
  /** Placeholders must have been resolved to values. */
  readonly where: Criterion
  readonly sort?: readonly SortKey[]
  readonly limit?: number
  readonly offset?: number
  /** Texts that are translated are read in this language where there is a translation; without it, as they are stored. */
  readonly language?: string
}

export interface Queries {
  /** Rows as arrays in the order of the slots. */
  cells(
    call: Pick<Call, 'transaction' | 'signal'>,
    selection: Selection,
    slots: readonly Slot[],
  ): Promise<readonly (readonly unknown[])[]>
  /**
   * The records that a link leads to from any of the given ones: rows as arrays, first the id of the record that the link
   * starts from, then the slots. One query; a record stands there once for each that is linked to it.
   */
  linkedCells(
    call: Pick<Call, 'transaction' | 'signal'>,
    link: Link,
    ids: readonly number[],
    selection: Omit<Selection, 'limit' | 'offset'>,
    slots: readonly Slot[],
  ): Promise<readonly (readonly unknown[])[]>
  /** Number of records that meet the criterion, counted up to one more than the most. */
  count(call: Pick<Call, 'transaction' | 'signal'>, selection: Selection): Promise<number>
  /** The statement of `count`. */
  counting(selection: Selection): { readonly sql: string; readonly bindings: readonly (string | number | null)[] }
  /**
   * Whole rows, in the order asked for; `lock` keeps others from changing these rows, and no others, until the transaction
   * ends. Locked rows come by id, so that two transactions lock them in the same order.
   */
  rows(
    call: Pick<Call, 'transaction' | 'signal'>,
    selection: Selection,
    options?: { readonly lock?: boolean },
  ): Promise<readonly DraftRow[]>
  /** Any statement with positional bindings, as arrays. */
  run(
    call: Pick<Call, 'transaction' | 'signal'>,
    sql: string,
    bindings: readonly (string | number | null)[],
  ): Promise<readonly unknown[][]>
}

/** Queries over the record tables of a catalog. Names in SQL come from the catalog, values are bound. */
export function createQueries(storage: Storage, catalog: Catalog): Queries {
  const run: Queries['run'] = async (call, sql, bindings) => runAsArrays(storage, dbOf(storage, call), sql, bindings)

  const cells: Queries['cells'] = (call, selection, slots) => {
    const { type, limit, offset = 0, sort = BY_ID } = selection
    const statement = new Statement(storage, catalog, type, languagesOf(selection))
    const columns = slots.map((slot, index) => `${statement.value(slot)} AS c${index}`)
    const order = statement.order(sort)
    if (limit === undefined || (limit === 1 && offset === 0)) {
      const where = statement.condition(selection.where)
      const sql = `SELECT ${columns.join(', ')}${statement.from} WHERE ${where}${order}${limitOf(limit, offset)}`
      return run(call, sql, statement.bindings)
    }
    // A late join: the page is found on narrow columns first, then only its rows are read in full.
    const narrow = new Statement(storage, catalog, type)
    const [where, narrowOrder] = [narrow.condition(selection.where), narrow.order(sort)]
    const page = `SELECT t.\`id\` AS page_id${narrow.from} WHERE ${where}${narrowOrder}${limitOf(limit, offset)}`
    const sql = `SELECT ${columns.join(', ')}${statement.from} JOIN (${page}) p ON p.page_id = t.\`id\`${order}`
    return run(call, sql, [...statement.bindings, ...narrow.bindings])
  }

  const linkedCells: Queries['linkedCells'] = async (call, link, ids, selection, slots) => {
    if (ids.length === 0) return []
    const statement = new Statement(storage, catalog, selection.type, languagesOf(selection))
    const columns = slots.map((slot, index) => `, ${statement.value(slot)} AS c${index}`).join('')
    const where = statement.condition(selection.where)
    const order = statement.order(selection.sort ?? BY_ID)
    const [from, to] = [`pair.${quote(link.from)}`, `pair.${quote(link.to)}`]
    const pairs = ` JOIN ${quote(storage.table(link.table))} pair ON ${to} = t.\`id\``
    const linked = `${from} IN (${ids.map(() => '?').join(', ')})`
    const sql = `SELECT ${from} AS linked${columns}${statement.from}${pairs} WHERE ${where} AND ${linked}${order}`
    return run(call, sql, [...statement.bindings, ...ids])
  }

  const counting: Queries['counting'] = ({ type, where }) => {
    const statement = new Statement(storage, catalog, type)
    const condition = statement.condition(where)
    const sql = `SELECT COUNT(*) FROM (SELECT 1${statement.from} WHERE ${condition} LIMIT ${MOST_RECORDS + 1}) counted`
    return { sql, bindings: statement.bindings }
  }

  return {
    run,
    cells,
    linkedCells,
    counting,
    async count(call, selection) {
      const { sql, bindings } = counting(selection)
      const [row] = await run(call, sql, bindings)
      return Number(row?.[0] ?? 0)
    },
    async rows(call, { type, where, sort = BY_ID, limit }, { lock = false } = {}) {
      const statement = new Statement(storage, catalog, type)
      const columns = columnsOf(type)
      const list = columns.map(([column]) => statement.column([column])).join(', ')
      const condition = statement.condition(where)
      const order = statement.order(lock ? BY_ID : sort) + limitOf(limit)
      const isLocking = lock && storage.dialect === 'mysql'
      const source = isLocking ? statement.lockable(condition) : `${statement.from} WHERE ${condition}`
      const sql = `SELECT ${list}${source}${order}${isLocking ? ' FOR UPDATE' : ''}`
      const found = await run(call, sql, statement.bindings)
      return found.map((cells) =>
        Object.fromEntries(columns.map(([column, kind], index) => [column, decode(kind, cells[index])])),
      )
    },
  }
}

const BY_ID: readonly SortKey[] = [{ field: 'id', descending: false }]

function limitOf(limit: number | undefined, offset = 0): string {
  if (limit === undefined) return ''
  return ` LIMIT ${Math.trunc(limit)}${offset > 0 ? ` OFFSET ${Math.trunc(offset)}` : ''}`
}

/** The language itself, and the one that it is a variety of: who reads fr-CA reads fr. */
function languagesOf({ language }: Pick<Selection, 'language'>): readonly string[] {
  if (language === undefined) return []
  const root = rootOf(language)
  return root !== language && isLanguage(root) ? [language, root] : [language]
}

/** All columns of a record table with the kinds of their values. */
export function columnsOf(type: RecordType): readonly (readonly [column: string, kind: FieldKind])[] {
  const extra = Object.entries(EXTRA_COLUMNS).filter(([column]) => column === 'account_id' || type.partOf.length > 0)
  return [...extra, ...[...type.columns].map(([column, field]) => [column, field.kind] as const)]
}

/** A row as it is written to the database: only columns of the table, in their database form. */
export function encodeRow(type: RecordType, row: Row): Record<string, string | number | null> {
  return Object.fromEntries(
    columnsOf(type).flatMap(([column, kind]) => (column in row ? [[column, encode(kind, row[column])]] : [])),
  )
}
