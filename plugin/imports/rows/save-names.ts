/** Saves cells that list sub-records by their names, such as the phases of a project. */
import type { Call } from '../../core/call.js'
import { isBlank } from '../../core/text/blank.js'
import { folded } from '../../core/text/identity.js'
import type { Operations, SaveItem } from '../../operations/contract.js'
import { partsOfOwners } from '../../operations/read/visible.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Queries } from '../../storage/records/query.js'
import { textsOf } from '../columns/cells.js'
import { type Column, POSITION } from '../columns/column.js'
import type { Columns } from '../columns/match-columns.js'
import { aboutColumn } from './blame-column.js'
import type { RefusalWords } from './refusals.js'
import type { SavedRow } from './save-children.js'
import { saveListed } from './save-listed.js'

interface NamesDeps {
  readonly operations: Pick<Operations, 'removeEach' | 'saveAll'>
  readonly queries: Pick<Queries, 'cells'>
  readonly words: RefusalWords
}

type NamesColumn = Extract<Column, { kind: 'names' }>

/** A stored sub-record. */
interface Part {
  readonly id: number
  readonly name: string
}

/**
 * Lets records have the sub-records that the cells of their rows name, in this order, and no others. Columns that are left out
 * change nothing. A number of queries that depends on the columns alone.
 *
 * @returns the ids of the records whose sub-records have changed
 * @throws Invalid if one of these cannot be saved or removed; Forbidden if the caller may not do that
 */
export async function saveNames(
  deps: NamesDeps,
  call: Call,
  columns: Columns,
  rows: readonly SavedRow[],
): Promise<ReadonlySet<number>> {
  const changed = new Set<number>()
  for (const [index, column] of columns.columns.entries()) {
    if (column?.kind !== 'names') continue
    // Of several rows of one record, the last one counts.
    const wanted = new Map(
      rows.flatMap(({ id, row: { cells } }) => {
        const cell = cells[index]
        return cell === undefined ? [] : [[id, isBlank(cell) ? [] : textsOf(cell)] as const]
      }),
    )
    if (wanted.size === 0) continue
    const ids = await saveColumn(deps, call, columns.type, column, wanted).catch((error: unknown) => {
      throw aboutColumn(column, error)
    })
    for (const id of ids) changed.add(id)
  }
  return changed
}

async function saveColumn(
  { operations, queries, words }: NamesDeps,
  call: Call,
  owner: RecordType,
  { title, type }: NamesColumn,
  wanted: ReadonlyMap<number, readonly string[]>,
): Promise<readonly number[]> {
  const ordered = type.fields.has(POSITION)
  const sort = [...(ordered ? [{ field: POSITION, descending: false }] : []), { field: 'id', descending: false }]
  const selection = { type, where: partsOfOwners(owner.name, [...wanted.keys()]), sort }
  const stored = new Map<number, Part[]>()
  for (const [id, ownerId, name] of await queries.cells(call, selection, [['id'], ['owner_id'], [title]])) {
    const parts = stored.get(Number(ownerId)) ?? []
    stored.set(Number(ownerId), [...parts, { id: Number(id), name: String(name ?? '') }])
  }
  const removed: { id: number; owner: { type: string; id: number } }[] = []
  const items: (SaveItem & { readonly ownerId: number })[] = []
  for (const [ownerId, texts] of wanted) {
    const place = { type: owner.name, id: ownerId }
    const parts = stored.get(ownerId) ?? []
    const names = new Map(texts.map((text) => [folded(text), text]))
    const kept = parts.filter(({ name }) => names.has(folded(name)))
    for (const { id } of parts.filter((part) => !kept.includes(part))) removed.push({ id, owner: place })
    const isInOrder = kept.every(({ name }, index) => [...names.keys()][index] === folded(name))
    for (const [index, [key, name]] of [...names].entries()) {
      const part = kept.find((one) => folded(one.name) === key)
      const position = ordered && !isInOrder ? { [POSITION]: index + 1 } : {}
      if (!part) items.push({ id: null, body: { [title]: name, ...position }, owner: place, ownerId })
      else if (!isInOrder) items.push({ id: part.id, body: position, owner: place, ownerId })
    }
  }
  if (removed.length > 0) await operations.removeEach(call, type.name, removed)
  const done = await saveListed({ operations, words }, call, type, items, ({ ownerId: _, ...item }) => item)
  const saved = done.flatMap(({ saved, work }) => (saved.outcome === 'unchanged' ? [] : [work.ownerId]))
  return [...removed.map((one) => one.owner.id), ...saved]
}
