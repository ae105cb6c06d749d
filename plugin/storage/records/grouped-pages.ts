/**
 * Reads pages in the order of a reference or an enumeration, on servers. One index serves all records that have the same value:
 * its entries are in the order of their ids. So the values are listed in their order first, each from one entry of the index;
 * then the records of the page are read value by value. Sorting the records themselves would read all of the account. See ADR 67.
 */
import type { Catalog, RecordField, RecordType, SortKey } from '../../schema/catalog.js'
import type { Column } from '../../schema/kinds/kind.js'
import { columnOf, kindOf } from '../../schema/kinds/kinds.js'
import type { Criterion, Scalar } from '../../schema/language/conditions.js'
import type { Storage } from '../database/connections.js'
import { isOneAccount } from './account-index.js'
import { quote } from './joins.js'
import type { Binding, Parametrized } from './parametrize.js'
import { WHOLE_NUMBER } from './record-columns.js'
import { Statement } from './statement.js'
import type { Bound, createTexts } from './statement-texts.js'

/** Values whose records one statement reads. */
const MAX_GROUPS = 128
/** Entries that this may read: so many of each value as the page and those before it have. Other pages count the records first. */
const MOST_ENTRIES = MAX_GROUPS ** 2
/** Values that mostly have enough records for a page, if there are many records: they are tried first. */
const FEW_GROUPS = 8

/** An order in which records with equal values of one column follow each other. */
export interface Grouping {
  readonly key: SortKey
  readonly column: string
  readonly holds: Column
  /** The values of an enumeration; null for a reference, whose order tells all values apart. */
  readonly values: readonly string[] | null
  /** Whether the ids of records with the same value descend. */
  readonly descending: boolean
  /** The columns of the index that this needs. */
  readonly index: readonly string[]
}

/** A page that is read in groups. */
export interface GroupedPage {
  readonly type: RecordType
  readonly where: Parametrized
  readonly grouping: Grouping
  readonly limit: number
  readonly offset: number
  /** The text that names the index after the table. */
  readonly hint: string
  /** Names all of the statement that reads the page but the groups and its values. */
  readonly form: string
  /** Writes the statement that reads the records of the page, whose ids another one finds as `page_id`. */
  write(found: Written): Written
}

/** A statement and its values. */
interface Written {
  readonly sql: string
  readonly bindings: readonly Binding[]
}

type Rows = readonly (readonly unknown[])[]

interface GroupedDeps {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly textOf: ReturnType<typeof createTexts>
}

/**
 * The grouping of an order: that of one reference or enumeration, perhaps with the id after it, of all records of one account.
 * Null for other lists, whose conditions could leave out whole groups.
 */
export function groupingOf(catalog: Catalog, type: RecordType, where: Criterion, sort: readonly SortKey[]): Grouping | null {
  const [key, next, ...more] = sort
  if (!key || more.length > 0 || (next && next.field !== 'id') || !isOneAccount(where)) return null
  const field = type.fields.get(key.field)
  if (!field?.column || field.via || type.columns.get(field.column) !== field) return null
  const descending = (next ?? key).descending
  const grouping = { key, column: field.column, holds: columnOf(field), descending, index: ['account_id', field.column] }
  if (isRanked(field)) return { ...grouping, values: field.values ?? [] }
  const isByTitle = field.kind === 'ref' && !key.byId && (field.shownAs ?? catalog.type(field.record ?? '').title)
  return isByTitle ? { ...grouping, values: null } : null
}

function isRanked(field: RecordField): boolean {
  return kindOf(field).isEnumeration === true && (field.values ?? []).length > 0
}

/**
 * Creates the function that reads such a page: by two statements, by one more far on, and by one more if the first values have few
 * records. It returns null where the page must be read otherwise: its records have changed in between, or its values do not tell
 * the groups apart.
 *
 * @param mostEntries entries that this may read without counting
 */
export function createGroupedPages({ storage, catalog, textOf }: GroupedDeps, mostEntries = MOST_ENTRIES) {
  return async (run: (statement: Bound) => Promise<Rows>, page: GroupedPage): Promise<Rows | null> => {
    const end = page.offset + page.limit
    const listed = await run(groupsOf(page, Math.min(end, MAX_GROUPS) + 1))
    const isCounted = listed.length > MAX_GROUPS || listed.length * end > mostEntries
    const found = chosen(page, isCounted ? await run(groupsOf(page, null)) : listed, isCounted)
    if (!found || found.keys.length > MAX_GROUPS) return null
    if (found.keys.length === 0) return found.atLeast > 0 ? null : []
    if (found.keys.length > FEW_GROUPS) {
      const rows = await run(recordsOf(page, { ...found, keys: found.keys.slice(0, FEW_GROUPS) }))
      if (rows.length === page.limit) return rows
    }
    const rows = await run(recordsOf(page, found))
    return rows.length < found.atLeast ? null : rows
  }

  /** Lists the values in their order: the first ones, or (null) all of them with the number of their records. */
  function groupsOf({ type, where, grouping, hint }: GroupedPage, first: number | null): Bound {
    const { key, column } = grouping
    const isCounted = first === null
    const form = `groups ${isCounted}${hint} ${type.name} ${key.field}${key.descending}`
    const most = isCounted ? [] : [first]
    const text = textOf(form, where, most, () => {
      const [groups, records] = [new Statement(storage, catalog, type), new Statement(storage, catalog, type)]
      const condition = records.condition(where.criterion)
      const value = `t.${quote(column)}`
      const order = groups.orderOf([key])
      // Servers read one entry of the index per value only if they group by its columns from the first on.
      const each = `SELECT ${value}${isCounted ? ', COUNT(*) AS records' : ''}${records.from(hint)} WHERE ${condition} GROUP BY t.\`account_id\`, ${value}`
      const sql = `SELECT ${value}${isCounted ? ', t.records' : ''}${groups.fromRows(each)}${order}${isCounted ? '' : ' LIMIT ?'}`
      return { sql, bindings: [...groups.bindings, ...records.bindings, ...boundsFrom(where, most)] }
    })
    // Never prepared: from the second time on, MariaDB (seen with 10.11) would read all entries of the account.
    return { ...text, isRepeated: false }
  }

  /** Reads the first records of each group, and the page from these. */
  function recordsOf({ type, where, grouping, limit, hint, form, write }: GroupedPage, { keys, skip }: Chosen): Bound {
    const bounds = [skip + limit, limit, skip]
    return textOf(`grouped ${keys.length}${hint} ${form}`, where, [...keys, ...bounds], () => {
      const [most, ...page] = boundsFrom(where, bounds, keys.length)
      const direction = grouping.descending ? ' DESC' : ''
      const bindings: Binding[] = []
      const parts = keys.map((_, index) => {
        const records = new Statement(storage, catalog, type)
        const condition = records.condition(where.criterion)
        bindings.push(...records.bindings, { at: where.values.length + index, column: grouping.holds }, most ?? null)
        // `<=>` also finds empty values.
        return `(SELECT ${index} AS place, t.\`id\` AS page_id${records.from(hint)} WHERE ${condition} AND t.${quote(grouping.column)} <=> ? ORDER BY t.\`id\`${direction} LIMIT ?)`
      })
      const sql = `SELECT part.page_id FROM (${parts.join(' UNION ALL ')}) part ORDER BY part.place, part.page_id${direction} LIMIT ? OFFSET ?`
      return write({ sql, bindings: [...bindings, ...page] })
    })
  }
}

/** Bindings of values that follow those of the criterion. */
function boundsFrom({ values }: Parametrized, bounds: readonly number[], after = 0): readonly Binding[] {
  return bounds.map((_, index) => ({ at: values.length + after + index, column: WHOLE_NUMBER }))
}

/** The groups of a page. */
interface Chosen {
  readonly keys: readonly Scalar[]
  /** Records of these groups before the page. */
  readonly skip: number
  /** Number of records that the page must have; with fewer, it is read as before. */
  readonly atLeast: number
}

/** Chooses the groups of a page. Null if several groups have one place in the order, so that their records are mixed. */
function chosen({ grouping, limit, offset }: GroupedPage, groups: Rows, isCounted: boolean): Chosen | null {
  const { values } = grouping
  if (values && groups.filter(([key]) => !values.includes(String(key))).length > 1) return null
  const end = offset + limit
  // A page that is not full is read as before: its collection is small, and may have got a record with another value since.
  if (!isCounted) return { keys: groups.map(([key]) => key as Scalar), skip: offset, atLeast: limit }
  const keys: Scalar[] = []
  let [before, sum] = [0, 0]
  for (const [key, records] of groups) {
    const next = sum + Number(records)
    if (next <= offset) before = next
    else if (sum < end) keys.push(key as Scalar)
    sum = next
  }
  return { keys, skip: offset - before, atLeast: Math.max(0, Math.min(sum, end) - offset) }
}
