/** The tasks of a change or a project as a graph. Pure functions, which also take what only an unlucky moment can bring: circles. */

/** A task, as far as its place in the graph goes. */
export interface Step {
  readonly id: number
  /** Ids of the tasks before it; those of tasks that are not in the plan have no effect. */
  readonly after: readonly number[]
  /** When it begins, or else ends; null if nobody knows. Of tasks that could come next, the first one does. */
  readonly time: number | null
}

/** A task that may be part of the chain that decides the end. */
export interface Work extends Step {
  /** True for tasks that are completed, approved, failed, rejected or canceled: nobody works on them any more. */
  readonly isFinished: boolean
  /** Planned duration. */
  readonly hours: number
}

export interface Edge {
  readonly from: number
  readonly to: number
}

/** All tasks, each after those before it. In a circle, the first one by its time goes ahead. */
export function inOrder<T extends Step>(tasks: readonly T[]): readonly T[] {
  const waiting = new Map(tasks.map((task) => [task.id, task]))
  const left = new Map(tasks.map(({ id }) => [id, 0]))
  const next = new Map(tasks.map(({ id }): readonly [number, number[]] => [id, []]))
  for (const { from, to } of edgesOf(tasks)) {
    left.set(to, (left.get(to) ?? 0) + 1)
    next.get(from)?.push(to)
  }
  const ready = new Set(tasks.filter(({ id }) => left.get(id) === 0))
  const ordered: T[] = []
  while (waiting.size > 0) {
    const task = firstOf(ready.size > 0 ? ready.values() : waiting.values())
    if (!task) break
    ordered.push(task)
    waiting.delete(task.id)
    ready.delete(task)
    for (const id of next.get(task.id) ?? []) {
      const count = (left.get(id) ?? 0) - 1
      left.set(id, count)
      const one = waiting.get(id)
      if (one && count === 0) ready.add(one)
    }
  }
  return ordered
}

function firstOf<T extends Step>(tasks: Iterable<T>): T | undefined {
  let first: T | undefined
  for (const task of tasks) if (!first || isBefore(task, first)) first = task
  return first
}

function isBefore(a: Step, b: Step): boolean {
  const [time, other] = [a.time ?? Number.POSITIVE_INFINITY, b.time ?? Number.POSITIVE_INFINITY]
  return time === other ? a.id < b.id : time < other
}

/** Which task comes before which other one, each pair once. */
export function edgesOf(tasks: readonly Step[]): readonly Edge[] {
  const known = new Set(tasks.map(({ id }) => id))
  return tasks.flatMap(({ id, after }) =>
    [...new Set(after)].filter((from) => from !== id && known.has(from)).map((from) => ({ from, to: id })),
  )
}

/** The edges that lead forward: of a circle, one does not. @param ordered tasks of `inOrder` */
export function forwardEdges(ordered: readonly Step[]): readonly Edge[] {
  const places = new Map(ordered.map(({ id }, place) => [id, place]))
  return edgesOf(ordered).filter(({ from, to }) => (places.get(from) ?? 0) < (places.get(to) ?? 0))
}

/**
 * The layer of each task: 0 for those that wait for none, else one more than the last of those before it.
 *
 * @param ordered tasks of `inOrder`
 */
export function layersOf(ordered: readonly Step[]): ReadonlyMap<number, number> {
  const layers = new Map<number, number>()
  for (const { id, after } of ordered) {
    layers.set(
      id,
      after.reduce((layer, before) => Math.max(layer, (layers.get(before) ?? -1) + 1), 0),
    )
  }
  return layers
}

/** A chain of tasks that wait for one another. */
export interface Chain<T> {
  readonly tasks: readonly T[]
  /** The sum of their planned durations. */
  readonly hours: number
}

interface Link<T> {
  readonly task: T
  readonly hours: number
  readonly count: number
  readonly before: Link<T> | null
}

/**
 * The critical path: of all chains of tasks that are still to be finished, the one with the most planned hours. If one of its tasks
 * takes longer, so does the whole. Hours are those of the plans: what is done already, when people work, waiting and the earliest
 * start of a task do not count. Of chains with the same hours, the one with more tasks is taken: it ends with their milestones.
 *
 * @param ordered tasks of `inOrder`
 * @returns null if all are finished
 */
export function decidingChain<T extends Work>(ordered: readonly T[]): Chain<T> | null {
  const links = new Map<number, Link<T>>()
  for (const task of ordered) {
    if (task.isFinished) continue
    const before = task.after.reduce<Link<T> | null>((best, id) => longer(best, links.get(id) ?? null), null)
    links.set(task.id, { task, hours: task.hours + (before?.hours ?? 0), count: (before?.count ?? 0) + 1, before })
  }
  const last = [...links.values()].reduce<Link<T> | null>(longer, null)
  if (!last) return null
  const tasks: T[] = []
  for (let link: Link<T> | null = last; link; link = link.before) tasks.unshift(link.task)
  return { tasks, hours: last.hours }
}

function longer<T>(one: Link<T> | null, other: Link<T> | null): Link<T> | null {
  if (!one || !other) return one ?? other
  const isLonger = other.hours === one.hours ? other.count > one.count : other.hours > one.hours
  return isLonger ? other : one
}
