/**
 * Reads records without model instances: builds SQL from a shape, a criterion and an order, runs it on the same pool or
 * transaction as all other statements, and returns arrays.
 */
import type { Call } from '../../core/call.js'
import type { Catalog, RecordType, SortKey } from '../../schema/catalog.js'
import type { Slot } from '../../schema/derive/shape.js'
import type { Criterion } from '../../schema/language/conditions.js'
import type { DraftRow } from '../../schema/language/define-rule.js'
import type { Link } from '../../schema/language/relations.js'
import { languagesRead } from '../../words/languages.js'
import type { Storage } from '../database/connections.js'
import { dbOf } from '../database/transaction.js'
import { createAccountIndex, isPlainList } from './account-index.js'
import { type CountGroups, createCountGroups } from './count-groups.js'
import { createGroupedPages, type GroupedPage, groupingOf } from './grouped-pages.js'
import { quote } from './joins.js'
import { keyOfValues, type Parametrized, padded, parametrize } from './parametrize.js'
import { createPickRows, type Picked, type PickedPair, type Picks } from './picked-rows.js'
import { WHOLE_NUMBER } from './record-columns.js'
import { createRowForms } from './row-form.js'
import { createArrayRunner } from './run-as-arrays.js'
import { Statement } from './statement.js'
import { type Bound, createKeyOfSlots, createTexts, keyOfSort, type Text } from './statement-texts.js'

/** A collection is cut at this number of records (behaviour: Pages). */
export const MAX_RECORDS = 100_000

export interface Selection {
  readonly type: RecordType
  /** Placeholders must have been resolved to values. */
  readonly where: Criterion
  readonly sort?: readonly SortKey[]
  readonly limit?: number
  readonly offset?: number
  /** Translated texts are read in this language if a translation exists; without it, as they are stored. */
  readonly language?: string
  /** Returns equal rows once, in no order; only for `cells` without a limit. */
  readonly isDistinct?: boolean
  /** Columns of the index that servers must use, because they would choose a slow one; only for `cells`. */
  readonly index?: readonly string[]
}

export interface Queries {
  /** A key of the collection: the type, the criterion, and its values. */
  keyOf(selection: Pick<Selection, 'type' | 'where'>): string
  /** Rows as arrays in the order of the slots. */
  cells(
    call: Pick<Call, 'transaction' | 'signal'>,
    selection: Selection,
    slots: readonly Slot[],
  ): Promise<readonly (readonly unknown[])[]>
  /**
   * The records that a link connects to any of the given ones. Each row is an array: first the id of the record that the link
   * starts from, then the slots. One query; a record occurs once for each record that is linked to it.
   */
  linkedCells(
    call: Pick<Call, 'transaction' | 'signal'>,
    link: Link,
    ids: readonly number[],
    selection: Omit<Selection, 'limit' | 'offset'>,
    slots: readonly Slot[],
  ): Promise<readonly (readonly unknown[])[]>
  /** Number of records that meet the criterion; counts at most one more than the maximum. */
  count(call: Pick<Call, 'transaction' | 'signal'>, selection: Selection): Promise<number>
  /** Like `count`, and returns the quoted names of the statement: its tables and columns. */
  countNamed(
    call: Pick<Call, 'transaction' | 'signal'>,
    selection: Selection,
  ): Promise<{ readonly count: number; readonly names: ReadonlySet<string> }>
  /** Numbers of records by the values of one or two columns, or by days; one query. */
  readonly countGroups: CountGroups
  /**
   * Whole rows in the given order. `lock` locks these rows, and no others, until the transaction ends. Locked rows are sorted
   * by id, so that two transactions lock them in the same order; `shared` keeps others from changing them only. `skipLocked` omits
   * rows that others have locked, instead of waiting for them. With `byId`, servers look at no other rows to find those to lock.
   */
  rows(
    call: Pick<Call, 'transaction' | 'signal'>,
    selection: Selection,
    options?: { readonly lock?: boolean | 'shared'; readonly skipLocked?: boolean; readonly byId?: boolean },
  ): Promise<readonly DraftRow[]>
  /** Single rows of any types, and pairs of links, with one statement. */
  pick(call: Pick<Call, 'transaction' | 'signal'>, picked: readonly Picked[], pairs?: readonly PickedPair[]): Promise<Picks>
  /** Runs any statement with positional bindings; returns arrays. */
  run(
    call: Pick<Call, 'transaction' | 'signal'>,
    sql: string,
    bindings: readonly (string | number | null)[],
  ): Promise<readonly unknown[][]>
}

/** Creates the queries over the record tables of a catalog. Names in SQL come from the catalog, values are bound. */
export function createQueries(storage: Storage, catalog: Catalog): Queries {
  const runArrays = createArrayRunner(storage)
  const forms = createRowForms()
  const textOf = createTexts(MAX_TEXTS)
  const keyOfSlots = createKeyOfSlots()
  const pickRows = createPickRows(storage, textOf, forms)
  const accountIndex = createAccountIndex()
  const groupedPages = createGroupedPages({ storage, catalog, textOf })
  const taken = new WeakMap<Criterion, Parametrized>()
  /** Separates the values once, if a page and the total of its collection use the same criterion. */
  const parametersOf = (where: Criterion): Parametrized => {
    const known = taken.get(where)
    if (known) return known
    const made = parametrize(where)
    taken.set(where, made)
    return made
  }
  const run: Queries['run'] = async (call, sql, bindings) =>
    runArrays(dbOf(storage, call), { sql, bindings, isRepeated: false })

  const cells: Queries['cells'] = (call, selection, slots) => {
    const { type, where, limit, offset = 0, sort = BY_ID, index } = selection
    const isPage = limit !== undefined && (limit !== 1 || offset !== 0)
    const read = (hint: string) => readCells(call, selection, slots, hint)
    if (storage.dialect !== 'mysql') return read('')
    const table = storage.table(type.table)
    const grouping = isPage ? groupingOf(catalog, type, where, sort) : null
    if (grouping) {
      const page = { type, grouping, limit: Math.trunc(limit ?? 0), offset: Math.trunc(offset) }
      const inGroups = async (hint: string) =>
        (hint === '' ? null : await readGrouped(call, selection, slots, { ...page, hint })) ?? read('')
      return accountIndex.run(table, inGroups, grouping.index)
    }
    const isHinted = index !== undefined || (isPage && isPlainList(where, sort))
    return isHinted ? accountIndex.run(table, read, index) : read('')
  }

  const readGrouped = (
    ...[call, selection, slots, page]: [...Parameters<Queries['cells']>, Omit<GroupedPage, 'where' | 'form' | 'write'>]
  ) => {
    const { type, sort = BY_ID, language = '' } = selection
    const form = `${type.name} ${language} ${keyOfSort(sort)} ${keyOfSlots(slots)}`
    const write: GroupedPage['write'] = (found) => pageOf(selection, slots, found)
    const run = (text: Bound) => runArrays(dbOf(storage, call), text)
    return groupedPages(run, { ...page, where: parametersOf(selection.where), form, write })
  }

  /** A late join: the page is found on narrow columns first, then only its rows are read in full. */
  const pageOf = (selection: Selection, slots: readonly Slot[], { sql: found, bindings }: Pick<Text, 'sql' | 'bindings'>) => {
    const statement = new Statement(storage, catalog, selection.type, languagesRead(selection.language))
    const columns = slots.map((slot, index) => `${statement.value(slot)} AS c${index}`)
    const order = statement.order(selection.sort ?? BY_ID)
    const sql = `SELECT ${columns.join(', ')}${statement.from()} JOIN (${found}) p ON p.page_id = t.\`id\`${order}`
    return { sql, bindings: [...statement.bindings, ...bindings] }
  }

  const readCells = async (...[call, selection, slots, hint]: [...Parameters<Queries['cells']>, hint: string]) => {
    const { type, limit, offset = 0, sort = BY_ID, language = '', isDistinct = false } = selection
    const isOnePage = limit === undefined || (limit === 1 && offset === 0)
    const where = parametersOf(selection.where)
    const page = limit === undefined || isOnePage ? [] : [Math.trunc(limit), Math.trunc(offset)]
    const form = `cells ${isDistinct ? 'distinct ' : ''}${isOnePage ? (limit ?? '') : 'page'}${hint} ${type.name} ${language} ${keyOfSort(sort)} ${keyOfSlots(slots)}`
    const text = textOf(form, where, page, () => {
      if (isOnePage) {
        const statement = new Statement(storage, catalog, type, languagesRead(selection.language))
        const columns = slots.map((slot, index) => `${statement.value(slot)} AS c${index}`)
        const order = isDistinct ? '' : statement.order(sort)
        const condition = statement.condition(where.criterion)
        const sql = `SELECT${isDistinct ? ' DISTINCT' : ''} ${columns.join(', ')}${statement.from(hint)} WHERE ${condition}${order}${limit === 1 ? ' LIMIT 1' : ''}`
        return { sql, bindings: statement.bindings }
      }
      const narrow = new Statement(storage, catalog, type)
      const [condition, order] = [narrow.condition(where.criterion), narrow.order(sort)]
      const found = `SELECT t.\`id\` AS page_id${narrow.from(hint)} WHERE ${condition}${order} LIMIT ? OFFSET ?`
      const bounds = page.map((_, index) => ({ at: where.values.length + index, column: WHOLE_NUMBER }))
      return pageOf(selection, slots, { sql: found, bindings: [...narrow.bindings, ...bounds] })
    })
    return runArrays(dbOf(storage, call), text)
  }

  const linkedCells: Queries['linkedCells'] = async (call, link, ids, selection, slots) => {
    if (ids.length === 0) return []
    const { type, sort = BY_ID, language = '' } = selection
    const where = parametrize(selection.where)
    const starts = padded(ids)
    const { table } = link
    const form = `linked ${table} ${link.from} ${link.to} ${starts.length} ${type.name} ${language} ${keyOfSort(sort)} ${keyOfSlots(slots)}`
    const text = textOf(form, where, starts, () => {
      const statement = new Statement(storage, catalog, type, languagesRead(selection.language))
      const columns = slots.map((slot, index) => `, ${statement.value(slot)} AS c${index}`).join('')
      const condition = statement.condition(where.criterion)
      const order = statement.order(sort)
      const [from, to] = [`pair.${quote(link.from)}`, `pair.${quote(link.to)}`]
      const pairs = ` JOIN ${quote(storage.table(table))} pair ON ${to} = t.\`id\``
      const linked = `${from} IN (${starts.map(() => '?').join(', ')})`
      const sql = `SELECT ${from} AS linked${columns}${statement.from()}${pairs} WHERE ${condition} AND ${linked}${order}`
      const bounds = starts.map((_, index) => ({ at: where.values.length + index, column: WHOLE_NUMBER }))
      return { sql, bindings: [...statement.bindings, ...bounds] }
    })
    return runArrays(dbOf(storage, call), text)
  }

  const countNamed: Queries['countNamed'] = async (call, { type, where }) => {
    const parametric = parametersOf(where)
    const text = textOf(`count ${type.name}`, parametric, [], () => {
      const statement = new Statement(storage, catalog, type)
      const condition = statement.condition(parametric.criterion)
      const sql = `SELECT COUNT(*) FROM (SELECT 1${statement.from()} WHERE ${condition} LIMIT ${MAX_RECORDS + 1}) counted`
      return { sql, bindings: statement.bindings }
    })
    const [row] = await runArrays(dbOf(storage, call), text)
    const names = new Set(Array.from(text.sql.matchAll(/`([^`]+)`/g), ([, name = '']) => name))
    return { count: Number(row?.[0] ?? 0), names }
  }

  return {
    run,
    pick: (call, picked, pairs = []) => pickRows((text) => runArrays(dbOf(storage, call), text), picked, pairs),
    keyOf({ type, where }) {
      const { key, values } = parametersOf(where)
      return `${type.name} ${key} ${keyOfValues(values)}`
    },
    cells,
    linkedCells,
    countNamed,
    countGroups: createCountGroups({ storage, catalog, textOf, runArrays }),
    count: async (call, selection) => (await countNamed(call, selection)).count,
    async rows(call, { type, where, sort = BY_ID, limit }, { lock = false, skipLocked = false, byId = false } = {}) {
      const columns = forms.columns(type)
      const parametric = parametrize(where)
      const keys = lock ? BY_ID : sort
      const mode = lock === 'shared' ? ' LOCK IN SHARE MODE' : skipLocked ? ' FOR UPDATE SKIP LOCKED' : ' FOR UPDATE'
      const locking = lock && storage.dialect === 'mysql' ? mode : ''
      const form = `rows${locking}${byId} ${limit ?? ''} ${type.name} ${keyOfSort(keys)}`
      const text = textOf(form, parametric, [], () => {
        const statement = new Statement(storage, catalog, type)
        const list = columns.map(([name]) => statement.column([name])).join(', ')
        const condition = statement.condition(parametric.criterion)
        const order = statement.order(keys) + (limit === undefined ? '' : ` LIMIT ${Math.trunc(limit)}`)
        const source = locking
          ? statement.lockable(condition, byId ? ' FORCE INDEX (PRIMARY)' : '')
          : `${statement.from()} WHERE ${condition}`
        return { sql: `SELECT ${list}${source}${order}${locking}`, bindings: statement.bindings }
      })
      const found = await runArrays(dbOf(storage, call), text)
      return found.map((cells) => forms.decode(type, cells))
    },
  }
}

const BY_ID: readonly SortKey[] = [{ field: 'id', descending: false }]

/** Callers choose fields, filters and orders freely, so the number of SQL texts that are kept must be bounded. */
const MAX_TEXTS = 500
