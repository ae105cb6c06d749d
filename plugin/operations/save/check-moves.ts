/** Refuses values that may not follow the present one: `moves` of definitions (behaviour: Moves). */
import { applies, type Teams } from '../../access/sight/decide.js'
import type { Call } from '../../core/call.js'
import type { NextStep } from '../../schema/language/allowed-moves.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { ReadDeps } from '../read/read-deps.js'
import { type Draft, refuse } from '../work/draft.js'
import type { Work } from '../work/pipeline.js'

/** The next steps that the caller may choose in a record. @param row with the people and teams that steps name */
export function openSteps(call: Call, steps: readonly NextStep[] = [], row: Row | null, teams: Teams): readonly NextStep[] {
  return steps.filter(({ by }) => by === null || by.some((who) => applies(call, who, row, teams)))
}

/** Looks at what callers have chosen. What rules and the system set is free, and so are new records and what an undo puts back. */
export async function checkMoves({ call, deps, type }: Work<ReadDeps>, drafts: readonly Draft[]): Promise<void> {
  if (type.moves.size === 0 || call.bypassesPermissions) return
  const teams = await deps.decisions.teams(call, type)
  for (const draft of drafts) {
    if (draft.before === null || draft.item.restored) continue
    for (const [name, table] of type.moves) {
      const field = type.fields.get(name)
      const column = field?.column ?? name
      const [was, is] = [draft.before[column], draft.next[column]]
      const isChosen = draft.input.given.has(name) && draft.input.values[column] === is
      if (!isChosen || was === is || typeof was !== 'string' || typeof is !== 'string') continue
      const steps = table.get(was) ?? []
      const open = openSteps(call, steps, draft.accessRow, teams)
      if (open.some(({ to }) => to === is)) continue
      const shown = { enumeration: field?.enumeration ?? '', from: was }
      if (open.length === 0) refuse(draft, name, steps.length === 0 ? 'no_move' : 'move_of_others', { ...shown, values: [was] })
      else refuse(draft, name, 'not_a_move', { ...shown, values: open.map(({ to }) => to) })
    }
  }
}
