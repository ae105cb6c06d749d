/**
 * Reads records without model instances: SQL is built from a shape, a criterion and an order, runs on the same pool or
 * transaction as everything else, and comes back as arrays. performance.md, Interface.
 */
import type { Knex } from 'knex'
import type { Call } from '../core/call.js'
import type { Catalog, RecordType, SortKey } from '../schema/compile.js'
import type { Criterion, Placeholder, Scalar } from '../schema/conditions.js'
import type { DraftRow, Row } from '../schema/define-rule.js'
import { decode, encode } from '../schema/derive/columns.js'
import type { Slot } from '../schema/derive/shape.js'
import type { FieldKind } from '../schema/fields.js'
import type { Storage } from './connections.js'
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
}

export interface Queries {
  /** Rows as arrays in the order of the slots. */
  cells(call: Pick<Call, 'transaction'>, selection: Selection, slots: readonly Slot[]): Promise<readonly (readonly unknown[])[]>
  /** Number of records that meet the criterion, counted up to one more than the most. */
  count(call: Pick<Call, 'transaction'>, selection: Selection): Promise<number>
  /** Whole rows, in the order asked for; `lock` keeps others from changing them until the transaction ends. */
  rows(
    call: Pick<Call, 'transaction'>,
    selection: Selection,
    options?: { readonly lock?: boolean },
  ): Promise<readonly DraftRow[]>
  /** Any statement with positional bindings, as arrays. */
  run(
    call: Pick<Call, 'transaction'>,
    sql: string,
    bindings: readonly (string | number | null)[],
  ): Promise<readonly unknown[][]>
}

/** Columns that every record table has beside those of its fields. */
const EXTRA_COLUMNS: Readonly<Record<string, FieldKind>> = {
  account_id: 'string',
  owner_type: 'string',
  owner_id: 'integer',
}

export function createQueries(storage: Storage, catalog: Catalog): Queries {
  const run: Queries['run'] = (call, sql, bindings) => runAsArrays(storage, dbOf(storage, call), sql, bindings)

  const cells: Queries['cells'] = (call, selection, slots) => {
    const inner = new Statement(storage, catalog, selection.type)
    const where = inner.condition(selection.where)
    const order = inner.order(selection.sort ?? [{ field: 'id', descending: false }])
    const limit =
      selection.limit === undefined ? '' : ` LIMIT ${Math.trunc(selection.limit)} OFFSET ${Math.trunc(selection.offset ?? 0)}`
    // A late join: the page is found on narrow columns first, then only its rows are read in full.
    const page = `SELECT t.\`id\` AS page_id${inner.from} WHERE ${where}${order}${limit}`
    const outer = new Statement(storage, catalog, selection.type)
    const columns = slots.map((slot, index) => `${outer.column(slot)} AS c${index}`)
    const outerOrder = outer.order(selection.sort ?? [{ field: 'id', descending: false }])
    if (selection.limit === 1) {
      const only = outer.condition(selection.where)
      return run(call, `SELECT ${columns.join(', ')}${outer.from} WHERE ${only}${outerOrder} LIMIT 1`, outer.bindings)
    }
    const sql = `SELECT ${columns.join(', ')}${outer.from} JOIN (${page}) p ON p.page_id = t.\`id\`${outerOrder}`
    return run(call, sql, inner.bindings)
  }

  return {
    run,
    cells,
    async count(call, { type, where }) {
      const statement = new Statement(storage, catalog, type)
      const condition = statement.condition(where)
      const sql = `SELECT COUNT(*) FROM (SELECT 1${statement.from} WHERE ${condition} LIMIT ${MOST_RECORDS + 1}) counted`
      const [row] = await run(call, sql, statement.bindings)
      return Number(row?.[0] ?? 0)
    },
    async rows(call, selection, options = {}) {
      const statement = new Statement(storage, catalog, selection.type)
      const columns = columnsOf(selection.type)
      const list = columns.map(([column]) => statement.column([column])).join(', ')
      const where = statement.condition(selection.where)
      const order = statement.order(selection.sort ?? [{ field: 'id', descending: false }])
      const limit = selection.limit === undefined ? '' : ` LIMIT ${Math.trunc(selection.limit)}`
      const lock = options.lock && storage.dialect === 'mysql' ? ' FOR UPDATE' : ''
      const found = await run(call, `SELECT ${list}${statement.from} WHERE ${where}${order}${limit}${lock}`, statement.bindings)
      return found.map((cells) =>
        Object.fromEntries(columns.map(([column, kind], index) => [column, decode(kind, cells[index])])),
      )
    },
  }
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

/** Joins, bindings and column names of one statement over a record table, which is called `t` unless it is nested. */
class Statement {
  readonly bindings: (string | number | null)[] = []
  private readonly joins = new Map<string, string>()
  private readonly storage: Storage
  private readonly catalog: Catalog
  private readonly type: RecordType
  private readonly root: string
  private joined = ''

  constructor(storage: Storage, catalog: Catalog, type: RecordType, root = 't') {
    this.storage = storage
    this.catalog = catalog
    this.type = type
    this.root = root
  }

  get from(): string {
    return ` FROM ${quote(this.storage.table(this.type.table))} ${this.root}${this.joined}`
  }

  /** The column at the end of a path over references. */
  column(path: Slot): string {
    const [alias, type] = this.walk(path.slice(0, -1))
    const last = path[path.length - 1] ?? 'id'
    return `${alias}.${quote(columnName(type, last))}`
  }

  order(sort: readonly SortKey[]): string {
    const keys = sort.flatMap((key) => this.orderKey(key).map((sql) => (key.descending ? `${sql} DESC` : sql)))
    const complete = sort.some((key) => key.field === 'id')
      ? keys
      : [...keys, `t.\`id\`${sort.at(-1)?.descending ? ' DESC' : ''}`]
    return ` ORDER BY ${complete.join(', ')}`
  }

  condition(criterion: Criterion): string {
    if ('all' in criterion)
      return criterion.all.length === 0 ? '1 = 1' : `(${criterion.all.map((c) => this.condition(c)).join(' AND ')})`
    if ('any' in criterion)
      return criterion.any.length === 0 ? '1 = 0' : `(${criterion.any.map((c) => this.condition(c)).join(' OR ')})`
    if ('owner' in criterion) return this.ownerCondition(criterion.owner, criterion.where)
    if ('linkedBy' in criterion) {
      const { table, from, to } = criterion.linkedBy
      const pair = `l.${quote(to)} = ${this.root}.\`id\` AND l.${quote(from)} = ${this.bind(criterion.id)}`
      return `EXISTS (SELECT 1 FROM ${quote(this.storage.table(table))} l WHERE ${pair})`
    }
    const linked = this.linkCondition(criterion)
    if (linked) return linked
    const [alias, type] = this.walk(criterion.path.slice(0, -1))
    const name = columnName(type, criterion.path[criterion.path.length - 1] ?? 'id')
    const column = `${alias}.${quote(name)}`
    const kind = EXTRA_COLUMNS[name] ?? type.columns.get(name)?.kind ?? 'integer'
    const values = criterion.values.map((value) => encodeScalar(kind, value))
    if (criterion.op !== 'in' && criterion.op !== 'not in') {
      return `${column} ${criterion.op} ${this.bind(values[0] ?? null)}`
    }
    const isText = kind === 'string' || kind === 'text'
    const exact = isText && !(name in EXTRA_COLUMNS) && !('text' in criterion && criterion.text === 'ignoreCase')
    return this.membership(column, criterion.op === 'in', values, isText, exact)
  }

  private membership(
    column: string,
    isIn: boolean,
    values: readonly (string | number | null)[],
    isText: boolean,
    exact: boolean,
  ): string {
    const present = values.filter((value) => value !== null)
    const withNull = present.length < values.length
    const tests: string[] = []
    if (present.length > 0) {
      const list = () => present.map((value) => this.bind(value)).join(', ')
      const fold = isText && !exact && this.storage.dialect === 'sqlite' ? ' COLLATE NOCASE' : ''
      const same = `${column}${fold} IN (${list()})`
      // The index finds by the collation of the column, which ignores case; the second test makes the comparison exact.
      tests.push(exact && this.storage.dialect === 'mysql' ? `(${same} AND CAST(${column} AS BINARY) IN (${list()}))` : same)
    }
    if (isIn) {
      if (withNull) tests.push(`${column} IS NULL`)
      return tests.length === 0 ? '1 = 0' : `(${tests.join(' OR ')})`
    }
    const negated = tests.map((test) => `NOT ${test}`)
    if (withNull) return `(${[`${column} IS NOT NULL`, ...negated].join(' AND ')})`
    return negated.length === 0 ? '1 = 1' : `(${column} IS NULL OR ${negated.join(' AND ')})`
  }

  /** The owner of a part, found by its own table. */
  private ownerCondition(name: string, where: Criterion): string {
    const ofType = `${this.root}.\`owner_type\` = ${this.bind(name)}`
    const owner = new Statement(this.storage, this.catalog, this.catalog.type(name), 'o')
    const condition = owner.condition(where)
    this.bindings.push(...owner.bindings)
    return `(${ofType} AND EXISTS (SELECT 1${owner.from} WHERE o.\`id\` = ${this.root}.\`owner_id\` AND ${condition}))`
  }

  /** A path that ends in a link: there is a pair with one of the records. */
  private linkCondition(criterion: Extract<Criterion, { path: readonly string[] }>): string | null {
    const [alias, type] = this.walk(criterion.path.slice(0, -1))
    const link = type.links.get(criterion.path[criterion.path.length - 1] ?? '')
    if (!link) return null
    const values = criterion.values.map((value) => this.bind(encodeScalar('integer', value)))
    const table = quote(this.storage.table(link.table))
    const exists = `EXISTS (SELECT 1 FROM ${table} l WHERE l.${quote(link.from)} = ${alias}.\`id\` AND l.${quote(link.to)} IN (${values.join(', ') || 'NULL'}))`
    return criterion.op === 'not in' ? `NOT ${exists}` : exists
  }

  private orderKey(key: SortKey): readonly string[] {
    const field = this.type.fields.get(key.field)
    if (field?.kind === 'ref' && field.column) {
      const target = this.catalog.type(field.record ?? '')
      return [...(target.title ? [this.folded(this.column([key.field, target.title]))] : []), this.column([key.field])]
    }
    const column = this.column([field?.sameAs ?? field?.localizes ?? key.field])
    if (field?.kind === 'enum' && field.values && field.values.length > 0) {
      // Values come from the definition, so they need no binding; sorted as the list is (gaps 1.3).
      return [
        `CASE ${column} ${field.values.map((value, index) => `WHEN '${value.replace(/'/g, "''")}' THEN ${index}`).join(' ')} END`,
      ]
    }
    return [field?.kind === 'string' || field?.kind === 'text' ? this.folded(column) : column]
  }

  private folded(column: string): string {
    return this.storage.dialect === 'sqlite' ? `${column} COLLATE NOCASE` : column
  }

  /** Follows references, one join each; a reference used twice is joined once. */
  private walk(path: Slot): readonly [alias: string, type: RecordType] {
    let [alias, type] = [this.root, this.type]
    let key = ''
    for (const step of path) {
      const field = type.fields.get(step)
      if (!field?.column || !field.record) throw new Error(`'${path.join('.')}': ${type.name} has no reference '${step}'`)
      key = `${key}.${step}`
      const target = this.catalog.type(field.record)
      const known = this.joins.get(key)
      const next = known ?? `${this.root}${this.joins.size}`
      if (!known) {
        this.joins.set(key, next)
        this.joined += ` LEFT JOIN ${quote(this.storage.table(target.table))} ${next} ON ${next}.\`id\` = ${alias}.${quote(field.column)}`
      }
      alias = next
      type = target
    }
    return [alias, type]
  }

  private bind(value: string | number | null): string {
    this.bindings.push(value)
    return '?'
  }
}

function columnName(type: RecordType, name: string): string {
  if (name === 'account') return 'account_id'
  return type.fields.get(name)?.column ?? name
}

function encodeScalar(kind: FieldKind, value: Scalar | Placeholder): string | number | null {
  if (typeof value === 'object' && value !== null) throw new Error(`The placeholder '${value.placeholder}' was not resolved`)
  return encode(kind, value)
}

function quote(name: string): string {
  return `\`${name.replace(/`/g, '')}\``
}

interface Mysql2Connection {
  query(
    options: { sql: string; values: readonly unknown[]; rowsAsArray: true; dateStrings: true; supportBigNumbers: true },
    done: (error: Error | null, rows: unknown) => void,
  ): void
}

async function runAsArrays(
  storage: Storage,
  database: Knex,
  sql: string,
  bindings: readonly (string | number | null)[],
): Promise<readonly unknown[][]> {
  if (storage.dialect === 'sqlite') {
    const rows = (await database.raw(sql, [...bindings])) as readonly Record<string, unknown>[]
    return rows.map((row) => Object.values(row))
  }
  // The raw connection: knex would make an object of every row, and a lent pool may parse dates in a zone of its own.
  const client = database.client as {
    acquireConnection(): Promise<Mysql2Connection>
    releaseConnection(c: Mysql2Connection): Promise<void>
  }
  const connection = await client.acquireConnection()
  try {
    return await new Promise((resolve, reject) => {
      const options = { sql, values: bindings, rowsAsArray: true, dateStrings: true, supportBigNumbers: true } as const
      connection.query(options, (error, rows) => (error ? reject(error) : resolve(rows as unknown[][])))
    })
  } finally {
    await client.releaseConnection(connection)
  }
}
