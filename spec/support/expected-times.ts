/** Times that are counted in work hours, computed from the stored rows minute by minute, without any code of the plugin. */
import type { Row } from '../../plugin/schema/language/define-rule.js'
import { activeMinutes, type Minutes, minutesOf } from './minute-by-minute.js'

/** Everything stored that such times follow from. */
export interface Stored {
  readonly zone: string
  /** Rows by type. */
  readonly rows: { readonly [type: string]: readonly Row[] }
  /** Pairs of ids by link. */
  readonly holidaysOf: ReadonlyMap<number, readonly number[]>
  /** By the type of the tasks. */
  readonly predecessorsOf: { readonly [type: string]: ReadonlyMap<number, readonly number[]> }
}

/** IANA names of the zones that are used. */
const ZONES: { readonly [zone: string]: string } = {
  Amsterdam: 'Europe/Amsterdam',
  London: 'Europe/London',
  Tokyo: 'Asia/Tokyo',
}
const walls = new Map<string, Minutes>()
const FINISHED = ['failed', 'rejected', 'completed', 'approved', 'canceled']
const HALTING = ['failed', 'rejected']
const sums = new Map<string, Int32Array>()
const known = new Map<string, string>()

/** Two years of the wall time of a zone. */
/** The years of nearly all times. */
const YEARS = { first: 2026, count: 2 }

function wallOf(zone: string): Minutes {
  const wall = walls.get(zone) ?? minutesOf(ZONES[zone] ?? 'UTC', YEARS.first, YEARS.count)
  walls.set(zone, wall)
  return wall
}

/** For the few times that are later. */
function wallOfYear(zone: string, year: number): Minutes {
  const key = `${zone} ${year}`
  const wall = walls.get(key) ?? minutesOf(ZONES[zone] ?? 'UTC', year - 1, 3)
  walls.set(key, wall)
  return wall
}

/** Active time of a stored calendar in a zone, or in that of the account; all time without a calendar. */
export function workOf({ holidaysOf, rows, zone }: Stored, calendar: unknown, inZone: unknown) {
  const wall = wallOf(String(inZone ?? zone))
  const indexOf = (time: string) => (Date.parse(time) - wall.start) / 60_000
  const hours = (rows['calendar_hour'] ?? []).filter((row) => row['owner_id'] === calendar)
  const linked = holidaysOf.get(Number(calendar)) ?? []
  const holidays = (rows['holiday'] ?? []).filter(({ id }) => linked.includes(Number(id)))
  const times = { hours, holidays } as unknown as Parameters<typeof activeMinutes>[1]
  const key = JSON.stringify([inZone ?? zone, hours, holidays])
  const counted = calendar === null ? null : (sums.get(key) ?? activeMinutes(wall, times))
  if (counted) sums.set(key, counted)
  return {
    after(start: string, minutes: number): string | null {
      if (counted === null) return instant(Date.parse(start) + minutes * 60_000)
      if (minutes === 0) return start
      const wanted = (counted[indexOf(start)] ?? 0) + minutes
      const found = counted.indexOf(wanted, indexOf(start))
      return found < 0 ? null : instant(wall.start + found * 60_000)
    },
    between(from: string, until: string): number {
      if (counted === null) return (Date.parse(until) - Date.parse(from)) / 60_000
      return (counted[indexOf(until)] ?? 0) - (counted[indexOf(from)] ?? 0)
    },
  }
}

/** A local time such as 2026-11-18T24:00 in a zone. */
export function localTime(zone: unknown, time: string): string {
  const key = `${zone} ${time}`
  const year = Number(time.slice(0, 4))
  const wall = year < YEARS.first + YEARS.count ? wallOf(String(zone)) : wallOfYear(String(zone), year)
  const found = known.get(key) ?? instant(wall.start + wall.local.indexOf(Date.parse(`${time}:00Z`) / 60_000) * 60_000)
  known.set(key, found)
  return found
}

/** Computes the times of what is stored. */
export function expectedTimes(stored: Stored) {
  const { predecessorsOf, rows, zone } = stored
  const of = (type: string) => rows[type] ?? []
  const byId = (type: string, id: unknown) => of(type).find((row) => row['id'] === id)
  const byIds = (type: string, ids: readonly number[] = []) => of(type).filter(({ id }) => ids.includes(Number(id)))
  const after = (calendar: unknown, inZone: unknown, start: string, minutes: number) =>
    workOf(stored, calendar, inZone).after(start, minutes)

  const times: Record<string, unknown> = {}
  const note = (type: string, id: unknown, column: string, value: unknown) => {
    times[`${type} ${id} ${column}`] = value
  }
  /** Expected times of the tasks of one change or project. */
  const targetsOf = (
    type: string,
    tasks: readonly Row[],
    start: string,
    hoursOf: (task: Row) => readonly [unknown, unknown],
  ) => {
    const found = new Map<unknown, string | null>()
    const begun = new Map<unknown, unknown>()
    const targetOf = (task: Row): string | null => {
      const known = found.get(task['id'])
      if (known !== undefined) return known
      const before = byIds(type, predecessorsOf[type]?.get(Number(task['id'])))
      const ends = before.map((one) => {
        if (HALTING.includes(String(one['status']))) return null
        return FINISHED.includes(String(one['status'])) ? one['finished_at'] : targetOf(one)
      })
      const expected = ends.length === 0 ? start : ends.includes(null) ? null : String(ends.toSorted().at(-1))
      const begins = task['status'] === 'registered' ? expected : String(task['assigned_at'])
      const from = task['start_at'] && begins !== null && String(task['start_at']) > begins ? String(task['start_at']) : begins
      begun.set(task['id'], task['status'] === 'registered' ? from : task['assigned_at'])
      const target = from === null ? null : after(...hoursOf(task), from, Number(task['planned_duration']) * 60)
      found.set(task['id'], target)
      return target
    }
    const open = tasks.filter(({ status }) => !FINISHED.includes(String(status)))
    const targets = new Map(open.map((task) => [task['id'], targetOf(task)]))
    for (const { id } of open) note(type, id, 'completion_target_at', targets.get(id))
    for (const { id } of open) note(type, id, 'anticipated_assignment_at', begun.get(id))
    return targets
  }

  const tasksOf = (type: string, by: string, owner: Row, hoursOf: (task: Row) => readonly [unknown, unknown]) => {
    const tasks = of(type).filter((task) => task[`${by}_id`] === owner['id'])
    const targets = targetsOf(type, tasks, String(owner['start_at'] ?? owner['created_at']), hoursOf)
    // Finished tasks keep what they have.
    const targetOf = ({ completion_target_at, id }: Row) => (targets.has(id) ? targets.get(id) : completion_target_at) ?? null
    return lastOf(tasks.map(targetOf))
  }
  const lastOfChange = new Map<unknown, unknown>()
  for (const change of of('change')) {
    const last = tasksOf('task', 'change', change, ({ team_id }) => {
      const team = byId('team', team_id)
      return [team?.['work_hours_id'] ?? null, team?.['time_zone'] ?? null]
    })
    note('change', change['id'], 'completion_target_at', last)
    lastOfChange.set(change['id'], last)
  }
  for (const project of of('project')) {
    const hours = [project['work_hours_id'] ?? null, project['time_zone']] as const
    note(
      'project',
      project['id'],
      'completion_target_at',
      tasksOf('project_task', 'project', project, () => hours),
    )
  }
  for (const release of of('release')) {
    const changes = of('change').filter(({ release_id }) => release_id === release['id'])
    note('release', release['id'], 'completion_target_at', lastOf(changes.map(({ id }) => lastOfChange.get(id) ?? null)))
  }
  for (const affected of of('affected_sla')) {
    if (affected['actual_resolution_at'] !== null) continue
    const sla = byId('sla', affected['sla_id'])
    const offering = byId('service_offering', sla?.['service_offering_id'])
    for (const name of ['response', 'resolution']) {
      const minutes = offering?.[`${name}_target_${affected['impact']}`] ?? null
      const calendar = offering?.[`support_hours_${affected['impact']}_id`] ?? null
      const start = String(affected['started_at'])
      const target = minutes === null ? null : after(calendar, offering?.['time_zone'] ?? null, start, Number(minutes))
      note('affected_sla', affected['id'], `${name}_target_at`, target)
    }
  }
  for (const type of ['sla', 'flsa', 'contract']) {
    for (const row of of(type)) {
      if (row['status'] === 'expired') continue
      const midnight = (date: unknown, time: string) =>
        typeof date === 'string' ? localTime(row['time_zone'] ?? zone, `${date}T${time}`) : null
      note(type, row['id'], 'begins_at', midnight(row['start_date'], '00:00'))
      note(type, row['id'], 'ends_at', midnight(row['expiry_date'], '24:00'))
    }
  }
  return times
}

function lastOf(all: readonly unknown[]): unknown {
  return (
    all
      .filter((one) => one !== null)
      .toSorted()
      .at(-1) ?? null
  )
}

function instant(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`
}
