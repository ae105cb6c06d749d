/** Last step of an undo: what settling has changed again while some records were put back already, and others were not. */
import type { Call } from '../../core/call.js'
import type { RecordType } from '../../schema/catalog.js'
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
          const values = differing(record, { ...changedByUndo(type, record), ...earlierState(type, record, false).values })
          return Object.keys(values).length === 0 ? [] : [{ id: record.id, values }]
        })
        const itemOf = ({ id, values }: (typeof works)[number]) => ({ id, body: {}, restored: { values, links: new Map() } })
        await saved(deps, asUndo(call), type, works, itemOf)
      }
      return { results: NO_RESULTS, left: [] }
    },
  }
}

/** Values that only the undo itself has changed, as they were before it. */
function changedByUndo(type: RecordType, { history }: LockedRecord): Row {
  const changes = [...netChanges(history.undoing)].filter(([column]) => type.columns.has(column))
  const own = netChanges(history.own)
  return Object.fromEntries(changes.flatMap(([column, [before]]) => (own.has(column) ? [] : [[column, before]])))
}

function differing({ row }: LockedRecord, values: Row): Row {
  return Object.fromEntries(Object.entries(values).filter(([column, value]) => !isSame(row?.[column], value)))
}
