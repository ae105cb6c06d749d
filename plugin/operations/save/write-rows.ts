/** Writes the rows of a batch. */
import { Invalid } from '../../core/errors.js'
import type { RecordType } from '../../schema/catalog.js'
import { keyedColumns } from '../../schema/compile/compile-keys.js'
import { uniqueKeyName } from '../../schema/derive/expected-tables.js'
import type { Storage } from '../../storage/database/connections.js'
import { duplicateKeyName, isDuplicate } from '../../storage/database/faults.js'
import { dbOf } from '../../storage/database/transaction.js'
import { asCalled, changedColumns, changedMarks, type Draft, inFieldOrder, SILENT } from '../work/draft.js'
import type { Work } from '../work/pipeline.js'
import { checkUnique, fieldOf } from './check-complete.js'
import type { WriteDeps } from './related/write-deps.js'

/**
 * Stores new and changed rows, each kind with one statement.
 *
 * @throws Invalid if a unique value is taken: that of a single record, or one that another transaction has stored since the check
 */
export async function writeRows({ deps, call, type }: Work<WriteDeps>, drafts: readonly Draft[]) {
  for (const draft of drafts) {
    draft.changed = changedColumns(type, draft.before, draft.next)
    draft.changedMarks = changedMarks(type, draft.before, draft.next)
  }
  const created = drafts.filter((draft) => draft.before === null)
  const updated = drafts.filter((draft) => draft.before !== null && (draft.changed.length > 0 || draft.input.notes.length > 0))
  const marked = drafts.filter((draft) => draft.before !== null && draft.changedMarks.length > 0 && !updated.includes(draft))
  for (const draft of drafts) keepSilent(draft)
  for (const draft of updated) if (type.columns.has('updated_at')) draft.next['updated_at'] = call.now
  const db = dbOf(deps.storage, call)
  await refusingTaken({ deps, call, type }, drafts, async () => {
    if (created.length > 0) {
      const ids = await deps.writer.insert(
        db,
        type,
        created.map((draft) => draft.next),
      )
      for (const [index, draft] of created.entries()) {
        draft.next['id'] = ids[index] ?? null
      }
    }
    const columns = new Set([...updated, ...marked].flatMap((draft) => [...draft.changed, ...draft.changedMarks]))
    if (type.columns.has('updated_at') && updated.length > 0) columns.add('updated_at')
    await deps.writer.update(
      db,
      type,
      [...updated, ...marked].map((draft) => draft.next),
      [...columns],
    )
  })
  for (const draft of drafts) draft.written = { ...draft.next }
}

/** Puts back what an update does not write, whatever rules have set: the row is what is stored. */
function keepSilent({ before, next }: Draft): void {
  if (before === null) return
  for (const column of SILENT) if (column in before) next[column] = before[column] ?? null
}

/**
 * Stores values that rules could set only when the id was known, with one statement more. They count like all others.
 *
 * @throws Invalid if another transaction has stored the same unique value
 */
export async function storeLateValues({ deps, call, type, unit }: Work<WriteDeps>, drafts: readonly Draft[]) {
  const columns = new Set<string>()
  const late = drafts.filter((draft) => {
    const changed = draft.written ? changedColumns(type, draft.written, draft.next) : []
    for (const column of changed) columns.add(column)
    return changed.length > 0
  })
  if (late.length === 0) return
  if (type.columns.has('updated_at')) {
    columns.add('updated_at')
    for (const { next } of late) next['updated_at'] = call.now
  }
  for (const draft of late) draft.changed = changedColumns(type, draft.before, draft.next)
  const rows = late.map(({ next }) => next)
  await refusingTaken({ deps, call, type }, late, () => deps.writer.update(dbOf(deps.storage, call), type, rows, [...columns]))
  for (const row of rows) {
    const known = unit.known(type.name, Number(row['id'])) ?? row
    unit.remember(type.name, { ...known, ...Object.fromEntries([...columns].map((column) => [column, row[column] ?? null])) })
  }
}

/** Refuses what the unique indexes refuse: values of a single record, and those that another transaction has stored since. */
async function refusingTaken(
  { call, deps, type }: Pick<Work<WriteDeps>, 'call' | 'deps' | 'type'>,
  drafts: readonly Draft[],
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!isDuplicate(error)) throw error
    const [only] = drafts.length === 1 ? drafts : []
    // The server names one value, although others may be taken as well.
    if (only) await checkUnique({ deps, call, type }, [only])
    const violations = only ? inFieldOrder(type, asCalled(type, only)) : []
    throw new Invalid(violations.length > 0 ? violations : [[takenField(deps.storage, type, error), 'taken']])
  }
}

function takenField(storage: Storage, type: RecordType, error: unknown): string {
  const key = duplicateKeyName(error)
  const owner = type.partOf.length > 0 ? ['owner_type', 'owner_id'] : ['account_id']
  const group = type.unique.find(
    (columns) => uniqueKeyName(storage.table(type.table), [...owner, ...keyedColumns(type.keys, columns)]) === key,
  )
  return group ? fieldOf(type, group) : 'base'
}
