/** Saves and removes as far as possible: what cannot be done is told, and the rest is done. */
import type { Call } from '../../core/call.js'
import type { SaveItem } from '../../operations/contract.js'
import { outcomeOfRefusal } from '../../operations/work/as-far-as-possible.js'
import { saveEach } from '../../operations/work/save-each.js'
import type { RecordType } from '../../schema/catalog.js'
import { inSavepoint } from '../../storage/database/savepoint.js'
import { isUnsaved, textOfUnsaved, type Unsaved } from '../rows/refusals.js'
import type { LeftReason, UndoDeps } from './contract.js'

/** A piece of work, and what became of it. */
export interface DoneWork<Work> {
  readonly work: Work
  readonly done: 'created' | 'updated' | 'unchanged' | LeftReason
}

/** Saves the items of all pieces of work. */
export async function saved<Work>(
  deps: UndoDeps,
  call: Call,
  type: RecordType,
  works: readonly Work[],
  itemOf: (work: Work) => SaveItem,
): Promise<readonly DoneWork<Work>[]> {
  const all = await saveEach(deps.operations, call, type.name, works, itemOf)
  return all.map(({ saved, work }) => ({ work, done: isUnsaved(saved) ? refusalOf(deps, call, type, saved) : saved.outcome }))
}

/** Removes the records together; if one of them cannot be removed, in halves. @returns a reason for each that stays */
export async function removed(
  deps: UndoDeps,
  call: Call,
  type: RecordType,
  items: Parameters<UndoDeps['operations']['retractEach']>[2],
): Promise<ReadonlyMap<number, LeftReason>> {
  if (items.length === 0) return new Map()
  try {
    await inSavepoint(deps.storage, call, () => deps.operations.retractEach(call, type.name, items))
    return new Map()
  } catch (error) {
    const refusal = outcomeOfRefusal(error)
    if (!refusal) throw error
    const [only] = items
    if (only && items.length === 1) return new Map([[only.id, refusalOf(deps, call, type, refusal)]])
    const middle = Math.ceil(items.length / 2)
    const first = await removed(deps, call, type, items.slice(0, middle))
    return new Map([...first, ...(await removed(deps, call, type, items.slice(middle)))])
  }
}

function refusalOf({ words }: UndoDeps, call: Call, type: RecordType, unsaved: Unsaved): LeftReason {
  return { code: 'undo_refused', text: textOfUnsaved(words, call, type, unsaved) }
}
