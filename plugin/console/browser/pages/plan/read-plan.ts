/** Reads the tasks of a change or a project: a hundred with each call. */
import { type Api, isRecord, type Json, type Output } from '../../core/api.js'
import type { RecordType } from '../../core/read-catalog.js'
import { readPages } from '../../core/read-pages.js'
import { nameOf } from '../../core/record-name.js'
import { inOrder, type Work } from './task-graph.js'

/** A part of a project. */
export interface PlanPhase {
  readonly id: number
  readonly name: string
  readonly position: number
  readonly status: string | null
}

export interface PlanTask extends Work {
  readonly subject: string
  readonly status: string
  readonly isMilestone: boolean
  /** Milliseconds; null if neither the status nor the schedule of the server says it. */
  readonly begin: number | null
  readonly end: number | null
  /** True for times that have come; the others are expected. */
  readonly hasBegun: boolean
  readonly deadline: number | null
  readonly phase: PlanPhase | null
  /** Member, else team. */
  readonly who: string | null
}

export interface Plan {
  /** Each task after those before it. */
  readonly tasks: readonly PlanTask[]
  /** Of all tasks of the record, shown or not. */
  readonly total: number
}

const FINISHED: ReadonlySet<string> = new Set(['failed', 'rejected', 'completed', 'approved', 'canceled'])
const FIELDS = [
  'subject',
  'category',
  'status',
  'planned_duration',
  'assigned_at',
  'finished_at',
  'anticipated_assignment_at',
  'completion_target_at',
  'deadline',
  'phase',
  'team',
  'member',
  'predecessors',
]

/**
 * The plan of a record.
 *
 * @param url of its tasks: `/changes/7/tasks`
 * @param type of the tasks
 * @param most tasks to read, a multiple of 100
 */
export async function readPlan(api: Api, url: string, type: RecordType, most: number, signal: AbortSignal): Promise<Plan> {
  const fields = FIELDS.filter((name) => type.fields.some((field) => field.name === name))
  // In the order of their ids, no task moves to another page while others are added.
  const { records, total } = await readPages<Output>(api, `${url}?fields=${fields.join()}&sort=id`, most, signal)
  return { tasks: inOrder(records.map(taskIn)), total }
}

function taskIn(record: Output): PlanTask {
  const status = String(record['status'] ?? '')
  const isFinished = FINISHED.has(status)
  const assigned = timeIn(record['assigned_at'])
  const begin = assigned ?? (isFinished ? null : timeIn(record['anticipated_assignment_at']))
  const end = isFinished ? timeIn(record['finished_at']) : timeIn(record['completion_target_at'])
  const who = record['member'] ?? record['team'] ?? null
  return {
    id: Number(record['id']),
    subject: nameOf(record, 'subject'),
    status,
    isFinished,
    isMilestone: record['category'] === 'milestone',
    hours: Number(record['planned_duration'] ?? 0) || 0,
    after: recordsIn(record['predecessors']).map(({ id }) => Number(id)),
    time: begin ?? end,
    begin,
    end,
    hasBegun: assigned !== null,
    deadline: timeIn(record['deadline']),
    phase: phaseIn(record['phase']),
    who: isRecord(who) ? nameOf(who, null) : null,
  }
}

function phaseIn(value: Json | undefined): PlanPhase | null {
  if (!isRecord(value)) return null
  const { id, position, status } = value
  return {
    id: Number(id),
    name: nameOf(value, null),
    position: Number(position ?? 0),
    status: typeof status === 'string' ? status : null,
  }
}

function timeIn(value: Json | undefined): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? null : time
}

function recordsIn(value: Json | undefined): readonly Output[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}
