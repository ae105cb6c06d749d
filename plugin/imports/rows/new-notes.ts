/** Leaves of the cells with notes what is new: files that are imported again must not add their notes again. */
import type { Call } from '../../core/call.js'
import { partsOfOwners } from '../../operations/read/visible.js'
import type { Catalog, RecordField, RecordType } from '../../schema/catalog.js'
import { decode } from '../../schema/derive/columns.js'
import { columnOf } from '../../schema/kinds/kinds.js'
import { NOTE } from '../../schema/language/built-in-types.js'
import type { Queries } from '../../storage/records/query.js'
import type { Input } from '../columns/column.js'
import { newNoteOf, type StoredNote } from '../columns/notes-cell.js'

interface NotesDeps {
  readonly catalog: Catalog
  readonly queries: Pick<Queries, 'cells'>
}

interface Item {
  readonly id: number | null
  readonly body: Input
}

const BY_ID = [{ field: 'id', descending: false }]
/** The owner, whether the note is internal, when it was written, and its text. */
const SLOTS = [['owner_id'], ['internal'], ['created_at'], ['text']]
const INSTANT = columnOf({ kind: 'datetime' })

/** Returns the items without notes that are stored, with one query for all of them. New records keep theirs. */
export async function withNewNotes<Work extends Item>(
  { catalog, queries }: NotesDeps,
  call: Call,
  type: RecordType,
  items: readonly Work[],
): Promise<readonly Work[]> {
  const fields = [...type.fields.values()].filter(({ note }) => note !== undefined)
  const isWithNote = ({ body }: Item) => fields.some(({ name }) => typeof body[name] === 'string')
  const ids = items.flatMap((item) => (item.id !== null && isWithNote(item) ? [item.id] : []))
  if (ids.length === 0) return items
  const selection = { type: catalog.type(NOTE), where: partsOfOwners(type.name, ids), sort: BY_ID }
  const stored = new Map<string, StoredNote[]>()
  for (const [owner, internal, at, text] of await queries.cells(call, selection, SLOTS)) {
    const key = keyOf(Number(owner), Number(internal) === 1)
    const notes = stored.get(key) ?? []
    notes.push({ at: String(decode(INSTANT, at)), text: String(text) })
    stored.set(key, notes)
  }
  return items.map((item) => (item.id === null ? item : { ...item, body: withoutStored(item.body, fields, item.id, stored) }))
}

function withoutStored(
  body: Input,
  fields: readonly RecordField[],
  id: number,
  stored: ReadonlyMap<string, readonly StoredNote[]>,
): Input {
  const rest = { ...body }
  for (const { name, note } of fields) {
    const cell = body[name]
    if (typeof cell !== 'string') continue
    const text = newNoteOf(cell, stored.get(keyOf(id, note === 'internal')) ?? [])
    if (text === '') delete rest[name]
    else rest[name] = text
  }
  return rest
}

function keyOf(id: number, isInternal: boolean): string {
  return `${id} ${isInternal}`
}
