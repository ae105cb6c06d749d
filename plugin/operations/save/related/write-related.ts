/** Writes sub-records and links of a record, which are not in its row. */
import { suggestion } from '../../../core/text/nearest.js'
import type { RecordType } from '../../../schema/catalog.js'
import type { Row } from '../../../schema/language/define-rule.js'
import { dbOf } from '../../../storage/database/transaction.js'
import type { SaveItem } from '../../contract.js'
import type { ReadDeps } from '../../read/read-deps.js'
import type { Draft } from '../../work/draft.js'
import type { SaveWork } from '../../work/pipeline.js'
import { mergeParts } from './merge-parts.js'
import { replaceParts } from './replace-parts.js'
import type { WriteDeps } from './write-deps.js'
import { checkKeptLinks, mayHaveLinks, setLinks } from './write-links.js'
import { changeParts } from './write-parts.js'

/** Writes the sub-records and links in the input. @throws Invalid, Forbidden */
export async function writeRelated(work: SaveWork<WriteDeps>, drafts: readonly Draft[]): Promise<void> {
  for (const field of work.type.fields.values()) {
    const replacing = drafts.filter(({ input }) => input.parts.has(field.name))
    if (replacing.length > 0) await replaceParts(work, field, replacing)
    const merging = drafts.filter(({ input }) => input.part.has(field.name))
    if (merging.length > 0) await mergeParts(work, field, merging)
  }
  for (const draft of drafts) await writeParts(work, draft)
  await writeLinks(work, drafts)
  await touch(work, drafts)
}

async function writeParts(work: SaveWork<ReadDeps>, draft: Draft): Promise<void> {
  for (const field of work.type.fields.values()) {
    const changes = draft.input.partChanges.get(field.name)
    const changed = changes ? await changeParts(work, draft, field, changes) : null
    if (changed) draft.changedRelated.set(field.name, changed)
  }
}

async function writeLinks({ deps, call, others, type }: SaveWork<WriteDeps>, drafts: readonly Draft[]): Promise<void> {
  const draftOf = new Map<Row, Draft>(drafts.map((draft) => [draft.next, draft]))
  const ids = new Map(drafts.map(({ item, next }) => [item, Number(next['id'])]))
  const wanted = drafts.flatMap((draft) =>
    [...linksFor(type, draft, ids)].map(([name, ids]) => ({ row: draft.next, name, ids })),
  )
  for (const { row, name, before, ids } of await setLinks(deps, others, call, type, wanted)) {
    draftOf.get(row)?.changedRelated.set(name, [before, ids])
  }
  for (const { before, next, input } of drafts) {
    if (before) await checkKeptLinks(deps, call, type, before, next, input.links)
  }
}

/**
 * The links to write: without those that the record may not have (`onlyWhile`), and empty for those that it may no longer have.
 *
 * @param saved ids of the records of the batch
 */
function linksFor(
  type: RecordType,
  { before, input, item, next }: Draft,
  saved: ReadonlyMap<SaveItem, number>,
): ReadonlyMap<string, readonly number[]> {
  const links = new Map(input.links)
  for (const [name, others] of item.linkedWith ?? []) {
    if (!type.links.has(name))
      throw new TypeError(`linkedWith: ${type.name} has no link '${name}'${suggestion(name, type.links.keys())}`)
    links.set(name, [...(links.get(name) ?? []), ...others.flatMap((one) => saved.get(one) ?? [])])
  }
  for (const name of type.links.keys()) {
    if (mayHaveLinks(type, next, name)) continue
    if (before && mayHaveLinks(type, before, name)) links.set(name, [])
    else links.delete(name)
  }
  return links
}

/** Sets updated_at of records of which only related rows changed (clients synchronize by it; behaviour: Filters). */
async function touch({ deps, call, type, unit }: SaveWork<WriteDeps>, drafts: readonly Draft[]): Promise<void> {
  if (!type.columns.has('updated_at')) return
  const touched = drafts.filter((draft) => draft.before && draft.changedRelated.size > 0 && draft.changed.length === 0)
  for (const draft of touched) draft.next['updated_at'] = call.now
  const rows = touched.map((draft) => draft.next)
  await unit.writing(() => deps.writer.update(dbOf(deps.storage, call), type, rows, ['updated_at']))
  for (const row of rows) {
    const now = unit.known(type.name, Number(row['id'])) ?? row
    unit.remember(type.name, { ...now, updated_at: call.now })
  }
}
