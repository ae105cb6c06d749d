/** Status of a change or a project, as a function of its tasks (behaviour: Changes, Projects). */
import type { Instant } from '../../core/clock.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { SettledValues } from '../../schema/language/define-settling.js'
import type { Keeps } from '../../schema/language/keeps.js'
import type { Move } from '../../schema/language/moves.js'
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

/** How settlings move a workflow with these stages. It can be registered again: its tasks may wait for their start. */
export function progressMoves(stages: readonly string[]): readonly Move[] {
  const begun = [...stages, 'progress_halted']
  const open = ['registered', ...begun]
  const work = (stage: string) =>
    stages.length > 1 ? `the furthest tasks in hand are of the category ${stage}` : 'a task has begun'
  return [
    ...stages.map((stage): Move => ({ from: open.filter((one) => one !== stage), to: stage, when: work(stage) })),
    { from: ['registered', ...stages], to: 'progress_halted', when: 'a task has failed or was rejected' },
    { from: begun, to: 'registered', when: 'no task has begun any more' },
    { from: open, to: 'completed', when: 'all tasks are completed, approved or canceled' },
    { from: ['completed'], to: open, when: 'a task is opened again or added' },
    { from: ['completed'], to: 'progress_halted', when: 'a finished task is corrected to failed or rejected' },
  ]
}

/** Completion of a workflow, as its columns. */
interface Completion {
  readonly status: string
  readonly completion_reason: string | null
  /** True if the reason follows from the tasks; false for one that somebody has given. */
  readonly reason_from_tasks: boolean
}

/** Columns of a change or project that `completionOf` reads and sets. */
export const COMPLETION = ['status', 'completion_reason', 'reason_from_tasks'] as const

/** What `completionOf` keeps, with further fields of the tasks that tell how far they are. */
export function progressFrom(ofTasks: readonly string[]): Keeps {
  const inputs = ['tasks', 'tasks.status']
  return {
    status: [...inputs, ...ofTasks, 'completion_reason'],
    completion_reason: inputs,
    reason_from_tasks: [...inputs, 'completion_reason'],
  }
}

/** The completion of a change or project as stored. */
export function completionIn(owner: Row): Completion {
  const reason = owner['completion_reason']
  return {
    status: String(owner['status']),
    completion_reason: typeof reason === 'string' ? reason : null,
    reason_from_tasks: owner['reason_from_tasks'] === true,
  }
}

/**
 * Status and reason of a workflow with these tasks. A reason that somebody has given stays while all tasks are finished, however
 * they have ended. Otherwise both follow from the tasks alone: nothing is complete if every task was canceled.
 */
export function completionOf(stored: Completion, progress: string, statuses: readonly string[]): Completion {
  const isGiven = stored.status === 'completed' && stored.completion_reason !== null && !stored.reason_from_tasks
  if (isGiven && statuses.every(isFinished)) return stored
  if (progress !== 'completed') return { status: progress, completion_reason: null, reason_from_tasks: false }
  const isWithdrawn = statuses.every((status) => status === 'canceled')
  return { status: progress, completion_reason: isWithdrawn ? 'withdrawn' : 'complete', reason_from_tasks: true }
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
