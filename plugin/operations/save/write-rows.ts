/** Writes the rows of a batch. */
import type { Call } from '../../core/call.js'
import { Invalid } from '../../core/errors.js'
import type { RecordType } from '../../schema/compile/compile.js'
import { uniqueKeyName } from '../../schema/derive/tables.js'
import { duplicateKeyName, isDuplicate } from '../../storage/faults.js'
import { dbOf } from '../../storage/transaction.js'
import type { OperationDeps } from '../deps.js'
import { fieldOf } from './check-complete.js'
import { changedColumns, type Draft } from './draft.js'

/**
 * Stores new and changed rows, each kind with one statement.
 *
 * @throws Invalid when somebody else has stored the same unique value since we looked
 */
export async function writeRows(deps: OperationDeps, call: Call, type: RecordType, drafts: readonly Draft[]) {
  for (const draft of drafts) draft.changed = changedColumns(type, draft.before, draft.next)
  const created = drafts.filter((draft) => draft.before === null)
  const updated = drafts.filter((draft) => draft.before !== null && (draft.changed.length > 0 || draft.input.notes.length > 0))
  for (const draft of updated) if (type.columns.has('updated_at')) draft.next['updated_at'] = call.now
  const db = dbOf(deps.storage, call)
  try {
    if (created.length > 0) {
      const ids = await deps.writer.insert(
        db,
        type,
        created.map((draft) => draft.next),
      )
      for (const [index, draft] of created.entries()) {
        draft.next['id'] = ids[index] ?? null
        draft.written = { ...draft.next }
      }
    }
    const columns = new Set(updated.flatMap((draft) => draft.changed))
    if (type.columns.has('updated_at') && updated.length > 0) columns.add('updated_at')
    await deps.writer.update(
      db,
      type,
      updated.map((draft) => draft.next),
      [...columns],
    )
  } catch (error) {
    // Somebody else stored the same unique value between our look and our write.
    if (isDuplicate(error)) throw new Invalid([[takenField(deps, type, error), 'taken']])
    throw error
  }
}

/** Values that a rule could only set once the id of the new record was known. */
export async function storeLateValues(deps: OperationDeps, call: Call, type: RecordType, drafts: readonly Draft[]) {
  const columns = new Set<string>()
  const late = drafts.filter(({ written, next }) => {
    const changed = written ? changedColumns(type, written, next) : []
    for (const column of changed) columns.add(column)
    return changed.length > 0
  })
  await deps.writer.update(
    dbOf(deps.storage, call),
    type,
    late.map(({ next }) => next),
    [...columns],
  )
}

function takenField(deps: OperationDeps, type: RecordType, error: unknown): string {
  const key = duplicateKeyName(error)
  const owner = type.partOf.length > 0 ? ['owner_type', 'owner_id'] : ['account_id']
  const group = type.unique.find((columns) => uniqueKeyName(deps.storage.table(type.table), [...owner, ...columns]) === key)
  return group ? fieldOf(type, group) : 'base'
}
