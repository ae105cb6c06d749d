/** Reads and saves cells with the order of linked records, such as that of the task templates of a change template. */
import type { Call } from '../../core/call.js'
import { closingPair } from '../../core/closing-pair.js'
import { isBlank } from '../../core/text/blank.js'
import type { Operations, SaveItem } from '../../operations/contract.js'
import { partsOfOwners } from '../../operations/read/visible.js'
import type { RecordType } from '../../schema/catalog.js'
import { inputNameOf } from '../../schema/derive/input-names.js'
import type { Pair } from '../../schema/derive/order-of-links.js'
import { ANYTHING } from '../../schema/language/conditions.js'
import { MAX_ORDERED } from '../../schema/language/relations.js'
import type { Queries } from '../../storage/records/query.js'
import { quoted } from '../../words/quotes.js'
import { textsOf } from '../columns/cells.js'
import type { Column, Input } from '../columns/column.js'
import type { Columns } from '../columns/match-columns.js'
import { linkedNames, readPair } from '../columns/order-column.js'
import { aboutColumn } from './blame-column.js'
import type { PreparedRow } from './prepared-row.js'
import { type Refusal, type RefusalWords, reasonOf, shownValue } from './refusals.js'
import type { SavedRow } from './save-children.js'
import { saveListed } from './save-listed.js'

interface OrderDeps {
  readonly operations: Pick<Operations, 'removeEach' | 'saveAll'>
  readonly queries: Pick<Queries, 'cells' | 'linkedCells'>
  readonly words: RefusalWords
}

/** What a line looks like, for messages. */
const EXAMPLE = "'A' => 'B'"

type OrderColumn = Extract<Column, { kind: 'order' }>

/** A row that is about to be saved. */
interface OpenRow {
  readonly row: PreparedRow
  readonly id: number | null
  readonly body: Input
}

/** What rows say of the order of linked records, by row, for each column of that kind. */
export type WantedOrders = ReadonlyMap<OrderColumn, ReadonlyMap<PreparedRow, readonly Pair[]>>

export interface ReadOrders {
  readonly wanted: WantedOrders
  /** Rows with a line that cannot be saved. */
  readonly refused: ReadonlyMap<PreparedRow, Refusal>
}

/** Reads the lines of the rows, with two queries for each column at most. Records count as linked as they will be with the row. */
export async function readOrders(
  { queries, words }: Pick<OrderDeps, 'queries' | 'words'>,
  call: Call,
  columns: Columns,
  rows: readonly OpenRow[],
): Promise<ReadOrders> {
  const refused = new Map<PreparedRow, Refusal>()
  const wanted = new Map<OrderColumn, ReadonlyMap<PreparedRow, readonly Pair[]>>()
  for (const [index, column] of columns.columns.entries()) {
    if (column?.kind !== 'order') continue
    const cellOf = ({ row }: OpenRow) => row.cells[index]
    const given = rows.filter((one) => cellOf(one) !== undefined)
    const filled = given.filter((one) => !isBlank(cellOf(one)))
    const linkedOf = await findLinked(queries, call, columns.type, column, filled)
    const pairs = new Map<PreparedRow, readonly Pair[]>(given.map(({ row }) => [row, []]))
    for (const one of filled) {
      const read = readCell(words, call, column, cellOf(one) ?? '', linkedOf(one))
      if ('text' in read) refused.set(one.row, read)
      else pairs.set(one.row, read)
    }
    wanted.set(column, pairs)
  }
  return { wanted, refused }
}

/**
 * Lets records have the order that their rows say, and no other. Columns that are left out change nothing. A number of queries
 * that depends on the columns alone.
 *
 * @returns the ids of the records whose order has changed
 * @throws Invalid if it cannot be saved; Forbidden if the caller may not do that
 */
export async function saveOrders(
  deps: OrderDeps,
  call: Call,
  columns: Columns,
  wanted: WantedOrders,
  rows: readonly SavedRow[],
): Promise<ReadonlySet<number>> {
  const changed = new Set<number>()
  for (const [column, byRow] of wanted) {
    // Of several rows of one record, the last one counts.
    const byOwner = new Map(
      rows.flatMap(({ id, row }) => {
        const pairs = byRow.get(row)
        return pairs ? [[id, pairs] as const] : []
      }),
    )
    if (byOwner.size === 0) continue
    const ids = await saveColumn(deps, call, columns.type, column, byOwner).catch((error: unknown) => {
      throw aboutColumn(column, error)
    })
    for (const id of ids) changed.add(id)
  }
  return changed
}

/** Finds the names of the linked records of each row, by id. */
async function findLinked(
  queries: OrderDeps['queries'],
  call: Call,
  type: RecordType,
  { order }: OrderColumn,
  rows: readonly OpenRow[],
): Promise<(row: OpenRow) => ReadonlyMap<number, string>> {
  const { linked } = order
  const slots = [['id'], [linked.title ?? 'id']]
  const givenIn = ({ body }: OpenRow) => body[inputNameOf(type, order.link)] as readonly number[] | undefined
  const stored = new Map<number, Map<number, string>>()
  const link = type.links.get(order.link)
  const owners = rows.flatMap((row) => (row.id === null || givenIn(row) ? [] : [row.id]))
  const pairs =
    link && owners.length > 0 ? await queries.linkedCells(call, link, owners, { type: linked, where: ANYTHING }, slots) : []
  for (const [owner, id, name] of pairs) {
    const known = stored.get(Number(owner)) ?? new Map<number, string>()
    stored.set(Number(owner), known.set(Number(id), String(name ?? '')))
  }
  const ids = new Set(rows.flatMap((row) => givenIn(row) ?? []))
  const where = { path: ['id'], op: 'in', values: [...ids] } as const
  const cells = ids.size > 0 ? await queries.cells(call, { type: linked, where }, slots) : []
  const names = new Map(cells.map(([id, name]) => [Number(id), String(name ?? '')]))
  return (row) => {
    const given = givenIn(row)
    return given ? new Map(given.map((id) => [id, names.get(id) ?? ''])) : (stored.get(row.id ?? 0) ?? new Map())
  }
}

/** The pairs of a cell, each once, or why there are none. */
function readCell(
  words: RefusalWords,
  call: Call,
  { header }: OrderColumn,
  cell: string,
  linked: ReadonlyMap<number, string>,
): readonly Pair[] | Refusal {
  const lines = textsOf(cell)
  if (lines.length > MAX_ORDERED) return reasonOf(words, call, 'too_many', header, { max: MAX_ORDERED })
  // The line is part of the text, because files of failures have this alone, and a cell has many lines.
  const refusal = (line: string, code: string, value = ''): Refusal => {
    const reason = reasonOf(words, call, code, header, { value: shownValue(value) })
    return { ...reason, text: `${reason.text} (${quoted(call.language, shownValue(line))})` }
  }
  const names = linkedNames(linked)
  const pairs = new Map<string, { readonly pair: Pair; readonly line: string }>()
  for (const line of lines) {
    const read = readPair(line, names)
    if ('code' in read) return refusal(line, read.code, read.code === 'pair_malformed' ? EXAMPLE : read.value)
    const key = read.join()
    if (!pairs.has(key)) pairs.set(key, { pair: read, line })
  }
  const all = [...pairs.values()]
  const wrong = all[closingPair(all.map(({ pair }) => pair))]
  return wrong ? refusal(wrong.line, 'cycle') : all.map(({ pair }) => pair)
}

async function saveColumn(
  { operations, queries, words }: OrderDeps,
  call: Call,
  owner: RecordType,
  { order }: OrderColumn,
  wanted: ReadonlyMap<number, readonly Pair[]>,
): Promise<readonly number[]> {
  const { after, before, type } = order
  const selection = { type, where: partsOfOwners(owner.name, [...wanted.keys()]) }
  const stored = await queries.cells(call, selection, [['id'], ['owner_id'], [before.name], [after.name]])
  const missing = new Map([...wanted].map(([id, pairs]) => [id, new Map(pairs.map((pair) => [pair.join(), pair]))]))
  const surplus = stored.flatMap(([id, ownerId, one, other]) => {
    const isWanted = missing.get(Number(ownerId))?.delete([Number(one), Number(other)].join())
    return isWanted ? [] : [{ id: Number(id), owner: { type: owner.name, id: Number(ownerId) } }]
  })
  if (surplus.length > 0) await operations.removeEach(call, type.name, surplus)
  const items = [...missing].flatMap(([id, pairs]) =>
    [...pairs.values()].map(([one, other]): SaveItem & { readonly owner: { readonly type: string; readonly id: number } } => ({
      id: null,
      body: { [`${before.name}_id`]: one, [`${after.name}_id`]: other },
      owner: { type: owner.name, id },
    })),
  )
  await saveListed({ operations, words }, call, type, items, (item) => item)
  return [...surplus, ...items].map((one) => one.owner.id)
}
