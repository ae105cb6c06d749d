import type { Json } from '../../schema/kinds/fields.js'
import { type RuleContext, rule } from '../../schema/language/define-rule.js'
import { clockAt } from './sla-clock.js'

/** Maximum that a column of minutes holds: callers may send any two times of the years 1000 to 9999. */
const MAX_MINUTES = 2_147_483_647

/** Columns of a request that the clock of its affected SLAs depends on. */
export const CLOCK_COLUMNS = [
  'status',
  'completed_at',
  'desired_completion_at',
  'downtime_start_at',
  'downtime_end_at',
] as const

const COUNTED = ['started_at', 'support_hours', 'time_zone']
const KEEPS = {
  response_target_at: [...COUNTED, 'maximum_response_duration'],
  resolution_target_at: [...COUNTED, 'maximum_resolution_duration', 'stopped_clock_duration'],
  response_warning_at: [...COUNTED, 'maximum_response_duration'],
  resolution_warning_at: [...COUNTED, 'maximum_resolution_duration', 'stopped_clock_duration'],
  actual_response_at: ['request.status'],
  actual_response_duration: [...COUNTED, 'actual_response_at'],
  actual_resolution_at: ['request.status'],
  actual_resolution_duration: [...COUNTED, 'actual_resolution_at', 'stopped_clock_duration'],
  stopped_clock_at: ['request.status'],
  downtime_start_at: ['request.downtime_start_at'],
  downtime_end_at: ['request.downtime_end_at'],
  downtime_duration: ['request.downtime_start_at', 'request.downtime_end_at', 'impact', 'service_hours', 'time_zone'],
  desired_completion_at: ['request.desired_completion_at'],
  next_target_at: [
    ...['accountability', 'stopped_clock_at', 'actual_response_at', 'actual_resolution_at'],
    ...['response_target_at', 'resolution_target_at', 'desired_completion_at'],
  ],
}

/** Sets the clock of an affected SLA with each save, from its request and its calendars (behaviour: Affected SLAs). */
export const keepClock = rule('keepClock', () => ({
  fields: ['request', 'support_hours', 'service_hours', 'time_zone'],
  keeps: KEEPS,
  async fill({ accountZone, call, calendarOf, load, next, warnAtPercent }) {
    const request = await load('request', next['request_id'])
    if (!request) return
    // A change of hours waits for those who count in them, and then renews what they have counted.
    const hours = [next['support_hours_id'], next['service_hours_id']] as const
    await Promise.all(hours.map((id) => load('calendar', id, { lock: 'shared' })))
    const [support, service] = await Promise.all([calendarOf(hours[0]), calendarOf(hours[1])])
    const zone = textOf(next['time_zone']) ?? (await accountZone())
    const state = {
      accountability: textOf(next['accountability']),
      maximum_response_duration: minutesOf(next['maximum_response_duration']),
      maximum_resolution_duration: minutesOf(next['maximum_resolution_duration']),
      started_at: textOf(next['started_at']),
      actual_response_at: textOf(next['actual_response_at']),
      actual_resolution_at: textOf(next['actual_resolution_at']),
      stopped_clock_at: textOf(next['stopped_clock_at']),
      stopped_clock_duration: minutesOf(next['stopped_clock_duration']) ?? 0,
    }
    const facts = {
      status: String(request['status']),
      completed_at: textOf(request['completed_at']),
      desired_completion_at: textOf(request['desired_completion_at']),
    }
    const [from, until] = [textOf(request['downtime_start_at']), textOf(request['downtime_end_at'])]
    // Service hours are known only for the impact with which the service is down.
    const isDown = next['impact'] === 'top' && from !== null && until !== null
    Object.assign(next, clockAt(call.now, state, facts, support.in(zone), warnAtPercent), {
      downtime_start_at: from,
      downtime_end_at: until,
      downtime_duration: isDown ? Math.min(service.in(zone).minutesBetween(from, until), MAX_MINUTES) : null,
    })
  },
}))

/** True if the clock of affected SLAs has to be set again after this save of their request. */
export function movesClock({ changed }: Pick<RuleContext, 'changed'>): boolean {
  return CLOCK_COLUMNS.some((column) => changed(column))
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function minutesOf(value: Json | undefined): number | null {
  return value === null || value === undefined ? null : Number(value)
}
