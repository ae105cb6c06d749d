/** What is stored with a record but not in its row: parts and links. */
import type { RecordType } from '../../schema/compile/compile.js'
import type { Row } from '../../schema/define-rule.js'
import { dbOf } from '../../storage/transaction.js'
import { checkKeptLinks, mayHaveLinks, setLinks } from '../links/write-links.js'
import type { Owner } from '../operations.js'
import { replaceParts } from '../parts/replace-parts.js'
import { createPartWriting, type PartsChanged } from '../parts/write-parts.js'
import type { Draft } from './draft.js'
import type { SaveWork } from './work.js'

/** Writes what came with the records. @throws Invalid, Forbidden */
export async function writeBelongings(work: SaveWork, drafts: readonly Draft[]): Promise<void> {
  for (const field of work.type.fields.values()) {
    const replacing = drafts.filter(({ input }) => input.parts.has(field.name))
    if (replacing.length > 0) await replaceParts(work, field, replacing)
  }
  for (const draft of drafts) await writeParts(work, draft)
  await writeLinks(work, drafts)
  await touch(work, drafts)
}

async function writeParts(work: SaveWork, draft: Draft): Promise<void> {
  const { part, partChanges } = draft.input
  const owner: Owner = { type: work.type.name, id: Number(draft.next['id']) }
  const writing = createPartWriting(work, draft)
  const note = (field: string, changed: PartsChanged) => changed && draft.belongings.set(field, changed)
  for (const field of work.type.fields.values()) {
    const [one, changes] = [part.get(field.name), partChanges.get(field.name)]
    if (one !== undefined) note(field.name, await writing.merge(field, owner, one))
    if (changes) note(field.name, await writing.change(field, owner, changes))
  }
}

async function writeLinks({ deps, call, type }: SaveWork, drafts: readonly Draft[]): Promise<void> {
  const draftOf = new Map<Row, Draft>(drafts.map((draft) => [draft.next, draft]))
  const wanted = drafts.flatMap((draft) => [...linksFor(type, draft)].map(([name, ids]) => ({ row: draft.next, name, ids })))
  for (const { row, name, before, ids } of await setLinks(deps, call, type, wanted)) {
    draftOf.get(row)?.belongings.set(name, [before, ids])
  }
  for (const { before, next, input } of drafts) {
    if (before) await checkKeptLinks(deps, call, type, before, next, input.links)
  }
}

/** The links that came, without those that the record cannot have. Those that it could have until now are taken away. */
function linksFor(type: RecordType, { before, input, next }: Draft): ReadonlyMap<string, readonly number[]> {
  const links = new Map(input.links)
  for (const name of type.links.keys()) {
    if (mayHaveLinks(type, next, name)) continue
    if (before && mayHaveLinks(type, before, name)) links.set(name, [])
    else links.delete(name)
  }
  return links
}

/** The record counts as changed when only what belongs to it was (clients synchronize by updated_at; behaviour: Filters). */
async function touch({ deps, call, type, unit }: SaveWork, drafts: readonly Draft[]): Promise<void> {
  if (!type.columns.has('updated_at')) return
  const touched = drafts.filter((draft) => draft.before && draft.belongings.size > 0 && draft.changed.length === 0)
  for (const draft of touched) draft.next['updated_at'] = call.now
  const rows = touched.map((draft) => draft.next)
  await unit.writing(() => deps.writer.update(dbOf(deps.storage, call), type, rows, ['updated_at']))
  for (const row of rows) {
    const now = unit.known(type.name, Number(row['id'])) ?? row
    unit.remember(type.name, { ...now, updated_at: call.now })
  }
}
