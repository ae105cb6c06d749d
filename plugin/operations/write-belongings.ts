/** What is stored with a record but not in its row: replaced parts, replaced links. */
import type { Call } from '../core/call.js'
import { Invalid } from '../core/errors.js'
import type { RecordType } from '../schema/compile.js'
import type { Row } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'
import { dbOf } from '../storage/transaction.js'
import type { Draft } from './draft.js'
import type { Pipeline } from './notes.js'
import type { Owner } from './operations.js'
import type { OperationParts } from './parts.js'
import { reachableIds } from './references.js'
import { partsOfOwner } from './visible.js'

export async function writeBelongings(
  parts: OperationParts,
  pipeline: Pipeline,
  call: Call,
  type: RecordType,
  drafts: readonly Draft[],
): Promise<void> {
  for (const draft of drafts) {
    const owner: Owner = { type: type.name, id: Number(draft.next['id']) }
    for (const [field, given] of draft.input.parts) await replaceParts(parts, pipeline, call, type, draft, owner, field, given)
    for (const [link, ids] of draft.input.links) {
      const before = await setLinks(parts, call, type, owner, link, ids)
      if (before) draft.belongings.set(link, [before, ids])
    }
  }
  await touch(parts, call, type, drafts)
}

/** The record counts as changed when only what belongs to it was (gaps 1.5: clients synchronize by updated_at). */
async function touch(parts: OperationParts, call: Call, type: RecordType, drafts: readonly Draft[]): Promise<void> {
  if (!type.columns.has('updated_at')) return
  const touched = drafts.filter((draft) => draft.before && draft.belongings.size > 0 && draft.changed.length === 0)
  for (const draft of touched) draft.next['updated_at'] = call.now
  const rows = touched.map((draft) => draft.next)
  await parts.writer.update(dbOf(parts.storage, call), type, rows, ['updated_at'])
}

/** The given parts take the place of all that were there, unless they are the same. */
async function replaceParts(
  parts: OperationParts,
  pipeline: Pipeline,
  call: Call,
  type: RecordType,
  draft: Draft,
  owner: Owner,
  fieldName: string,
  given: readonly object[],
) {
  const field = type.fields.get(fieldName)
  if (!field?.replaceable || !field.record) return
  const part = parts.catalog.type(field.record)
  const before = await parts.queries.rows(call, { type: part, where: partsOfOwner(owner) })
  const shown = (row: object): Json => Object.fromEntries((field.shows ?? []).map((name) => [name, (row as Row)[name] ?? null]))
  const same = (row: object) => JSON.stringify(shown(row))
  if (before.length === given.length && before.every((row, index) => same(row) === same(given[index] ?? {}))) return
  await parts.writer.remove(
    dbOf(parts.storage, call),
    part,
    before.map((row) => Number(row['id'])),
  )
  const after: Row[] = []
  // One by one: each is checked against those before it.
  for (const body of given) {
    const [outcome] = await pipeline({ ...call, systemReason: `parts of ${type.name}` }, part, [{ id: null, body, owner }])
    if (outcome?.outcome === 'refused') {
      throw new Invalid(
        outcome.violations.map(([name, code, params]) => [name === 'base' ? fieldName : name, code, params ?? {}]),
      )
    }
    if (outcome?.outcome === 'denied') throw outcome.error
    if (outcome) after.push(outcome.row)
  }
  draft.belongings.set(fieldName, [before.map(shown), after.map(shown)])
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
