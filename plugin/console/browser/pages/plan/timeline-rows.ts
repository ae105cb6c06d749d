/** The rows of a timeline, and the time that the bar of each of them takes. */
import type { PlanPhase, PlanTask } from './read-plan.js'
import type { TimeScale } from './time-scale.js'

/** In pixels, as the other lengths of the drawing. */
export const ROW_HEIGHT = 36
/** Before the first mark, for arrows to the first bars. */
export const INSET = 16
/** For the status at the end of the last bar. */
const LABEL_WIDTH = 144

/** The width of the drawing of a scale. */
export function drawnWidth(scale: Pick<TimeScale, 'width'>): number {
  return INSET + scale.width + LABEL_WIDTH
}

export interface Row {
  readonly task: PlanTask
  /** The top of the row. */
  readonly y: number
}

export interface RowGroup {
  /** Null for tasks without a phase; undefined if none of the plan has one. */
  readonly phase: PlanPhase | null | undefined
  readonly rows: readonly Row[]
}

/** Rows by phase, in the order of the phases, then of the tasks; tasks without a phase are the last ones. */
export function rowsOf(tasks: readonly PlanTask[]): readonly RowGroup[] {
  const phases = new Map(tasks.flatMap(({ phase }) => (phase ? [[phase.id, phase] as const] : [])))
  const sorted = [...phases.values()].sort((a, b) => a.position - b.position || a.id - b.id)
  const groups =
    sorted.length === 0
      ? [{ phase: undefined, of: tasks }]
      : [...sorted, null].map((phase) => ({
          phase,
          of: tasks.filter((task) => (task.phase?.id ?? null) === (phase?.id ?? null)),
        }))
  let y = 0
  return groups
    .filter(({ of }) => of.length > 0)
    .map(({ of, phase }) => {
      if (phase !== undefined) y += ROW_HEIGHT
      const rows = of.map((task, index) => ({ task, y: y + index * ROW_HEIGHT }))
      y += of.length * ROW_HEIGHT
      return { phase, rows }
    })
}

/** From the begin to the end of a task; a point if only one of them is known, null without any. */
export function spanOf({ begin, end }: PlanTask): { readonly from: number; readonly to: number } | null {
  const known = [begin, end].filter((time) => time !== null)
  if (known.length === 0) return null
  // What was finished before it began has the time between.
  return { from: Math.min(...known), to: Math.max(...known) }
}
