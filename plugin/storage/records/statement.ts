/** Writes the SQL of a criterion, an order and the columns of a shape. Values are bound, names come from the catalog. */
import type { Catalog, RecordType, SortKey } from '../../schema/catalog.js'
import { HAS, type Slot } from '../../schema/derive/shape.js'
import { columnOf, kindOf } from '../../schema/kinds/kinds.js'
import type { Criterion } from '../../schema/language/conditions.js'
import type { Storage } from '../database/connections.js'
import { asText } from './as-text.js'
import { columnAt, Joins, quote } from './joins.js'
import { FOLDED_KEY, keyColumnOf } from './key-columns.js'
import { type Binding, encodeScalar, type ParametricValue } from './parametrize.js'
import { EXTRA_COLUMNS, NAME, WHOLE_NUMBER } from './record-columns.js'

/** A condition that all rows meet. */
const ALWAYS = '1 = 1'

/** Joins, bindings and column names of one statement over a record table, which is called `t` unless it is nested. */
export class Statement {
  private readonly values: Binding[] = []
  private readonly joins: Joins
  private readonly storage: Storage
  private readonly catalog: Catalog
  private readonly type: RecordType
  private readonly root: string
  private readonly languages: readonly string[]

  /** @param languages languages for translated values, the preferred one first; if empty, values are returned as stored */
  constructor(storage: Storage, catalog: Catalog, type: RecordType, languages: readonly string[] = [], root = 't') {
    this.storage = storage
    this.catalog = catalog
    this.type = type
    this.languages = languages
    this.root = root
    this.joins = new Joins(storage, catalog, type, root)
  }

  /** @param hint names the index of the record type's own table; empty for none */
  from(hint = ''): string {
    const { from, own } = this.joins
    return own + hint + from.slice(own.length)
  }

  /** The FROM clause with the rows of another statement in place of the table; joins use its columns. */
  fromRows(sql: string): string {
    const { from, own } = this.joins
    return ` FROM (${sql}) ${this.root}${from.slice(own.length)}`
  }

  /**
   * The FROM and WHERE clauses of a statement that locks only the records that meet a condition: joins would lock joined rows,
   * too. Its columns must be those of the record type itself.
   */
  lockable(condition: string, hint = ''): string {
    const { from, own } = this.joins
    if (from === own) return `${own}${hint} WHERE ${condition}`
    return `${own} WHERE ${this.root}.\`id\` IN (SELECT id FROM (SELECT ${this.root}.\`id\`${from} WHERE ${condition}) met)`
  }

  /** Values in the order in which the statement uses them: those of `from` before those of conditions. */
  get bindings(): readonly Binding[] {
    return [...this.joins.bindings, ...this.values]
  }

  /** The value at the end of a path over references, translated if its text has a translation. */
  value(path: Slot): string {
    if (path[0] === HAS) return this.hasAny(path[1] ?? '')
    const place = this.joins.find(path)
    const { type, field, column } = place
    const { translations } = type
    const isTranslated = field?.translated ?? field?.derived?.as === 'translation'
    if (!isTranslated || !translations?.fields.has(column ?? '')) return asText(columnAt(place), field)
    const aliases = this.languages.map((language) => this.joins.translation(place, translations.record, language))
    const texts = [...aliases, place.alias].map((alias) => columnAt({ alias, column }))
    return texts.length > 1 ? `COALESCE(${texts.join(', ')})` : columnAt(place)
  }

  /** 1 if the record has a sub-record, or a linked record, of this field; else 0. Names of types are those of the catalog. */
  private hasAny(name: string): string {
    const field = this.type.fields.get(name)
    const link = field?.kind === 'refs' ? this.type.links.get(name) : undefined
    const id = `${this.root}.\`id\``
    if (link) return `EXISTS (SELECT 1 FROM ${this.table(link.table)} has WHERE has.${quote(link.from)} = ${id})`
    const { table } = this.catalog.type(field?.record ?? '')
    const isPart = `has.\`owner_type\` = '${this.type.name.replace(/'/g, "''")}' AND has.\`owner_id\` = ${id}`
    return `EXISTS (SELECT 1 FROM ${this.table(table)} has WHERE ${isPart})`
  }

  private table(name: string): string {
    return quote(this.storage.table(name))
  }

  /** The column at the end of a path over references, as it is stored. */
  column(path: Slot): string {
    return columnAt(this.joins.find(path))
  }

  /** The ORDER BY clause, which ends with the id. */
  order(sort: readonly SortKey[]): string {
    const complete = sort.some((key) => key.field === 'id')
      ? sort
      : [...sort, { field: 'id', descending: sort.at(-1)?.descending === true }]
    return this.orderOf(complete)
  }

  /** The ORDER BY clause of these keys alone. */
  orderOf(sort: readonly SortKey[]): string {
    const keys = sort.flatMap((key) => this.orderKey(key).map((sql) => (key.descending ? `${sql} DESC` : sql)))
    return ` ORDER BY ${keys.join(', ')}`
  }

  condition(criterion: Criterion<ParametricValue>): string {
    if ('all' in criterion) {
      const tests = criterion.all.map((c) => this.condition(c)).filter((test) => test !== ALWAYS)
      return tests.length === 0 ? ALWAYS : `(${tests.join(' AND ')})`
    }
    if ('any' in criterion)
      return criterion.any.length === 0 ? '1 = 0' : `(${criterion.any.map((c) => this.condition(c)).join(' OR ')})`
    if ('owner' in criterion) return this.ownerCondition(criterion.owner, criterion.where)
    if ('part' in criterion)
      return this.partCondition([], this.catalog.type(this.type.parts.get(criterion.part) ?? ''), criterion.where)
    if ('linkedBy' in criterion) {
      const { table, from, to } = criterion.linkedBy
      const pair = `l.${quote(to)} = ${this.root}.\`id\` AND l.${quote(from)} = ${this.bind(encodeScalar(WHOLE_NUMBER, criterion.id))}`
      return `EXISTS (SELECT 1 FROM ${quote(this.storage.table(table))} l WHERE ${pair})`
    }
    return this.pathCondition(criterion) ?? this.linkCondition(criterion) ?? this.fieldCondition(criterion)
  }

  private fieldCondition(criterion: PathCriterion): string {
    const place = this.joins.find(criterion.path)
    const column = columnAt(place)
    const field = place.type.columns.get(place.column ?? '')
    const extra = EXTRA_COLUMNS[place.column ?? '']
    const holds = extra ?? (field ? columnOf(field) : WHOLE_NUMBER)
    const values = criterion.values.map((value) => encodeScalar(holds, value))
    if (criterion.op !== 'in' && criterion.op !== 'not in') {
      const test = `${column} ${criterion.op} ${this.bind(values[0] ?? null)}`
      // Keywords in place of a time are neither before nor after it.
      return field?.keywords ? `(${test} AND ${column} < 'a')` : test
    }
    const isText = extra ? extra === NAME : field !== undefined && kindOf(field).isText === true
    const exact = isText && field !== undefined && !('text' in criterion && criterion.text === 'ignoreCase')
    const key = isText && !exact ? keyColumnOf(place.type, place.column) : null
    if (key) {
      const keys = criterion.values.map((value) => encodeScalar(FOLDED_KEY, value))
      return this.membership(columnAt({ ...place, column: key }), criterion.op === 'in', keys, false, false)
    }
    return this.membership(column, criterion.op === 'in', values, isText, exact)
  }

  private membership(column: string, isIn: boolean, values: readonly Binding[], isText: boolean, exact: boolean): string {
    const present = values.filter((value) => value !== null)
    const withNull = present.length < values.length
    const tests: string[] = []
    if (present.length > 0) {
      // Servers need less time for one value than for a list of one.
      const list = () => {
        const places = present.map((value) => this.bind(value)).join(', ')
        return present.length === 1 ? `= ${places}` : `IN (${places})`
      }
      const fold = isText && !exact && this.storage.dialect === 'sqlite' ? ' COLLATE NOCASE' : ''
      const same = `${column}${fold} ${list()}`
      // The index uses the collation of the column, which ignores case; the second test makes the comparison exact.
      tests.push(exact && this.storage.dialect === 'mysql' ? `(${same} AND CAST(${column} AS BINARY) ${list()})` : same)
    }
    if (isIn) {
      if (withNull) tests.push(`${column} IS NULL`)
      return tests.length === 0 ? '1 = 0' : `(${tests.join(' OR ')})`
    }
    // In parentheses: a lent connection may have the mode in which NOT binds more tightly than IN.
    const negated = tests.map((test) => `NOT (${test})`)
    if (withNull) return `(${[`${column} IS NOT NULL`, ...negated].join(' AND ')})`
    return negated.length === 0 ? ALWAYS : `(${column} IS NULL OR ${negated.join(' AND ')})`
  }

  /** The condition on the owner of a sub-record, in the owner's table. */
  private ownerCondition(name: string, where: Criterion<ParametricValue>): string {
    const ofType = `${this.root}.\`owner_type\` = ${this.bind(name)}`
    const owner = this.nested(this.catalog.type(name), `${this.root}_owner`)
    const condition = owner.condition(where)
    this.values.push(...owner.bindings)
    const isOwner = `${owner.root}.\`id\` = ${this.root}.\`owner_id\``
    return `(${ofType} AND EXISTS (SELECT 1${owner.from()} WHERE ${isOwner} AND ${condition}))`
  }

  /** A path through sub-records: one of them meets the rest of it. */
  private pathCondition(criterion: PathCriterion): string | null {
    const found = this.joins.toParts(criterion.path)
    return found && this.partCondition(found.refs, found.part, { ...criterion, path: found.rest })
  }

  private partCondition(refs: Slot, of: RecordType, where: Criterion<ParametricValue>): string {
    const [alias, type] = this.joins.walk(refs)
    const part = this.nested(of, `${alias}_part`)
    const isPart = `${part.root}.\`owner_type\` = ${this.bind(type.name)}`
    const condition = part.condition(where)
    this.values.push(...part.bindings)
    // Starts from the sub-records, whose indexes find few rows; for EXISTS, SQLite would examine each record.
    return `${alias}.\`id\` IN (SELECT ${part.root}.\`owner_id\`${part.from()} WHERE ${isPart} AND ${condition})`
  }

  /** A path that ends in a link: the record is linked to one of the ids, or (null) to nothing. */
  private linkCondition({ path, op, values }: PathCriterion): string | null {
    const { alias, type } = this.joins.find([...path.slice(0, -1), 'id'])
    const link = type.links.get(path[path.length - 1] ?? '')
    if (!link) return null
    const ids = values.filter((value) => value !== null)
    const pairs = `SELECT 1 FROM ${quote(this.storage.table(link.table))} l WHERE l.${quote(link.from)} = ${alias}.\`id\``
    const tests: string[] = []
    if (ids.length > 0) {
      const list = ids.map((value) => this.bind(encodeScalar(WHOLE_NUMBER, value))).join(', ')
      tests.push(`EXISTS (${pairs} AND l.${quote(link.to)} IN (${list}))`)
    }
    if (ids.length < values.length) tests.push(`NOT EXISTS (${pairs})`)
    const linked = tests.length === 0 ? '1 = 0' : `(${tests.join(' OR ')})`
    return op === 'not in' ? `(NOT ${linked})` : linked
  }

  private nested(type: RecordType, root: string): Statement {
    return new Statement(this.storage, this.catalog, type, [], root)
  }

  private orderKey(key: SortKey): readonly string[] {
    const field = this.type.fields.get(key.field)
    if (field?.kind === 'ref' && !key.byId && (field.column || field.via)) {
      const text = field.shownAs ?? this.catalog.type(field.record ?? '').title
      return [...(text ? [this.folded(this.column([key.field, text]))] : []), this.column([key.field])]
    }
    const column = this.column([key.field])
    const { isEnumeration = false, isText = false } = field ? kindOf(field) : {}
    if (isEnumeration && field?.values && field.values.length > 0) {
      // Values come from the definition, so they need no binding; they sort in the order of the list (behaviour: Sorting).
      return [
        `CASE ${column} ${field.values.map((value, index) => `WHEN '${value.replace(/'/g, "''")}' THEN ${index}`).join(' ')} END`,
      ]
    }
    return [isText ? this.folded(column) : column]
  }

  private folded(column: string): string {
    return this.storage.dialect === 'sqlite' ? `${column} COLLATE NOCASE` : column
  }

  private bind(value: Binding): string {
    this.values.push(value)
    return '?'
  }
}

type PathCriterion = Extract<Criterion<ParametricValue>, { path: readonly string[] }>
