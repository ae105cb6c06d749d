/** Loads what records refer to before rules and checks ask for it one by one. */
import type { RecordType } from '../../schema/catalog.js'
import { PERSON } from '../../schema/language/built-in-types.js'
import type { ReadDeps } from '../read/read-deps.js'
import { type Draft, differs } from '../work/draft.js'
import { type Alongside, MAX_PICKED } from '../work/loaded-rows.js'
import type { Work } from '../work/pipeline.js'

/**
 * Loads the records that the batch begins to refer to: with one statement for a single record, together with what its rules look up of
 * them, and with the caller, whom rules often fill in; otherwise with one statement for each type.
 */
export async function prefetchReferences(work: Work<ReadDeps>, drafts: readonly Draft[]): Promise<void> {
  const { call, type, unit } = work
  const wanted = referencesOf(type, drafts)
  const [draft, ...others] = drafts
  if (!draft || others.length > 0) return unit.prefetchAll(wanted)
  const count = [...wanted.values()].reduce((sum, { size }) => sum + size, 0)
  if (count === 0) return
  if (draft.before === null && call.actor && count < MAX_PICKED) wanted.get(PERSON)?.add(call.actor.id)
  await unit.prefetchAll(wanted, alongside(work, draft))
}

/** What the rules of the type look up of the records that this one begins to refer to. */
function alongside({ deps: { catalog }, type }: Work<ReadDeps>, { before, next }: Draft): Alongside {
  const lookUps = type.rules.flatMap(({ behavior }) => behavior.looksUp ?? [])
  const referred = (name: string) => {
    const { column, record } = type.fields.get(name) ?? {}
    const id = column ? Number(next[column] ?? 0) : 0
    return { type: catalog.types.get(record ?? ''), id, isNew: column ? differs(before?.[column], next[column]) : false }
  }
  const behind: Alongside['behind'][number][] = []
  const pairs: Alongside['pairs'][number][] = []
  for (const { path, to } of lookUps) {
    const [reference = '', name = ''] = path.split('.')
    const from = referred(reference)
    const other = to === undefined ? null : referred(to)
    if (!from.type || from.id <= 0) continue
    const field = from.type.fields.get(name)
    const link = from.type.links.get(name)
    if (other === null && field?.column && field.record && from.isNew)
      behind.push({ of: from.type.name, id: from.id, column: field.column, type: field.record })
    else if (other && link && other.id > 0 && (from.isNew || other.isNew)) pairs.push({ link, from: from.id, to: other.id })
  }
  return { behind, pairs }
}

/** Ids of the records that the batch begins to refer to, by type. */
export function referencesOf(type: RecordType, drafts: readonly Draft[]): Map<string, Set<number>> {
  const wanted = new Map<string, Set<number>>()
  for (const [column, field] of type.columns) {
    if (field.kind !== 'ref' || !field.record) continue
    const ids = wanted.get(field.record) ?? new Set<number>()
    wanted.set(field.record, ids)
    for (const { before, next } of drafts) {
      const id = Number(next[column] ?? 0)
      if (id > 0 && id !== before?.[column]) ids.add(id)
    }
  }
  return wanted
}
