/** Merges input into the only sub-record of its type, for a batch of owners together (behaviour: Writing). */
import { partsCall } from '../../../core/call.js'
import { Invalid } from '../../../core/errors.js'
import type { RecordField } from '../../../schema/catalog.js'
import type { Json } from '../../../schema/kinds/fields.js'
import type { Row } from '../../../schema/language/define-rule.js'
import type { SaveItem } from '../../contract.js'
import type { ReadDeps } from '../../read/read-deps.js'
import { partsOfOwners } from '../../read/visible.js'
import { changedColumns, type Draft } from '../../work/draft.js'
import type { SaveWork } from '../../work/pipeline.js'
import { blamedOn } from './write-parts.js'

/**
 * Merges the input of each owner into its sub-record, or creates it; null removes it. Records the changes in the drafts.
 *
 * @throws Invalid, Forbidden for the first sub-record that is not saved
 */
export async function mergeParts(work: SaveWork<ReadDeps>, field: RecordField, drafts: readonly Draft[]): Promise<void> {
  const { call, deps, others, pipeline, type } = work
  const part = deps.catalog.type(field.record ?? '')
  const asOwner = partsCall(call, type.name)
  const stored = await storedParts(work, field, drafts)
  const storedOf = (draft: Draft) => stored.get(Number(draft.next['id'])) ?? null
  const ownerOf = (draft: Draft) => ({ type: type.name, id: Number(draft.next['id']) })
  const note = (draft: Draft, before: Json, after: Json) => draft.changedRelated.set(field.name, [before, after])

  const removed = drafts.flatMap((draft) => {
    const row = draft.input.part.get(field.name) === null ? storedOf(draft) : null
    return row ? [{ draft, row, item: { id: Number(row['id']), owner: ownerOf(draft) } }] : []
  })
  if (removed.length > 0)
    await others.removeEach(
      asOwner,
      part.name,
      removed.map(({ item }) => item),
    )
  for (const { draft, row } of removed) note(draft, valuesIn(row, changedColumns(part, null, row)), null)

  const merged = drafts.flatMap((draft) => {
    const body = draft.input.part.get(field.name)
    if (!body) return []
    const before = storedOf(draft)
    return [{ draft, before, item: { id: before && Number(before['id']), body, owner: ownerOf(draft) } satisfies SaveItem }]
  })
  if (merged.length === 0) return
  const outcomes = await pipeline(
    asOwner,
    part,
    merged.map(({ item }) => item),
  )
  for (const [index, { before, draft }] of merged.entries()) {
    const outcome = outcomes[index]
    if (outcome?.outcome === 'refused') throw new Invalid(blamedOn(field, outcome.violations))
    if (outcome?.outcome === 'denied') throw outcome.error
    if (!outcome) throw new Error(`A part of ${type.name} was not saved`)
    const changed = changedColumns(part, before, outcome.row)
    if (changed.length > 0 || !before) note(draft, before && valuesIn(before, changed), valuesIn(outcome.row, changed))
  }
}

/** The stored sub-records, by the id of their owner. New owners may have one that a rule has made. */
async function storedParts({ call, deps, type }: SaveWork<ReadDeps>, field: RecordField, drafts: readonly Draft[]) {
  const owners = drafts.map(({ next }) => Number(next['id']))
  const where = partsOfOwners(type.name, owners)
  const rows = await deps.queries.rows(call, { type: deps.catalog.type(field.record ?? ''), where })
  return new Map(rows.map((row) => [Number(row['owner_id']), row]))
}

function valuesIn(row: Row, columns: readonly string[]): Json {
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))
}
