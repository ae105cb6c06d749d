/** Last step of an undo: what settling has changed again while some records were put back already, and others were not. */
import type { Call } from '../../core/call.js'
import { isCauseOfSettling } from '../../operations/work/causes.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Json } from '../../schema/kinds/fields.js'
import type { Row } from '../../schema/language/define-rule.js'
import { NO_RESULTS } from '../progress/results.js'
import { type Line, netChanges, readOwnLines } from './audit-lines.js'
import type { UndoDeps, Undone, UndoStep } from './contract.js'
import { byType, type LockedRecord, lockRecords, reasonToLeave } from './locked-records.js'
import { keptWithAnother } from './records-to-keep.js'
import { saved } from './saved-as-possible.js'
import { earlierState } from './undo-changes.js'
import { isSame } from './undo-unaudited.js'

/** Creates the step; it counts and tells nothing. @param asUndo the call with which earlier states are stored */
export function undoSettled(deps: UndoDeps, undone: Undone, asUndo: (call: Call) => Call): UndoStep<Line> {
  return {
    isRepeat: true,
    read: (below, limit) => readOwnLines(deps, undone, below, limit),
    async undo(call, lines) {
      const last = Math.max(...lines.map(({ id }) => id))
      for (const [name, some] of byType(lines)) {
        const type = deps.catalog.types.get(name)
        if (!type) continue
        const ids = [...new Set(some.map(({ recordId }) => recordId))]
        const records = await lockRecords(deps, call, undone, type, ids)
        const kept = await keptWithAnother(deps, call, undone, type, records)
        const works = records.flatMap((record) => {
          const { own } = record.history
          if (
            kept.has(record.id) ||
            own.length === 0 ||
            own[0]?.isCreation ||
            own.some(({ id }) => id > last) ||
            reasonToLeave(record)
          )
            return []
          const values = settledAgain(type, record)
          return Object.keys(values).length === 0 ? [] : [{ id: record.id, values }]
        })
        const itemOf = ({ id, values }: (typeof works)[number]) => ({ id, body: {}, restored: { values, links: new Map() } })
        await saved(deps, asUndo(call), type, works, itemOf)
      }
      return { results: NO_RESULTS, left: [] }
    },
  }
}

/**
 * The earlier values of columns that settling has changed last. What rules have computed anew counts the changes of others, too, and
 * stays.
 */
function settledAgain(type: RecordType, record: LockedRecord): Row {
  const { own, undoing } = record.history
  const settled = new Set<string>()
  for (const { cause, changes } of undoing)
    for (const column of changes.keys()) settled[isCauseOfSettling(cause) ? 'add' : 'delete'](column)
  const [before, byImport, byUndo] = [earlierState(type, record, false).values, netChanges(own), netChanges(undoing)]
  const values = [...settled].flatMap((column): readonly (readonly [string, Json])[] => {
    if (!type.columns.has(column)) return []
    // What the import has not changed is as it was before the undo.
    const value = byImport.has(column) ? before[column] : byUndo.get(column)?.[0]
    return value === undefined || isSame(record.row?.[column], value) ? [] : [[column, value]]
  })
  return Object.fromEntries(values)
}
