/** Writes the SQL of a criterion, an order and the columns of a shape. Values are bound, names come from the catalog. */
import type { Catalog, RecordType, SortKey } from '../schema/compile.js'
import type { Criterion, Placeholder, Scalar } from '../schema/conditions.js'
import { encode } from '../schema/derive/columns.js'
import type { Slot } from '../schema/derive/shape.js'
import type { FieldKind } from '../schema/fields.js'
import type { Storage } from './connections.js'

/** Columns that every record table has beside those of its fields. */
export const EXTRA_COLUMNS: Readonly<Record<string, FieldKind>> = {
  account_id: 'string',
  owner_type: 'string',
  owner_id: 'integer',
}

/** Joins, bindings and column names of one statement over a record table, which is called `t` unless it is nested. */
export class Statement {
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
    return columnOf(alias, columnName(type, path[path.length - 1] ?? 'id'))
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
    const column = columnOf(alias, name)
    const field = name === null ? undefined : type.columns.get(name)
    const kind = EXTRA_COLUMNS[name ?? ''] ?? field?.kind ?? 'integer'
    const values = criterion.values.map((value) => encodeScalar(kind, value))
    if (criterion.op !== 'in' && criterion.op !== 'not in') {
      const test = `${column} ${criterion.op} ${this.bind(values[0] ?? null)}`
      // Words that stand in place of a time are neither before nor after it.
      return field?.keywords ? `(${test} AND ${column} < 'a')` : test
    }
    const isText = kind === 'string' || kind === 'text'
    const exact = isText && field !== undefined && !('text' in criterion && criterion.text === 'ignoreCase')
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
    // In brackets: a lent connection may have the mode in which NOT binds more tightly than IN.
    const negated = tests.map((test) => `NOT (${test})`)
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
    const column = this.column([key.field])
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

/** The column that holds the field; null when none does, because its record type is absent: the field is always empty then. */
function columnName(type: RecordType, name: string): string | null {
  if (name === 'account') return 'account_id'
  const field = type.fields.get(name)
  const other = field?.sameAs ?? field?.localizes
  if (other !== undefined) return columnName(type, other)
  return field ? field.column : name
}

function columnOf(alias: string, name: string | null): string {
  return name === null ? 'NULL' : `${alias}.${quote(name)}`
}

function encodeScalar(kind: FieldKind, value: Scalar | Placeholder): string | number | null {
  if (typeof value === 'object' && value !== null) throw new Error(`The placeholder '${value.placeholder}' was not resolved`)
  return encode(kind, value)
}

function quote(name: string): string {
  return `\`${name.replace(/`/g, '')}\``
}
