/** Tasks of a workflow as stored, and their order. */
import type { Instant } from '../../core/clock.js'
import type { Json } from '../../schema/kinds/fields.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { LinkPair } from '../../schema/language/define-settling.js'
import type { Approval } from './approvals.js'

/** Columns that tasks of changes and of projects share. */
export interface WorkflowTask {
  readonly id: number
  readonly status: string
  readonly category: string
  readonly required_approvals: number | null
  /** In hours. */
  readonly planned_duration: number | null
  /** The earliest start. */
  readonly start_at: Instant | null
  readonly assigned_at: Instant | null
  readonly finished_at: Instant | null
  readonly anticipated_assignment_at: Instant | null
  readonly completion_target_at: Instant | null
}

/** Rows of a settling as tasks. Other columns of their type can be read, too. */
export function tasksOf<T extends object = object>(rows: readonly Row[]): readonly (WorkflowTask & T)[] {
  return rows as unknown as readonly (WorkflowTask & T)[]
}

/** Approvals, or assignments, by the id of their task. */
export function decisionsByTask(rows: readonly Row[]): ReadonlyMap<number, readonly Approval[]> {
  const groups = new Map<number, Approval[]>()
  for (const row of rows) {
    const task = Number(row['owner_id'])
    const group = groups.get(task) ?? []
    groups.set(task, group)
    const person = Number(row['approver_id'] ?? row['assignee_id'])
    group.push({ id: Number(row['id']), status: String(row['status']), person })
  }
  return groups
}

/** The text of a column; null when it is empty. */
export function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}

/** Predecessors by task. */
export type Predecessors = ReadonlyMap<number, readonly number[]>

/** Predecessors from links between a task and its predecessor. Links to tasks of other workflows are omitted. */
export function predecessorsOf(tasks: readonly WorkflowTask[], links: readonly LinkPair[]): Predecessors {
  const before = new Map<number, number[]>(tasks.map(({ id }) => [id, []]))
  for (const { from, to } of links) if (before.has(to)) before.get(from)?.push(to)
  return before
}

/** The tasks, each after all of its predecessors. Tasks in a cycle, which cannot be stored, are omitted. */
export function inOrder<T extends WorkflowTask>(tasks: readonly T[], before: Predecessors): readonly T[] {
  const waitsFor = new Map(tasks.map(({ id }) => [id, before.get(id)?.length ?? 0]))
  const behind = new Map<number, T[]>()
  for (const task of tasks) {
    for (const id of before.get(task.id) ?? []) {
      const list = behind.get(id)
      if (list) list.push(task)
      else behind.set(id, [task])
    }
  }
  const ordered = tasks.filter(({ id }) => waitsFor.get(id) === 0)
  // The list grows while it is read.
  for (const { id } of ordered) {
    for (const task of behind.get(id) ?? []) {
      const left = (waitsFor.get(task.id) ?? 0) - 1
      waitsFor.set(task.id, left)
      if (left === 0) ordered.push(task)
    }
  }
  return ordered
}
