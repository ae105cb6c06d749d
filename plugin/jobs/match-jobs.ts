/** Filters and sorts the jobs of the store in memory, in the same way as MongoDB does. */
import type { JobParameters, JobsSort, RemoveJobsOptions } from 'agenda'

/** Matches the jobs that the options select; criteria that are absent or empty accept all. */
export function accepting({ id, ids, name, names, notNames, data }: RemoveJobsOptions): (job: JobParameters) => boolean {
  const wantedIds = id ? [id] : ids?.length ? ids : undefined
  const wantedNames = name ? [name] : names?.length ? names : undefined
  return (job) =>
    (!wantedIds || wantedIds.some((wanted) => String(wanted) === job._id)) &&
    (wantedNames ? wantedNames.includes(job.name) : !notNames?.includes(job.name)) &&
    (data === undefined || contains(job.data, data))
}

/** Like `accepting`, but no criteria match no job, so that the store is not emptied by accident. */
export function acceptingOnly(options: RemoveJobsOptions): (job: JobParameters) => boolean {
  const { id, ids, name, names, notNames, data } = options
  const isEmpty = !id && !ids?.length && !name && !names?.length && !notNames?.length && data === undefined
  return isEmpty ? () => false : accepting(options)
}

/** Matches jobs with all of `{ 'data.key': 7, lockedAt: null }`: absent and null are equal, as in MongoDB. */
export function having(wanted: Record<string, unknown>): (job: JobParameters) => boolean {
  const conditions = Object.entries(wanted).map(([path, value]) => ({ keys: path.split('.'), value }))
  return (job) => conditions.every(({ keys, value }) => isSame(valueAt(job, keys), value))
}

function valueAt(job: JobParameters, keys: readonly string[]): unknown {
  let value: unknown = job
  for (const key of keys) value = isObject(value) ? value[key] : undefined
  return value
}

function contains(actual: unknown, wanted: unknown): boolean {
  if (!isObject(wanted) || wanted instanceof Date) return isSame(actual, wanted)
  return isObject(actual) && Object.entries(wanted).every(([key, value]) => contains(actual[key], value))
}

/** True for equal values; dates are compared by their time, absent equals null. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime()
  return (one ?? null) === (other ?? null)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Earlier first, then the higher priority: the order in which jobs are locked. */
export function compareDue(one: JobParameters, other: JobParameters): number {
  return (one.nextRunAt?.getTime() ?? 0) - (other.nextRunAt?.getTime() ?? 0) || other.priority - one.priority
}

/** Compares by the sort order of a query; jobs without the value come first when ascending. */
export function compareBy(sort: JobsSort): (one: JobParameters, other: JobParameters) => number {
  const keys = Object.entries(sort) as [keyof JobsSort, 'asc' | 'desc'][]
  return (one, other) => {
    for (const [key, direction] of keys) {
      const [left, right] = [rank(one[key]), rank(other[key])]
      if (left !== right) return left < right === (direction === 'asc') ? -1 : 1
    }
    return 0
  }
}

function rank(value: unknown): string | number {
  return value instanceof Date ? value.getTime() : typeof value === 'number' ? value : value == null ? '' : String(value)
}
