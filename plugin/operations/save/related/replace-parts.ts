/** Replaces whole lists of sub-records that come with their owners, for a batch together (behaviour: Writing). */
import { partsCall } from '../../../core/call.js'
import { Invalid, type Violation } from '../../../core/errors.js'
import type { RecordField } from '../../../schema/catalog.js'
import type { Row } from '../../../schema/language/define-rule.js'
import { dbOf } from '../../../storage/database/transaction.js'
import type { SaveItem } from '../../contract.js'
import type { ReadDeps } from '../../read/read-deps.js'
import { partsOfOwners } from '../../read/visible.js'
import type { Draft } from '../../work/draft.js'
import type { SaveWork } from '../../work/pipeline.js'
import { isIgnoredCode } from './ignored.js'
import { noteUnaudited } from './unaudited.js'
import type { WriteDeps } from './write-deps.js'
import { blamedOn, shownIn } from './write-parts.js'

/**
 * Replaces all stored sub-records by the given ones, unless they are the same. Records the changes in the drafts.
 *
 * @throws Invalid, Forbidden for the first sub-record that is not saved; its violations have its `place` in the list
 */
export async function replaceParts(work: SaveWork<WriteDeps>, field: RecordField, drafts: readonly Draft[]): Promise<void> {
  const { deps, call, type } = work
  const part = deps.catalog.type(field.record ?? '')
  const shown = shownIn(field, part)
  const textOf = (row: object) => JSON.stringify(shown(row as Row))
  const stored = await storedParts(work, field, drafts)
  const replaced = drafts.filter((draft) => {
    const [before, given] = [stored.get(Number(draft.next['id'])) ?? [], givenIn(draft, field)]
    return before.length !== given.length || before.some((row, index) => textOf(row) !== textOf(given[index] ?? {}))
  })
  if (replaced.length === 0) return
  const before = replaced.map((draft) => stored.get(Number(draft.next['id'])) ?? [])
  const ids = before.flat().map((row) => Number(row['id']))
  await deps.writer.remove(dbOf(deps.storage, call), part, ids)
  for (const row of before.flat()) work.unit.noteChange(part.name, Number(row['id']), { call, before: row, isRemoved: true })
  await noteUnaudited(deps, call, part, () => before.flat().map((row) => ({ before: row, after: null })))
  const items = replaced.flatMap((draft) => {
    const owner = { type: type.name, id: Number(draft.next['id']) }
    return givenIn(draft, field).map((body): SaveItem => ({ id: null, body, owner }))
  })
  const rows = await rowsSaved(work, field, items)
  let start = 0
  for (const [index, draft] of replaced.entries()) {
    const after = rows.slice(start, start + givenIn(draft, field).length)
    start += after.length
    draft.changedRelated.set(field.name, [(before[index] ?? []).map(shown), after.map(shown)])
  }
}

function givenIn(draft: Draft, field: RecordField): readonly object[] {
  return draft.input.parts.get(field.name) ?? []
}

/** The stored sub-records, by the id of their owner; new owners have none. */
async function storedParts({ deps, call, type }: SaveWork<ReadDeps>, field: RecordField, drafts: readonly Draft[]) {
  const owners = drafts.flatMap(({ before }) => (before ? [Number(before['id'])] : []))
  const stored = new Map<number, Row[]>()
  if (owners.length === 0) return stored
  const where = partsOfOwners(type.name, owners)
  for (const row of await deps.queries.rows(call, { type: deps.catalog.type(field.record ?? ''), where })) {
    const owner = Number(row['owner_id'])
    stored.set(owner, [...(stored.get(owner) ?? []), row])
  }
  return stored
}

async function rowsSaved({ deps, call, pipeline, type }: SaveWork<ReadDeps>, field: RecordField, items: readonly SaveItem[]) {
  if (items.length === 0) return []
  const outcomes = await pipeline(partsCall(call, type.name), deps.catalog.type(field.record ?? ''), items)
  return outcomes.map((outcome, index) => {
    if (outcome.outcome === 'refused') throw new Invalid(placed(blamedOn(field, outcome.violations), placeOf(items, index)))
    if (outcome.outcome === 'denied') throw outcome.error
    return outcome.row
  })
}

/** The violations with the place of their sub-record in its list, from 1. */
function placed(violations: readonly Violation[], place: number): readonly Violation[] {
  return violations.map((one) => {
    const [name, code, params] = one
    return isIgnoredCode(code) ? one : [name, code, { ...params, place }]
  })
}

/** The place of an item among those of its owner, from 1. */
function placeOf(items: readonly SaveItem[], index: number): number {
  const ownerId = items[index]?.owner?.id
  return items.slice(0, index + 1).filter(({ owner }) => owner?.id === ownerId).length
}
