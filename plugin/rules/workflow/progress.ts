/** Status of a change or a project, as a function of its tasks (behaviour: Changes, Projects). */
import type { Instant } from '../../core/clock.js'
import type { SettledValues } from '../../schema/define-settling.js'
import type { Move } from '../../schema/moves.js'
import { isDone, isFinished, isHalting, isInHand } from './statuses.js'

/** The stages of a change, which are the categories of its tasks, in their order. */
export const STAGES = ['risk_and_impact', 'approval', 'implementation'] as const
/** Impacts of tasks, changes and releases, from the least to the most. */
export const IMPACTS = ['none', 'low', 'medium', 'high', 'top'] as const

/** Status and category of a task. */
interface TaskState {
  readonly status: string
  readonly category: string
}

/** Progress of the tasks: a stage of the work, or one of these. */
export type Progress<S extends string> = 'registered' | 'progress_halted' | 'completed' | S

/**
 * The progress of a workflow with at least one task. `stageOf` returns the stage of a category of tasks, `stages` lists them in
 * order. The furthest stage counts, of the tasks in hand, or of the finished ones if no task is in hand.
 */
export function progressOf<S extends string>(
  tasks: readonly TaskState[],
  stages: readonly S[],
  stageOf: (category: string) => S | undefined,
): Progress<S> {
  const statuses = tasks.map(({ status }) => status)
  if (statuses.every(isDone)) return 'completed'
  if (statuses.some(isHalting)) return 'progress_halted'
  const inHand = tasks.filter(({ status }) => isInHand(status))
  const begun = inHand.length > 0 ? inHand : tasks.filter(({ status }) => isFinished(status) && status !== 'canceled')
  const reached = begun.map(({ category }) => stages.indexOf(stageOf(category) ?? ('' as S)))
  return stages[Math.max(-1, ...reached)] ?? 'registered'
}

/**
 * How settlings move a workflow with these stages. One with a start time can be registered again: its first tasks may wait for
 * that time, and otherwise begin at once.
 */
export function progressMoves(
  stages: readonly string[],
  { hasStartTime }: { readonly hasStartTime: boolean },
): readonly Move[] {
  const begun = [...stages, 'progress_halted']
  const open = ['registered', ...begun]
  const work = (stage: string) =>
    stages.length > 1 ? `the furthest tasks in hand are of the category ${stage}` : 'a task has begun'
  const back: Move = { from: begun, to: 'registered', when: 'no task has begun any more' }
  return [
    ...stages.map((stage): Move => ({ from: open.filter((one) => one !== stage), to: stage, when: work(stage) })),
    { from: ['registered', ...stages], to: 'progress_halted', when: 'a task has failed or was rejected' },
    ...(hasStartTime ? [back] : []),
    { from: open, to: 'completed', when: 'all tasks are completed, approved or canceled' },
    { from: ['completed'], to: hasStartTime ? open : begun, when: 'a task is opened again or added' },
  ]
}

/** The stored completion of a workflow. */
interface Completion {
  readonly status: string
  readonly completion_reason: string | null
}

/**
 * Status and reason of a workflow with these tasks: completed by its tasks; completed by a person who gave a reason while all
 * tasks were finished; or opened again by an open task. Otherwise the progress of its tasks.
 */
export function completionOf(stored: Completion, progress: string, statuses: readonly string[]): Completion {
  const wasEnded = stored.status === 'completed' && stored.completion_reason !== null && statuses.every(isFinished)
  if (wasEnded) return { status: stored.status, completion_reason: stored.completion_reason }
  if (progress === 'completed') return { status: progress, completion_reason: stored.completion_reason ?? 'complete' }
  return { status: progress, completion_reason: null }
}

/** The value that comes last in the order; the first of the order if there is none. */
export function highest<V extends string>(values: readonly (string | null)[], order: readonly [V, ...V[]]): V {
  const index = Math.max(0, ...values.map((value) => order.indexOf(value as V)))
  return order[index] ?? order[0]
}

/** The latest completion target; null when there is none. */
export function lastTarget(rows: readonly SettledValues[]): Instant | null {
  const targets = rows.flatMap(({ completion_target_at: at }) => (typeof at === 'string' ? [at] : []))
  return targets.sort().at(-1) ?? null
}
