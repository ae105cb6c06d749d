/** Whole lists: a record that one has disabled is enabled again when the next one has it (behaviour: Whole lists). */
import type { Call } from '../../core/call.js'
import { dbOf } from '../../storage/database/transaction.js'
import { type Columns, cellOf, isField } from '../columns/match-columns.js'
import { type AbsencesDeps, absentOnly, forgetAbsences } from '../progress/absences.js'
import { type LogLine, logLine } from '../progress/log-lines.js'
import { oneLine } from '../progress/one-line.js'
import { DISABLED } from './disabled-flag.js'
import type { PreparedRow, RowBody } from './prepared-row.js'
import type { RefusalWords } from './refusals.js'

/** Characters of source IDs in the log. */
const MAX_SHOWN = 60

interface Work extends RowBody {
  readonly row: PreparedRow
  readonly id: number | null
}

/** Rows of a whole list. */
export interface BackAgain {
  /** Adds to the bodies of rows that their records are enabled. A cell for it in the file counts more. At most two queries. */
  enabled<W extends Work>(call: Call, works: readonly W[]): Promise<readonly W[]>
  /** To be told which records were saved. Returns what the log says of those that are enabled again. */
  saved(call: Call, works: readonly { readonly id: number; readonly row: PreparedRow }[]): Promise<readonly LogLine[]>
}

export function backAgain(deps: AbsencesDeps & { readonly words: RefusalWords }, columns: Columns): BackAgain {
  const type = columns.type.name
  const isSaidByFile = columns.columns.some((column) => column !== null && isField(DISABLED)(column))
  const back = new Set<PreparedRow>()
  return {
    async enabled(call, works) {
      const ids = works.flatMap(({ id }) => id ?? [])
      const absent = isSaidByFile || ids.length === 0 ? null : await absentOnly(deps, call, type, DISABLED, ids)
      if (!absent || absent.size === 0) return works
      return works.map((work) => {
        if (work.id === null || !absent.has(work.id)) return work
        back.add(work.row)
        return { ...work, body: { ...work.body, [DISABLED]: false } }
      })
    },

    async saved(call, works) {
      const enabled = works.filter(({ row }) => back.has(row))
      if (enabled.length === 0) return []
      const ids = enabled.map(({ id }) => id)
      await forgetAbsences(deps.storage, dbOf(deps.storage, call), type, ids)
      return enabled.map(({ row }) => {
        const source_id = oneLine(cellOf(columns, row.cells, isField('sourceID')), MAX_SHOWN)
        return logLine('info', row.line, deps.words.sentence(call.language, 'absent_enabled', '', { source_id }))
      })
    },
  }
}
