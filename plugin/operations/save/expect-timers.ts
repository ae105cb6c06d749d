import { momentOf } from '../../schema/derive/waiting.js'
import { tellAfterCommit } from '../../storage/database/transaction.js'
import type { Draft } from '../work/draft.js'
import type { Work } from '../work/pipeline.js'
import type { TimerDeps } from './save-deps.js'

/** Reports to the timers, after the commit, when the first of the saved records is due. What is past waits for nobody. */
export function expectTimers({ deps, call, type }: Work<TimerDeps>, drafts: readonly Draft[]): void {
  if (type.timers.length === 0 || call.isHistory) return
  const changed = drafts.filter((draft) => draft.before === null || draft.changed.length + draft.changedMarks.length > 0)
  const [first] = changed.flatMap(({ next }) => type.timers.flatMap((timer) => momentOf(type, timer, next) ?? [])).sort()
  if (first !== undefined) tellAfterCommit(call, deps.expectTimers, [first])
}
