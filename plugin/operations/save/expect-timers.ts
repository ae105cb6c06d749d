import type { RecordType } from '../../schema/catalog.js'
import type { Scalar } from '../../schema/language/conditions.js'
import { canMeet } from '../../schema/language/define-timer.js'
import { tellAfterCommit } from '../../storage/database/transaction.js'
import type { Draft } from '../work/draft.js'
import type { Work } from '../work/pipeline.js'
import type { TimerDeps } from './save-deps.js'

/** Reports to the timers, after the commit, when the first of the saved records is due. What is past waits for nobody. */
export function expectTimers({ deps, call, type }: Work<TimerDeps>, drafts: readonly Draft[]): void {
  if (type.timers.length === 0 || call.isHistory) return
  const changed = drafts.filter((draft) => draft.before === null || draft.changed.length > 0)
  const [first] = changed.flatMap(({ next }) => instantsOf(type, next)).sort()
  if (first !== undefined) tellAfterCommit(call, deps.expectTimers, [first])
}

/** The timestamps for which a record waits. */
function instantsOf(type: RecordType, row: Draft['next']): readonly string[] {
  const valueIn = (name: string) => (row[type.fields.get(name)?.column ?? name] ?? null) as Scalar
  return type.timers.flatMap((timer) => {
    const moment = row[timer.column]
    return typeof moment === 'string' && canMeet(timer.while, valueIn) ? [moment] : []
  })
}
