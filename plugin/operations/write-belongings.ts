/** What is stored with a record but not in its row: notes, replaced parts, replaced links. */
import type { Call } from '../core/call.js'
import { Invalid } from '../core/errors.js'
import type { RecordType } from '../schema/compile.js'
import { NOTE } from '../schema/foundation.js'
import { dbOf } from '../storage/transaction.js'
import type { Draft } from './draft.js'
import type { Operations, Owner, SaveItem } from './operations.js'
import type { OperationParts } from './parts.js'
import { reachableIds } from './references.js'
import { partsOfOwner } from './visible.js'

export async function writeBelongings(
  parts: OperationParts,
  saving: Pick<Operations, 'saveAll'>,
  call: Call,
  type: RecordType,
  drafts: readonly Draft[],
): Promise<void> {
  await addNotes(saving, call, type, drafts)
  for (const draft of drafts) {
    for (const [field, given] of draft.input.parts) await replaceParts(parts, saving, call, type, draft, field, given)
    for (const [link, ids] of draft.input.links) {
      const before = await setLinks(parts, call, type, ownerOf(type, draft), link, ids)
      if (before) draft.relinked.set(link, [before, ids])
    }
  }
}

function ownerOf(type: RecordType, draft: Draft): Owner {
  return { type: type.name, id: Number(draft.next['id']) }
}

/** Notes are records of their own; the author is whoever saves, even where it may not post notes directly. */
async function addNotes(saving: Pick<Operations, 'saveAll'>, call: Call, type: RecordType, drafts: readonly Draft[]) {
  const items = drafts.flatMap((draft) =>
    draft.input.notes.map((note) => ({
      draft,
      item: { id: null, body: note, owner: ownerOf(type, draft) } satisfies SaveItem,
    })),
  )
  if (items.length === 0) return
  const asRule: Call = { ...call, systemReason: `note of ${type.name}` }
  const outcomes = await saving.saveAll(
    asRule,
    NOTE,
    items.map(({ item }) => item),
  )
  for (const [index, outcome] of outcomes.entries()) {
    const draft = items[index]?.draft
    if (!draft) continue
    if (outcome.outcome === 'refused')
      throw new Invalid(outcome.violations.map(([, code, params]) => ['note', code, params ?? {}]))
    if (outcome.outcome === 'denied') throw outcome.error
    draft.noteIds.push(Number(outcome.row['id']))
  }
}

/** The given parts take the place of all that were there, unless they are the same. */
async function replaceParts(
  parts: OperationParts,
  saving: Pick<Operations, 'saveAll'>,
  call: Call,
  type: RecordType,
  draft: Draft,
  fieldName: string,
  given: readonly object[],
) {
  const field = type.fields.get(fieldName)
  if (!field?.replaceable || !field.record) return
  const part = parts.catalog.type(field.record)
  const owner = ownerOf(type, draft)
  const before = await parts.queries.rows(call, { type: part, where: partsOfOwner(owner) })
  const same = (row: object) =>
    JSON.stringify((field.shows ?? []).map((name) => (row as Record<string, unknown>)[name] ?? null))
  if (before.length === given.length && before.every((row, index) => same(row) === same(given[index] ?? {}))) return
  await parts.writer.remove(
    dbOf(parts.storage, call),
    part,
    before.map((row) => Number(row['id'])),
  )
  // One by one: each is checked against those before it.
  for (const body of given) {
    const [outcome] = await saving.saveAll({ ...call, systemReason: `parts of ${type.name}` }, part.name, [
      { id: null, body, owner },
    ])
    if (outcome?.outcome === 'refused') {
      throw new Invalid(
        outcome.violations.map(([name, code, params]) => [name === 'base' ? fieldName : name, code, params ?? {}]),
      )
    }
    if (outcome?.outcome === 'denied') throw outcome.error
  }
  draft.repartitioned = true
}

/**
 * Makes the links of a record exactly these.
 *
 * @returns the links before, or null when nothing had to change
 * @throws Invalid when one of the other records is not there for the caller
 */
export async function setLinks(
  parts: OperationParts,
  call: Call,
  type: RecordType,
  owner: Owner,
  linkName: string,
  ids: readonly number[],
): Promise<readonly number[] | null> {
  const link = type.links.get(linkName)
  if (!link) throw new Error(`${type.name} has no link '${linkName}'`)
  const found = await reachableIds(parts, call, parts.catalog.type(link.record), ids)
  if (ids.some((id) => !found.has(id))) throw new Invalid([[linkName, 'cannot_be_found']])
  const db = dbOf(parts.storage, call)
  const table = parts.storage.table(link.table)
  const rows: Record<string, unknown>[] = await db(table).where(link.from, owner.id).select(link.to)
  const before = rows.map((row) => Number(row[link.to]))
  const gone = before.filter((id) => !ids.includes(id))
  const added = ids.filter((id) => !before.includes(id))
  if (gone.length === 0 && added.length === 0) return null
  if (gone.length > 0) await db(table).where(link.from, owner.id).whereIn(link.to, gone).delete()
  if (added.length > 0) {
    const pairs = added.map((id) => ({ [link.from]: owner.id, [link.to]: id }))
    await db(table).insert(pairs).onConflict([link.from, link.to]).ignore()
  }
  return before
}
