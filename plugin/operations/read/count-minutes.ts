/** Counts the active minutes of a calendar for callers (spec, Additional endpoints; behaviour: Calendars). */
import type { Call } from '../../core/call.js'
import type { Instant } from '../../core/clock.js'
import { BadRequest } from '../../core/errors.js'
import { isBlank } from '../../core/text/blank.js'
import { shown } from '../../core/text/shown.js'
import { zoneOf } from '../../core/time/time-zones.js'
import { parseInstant, withPlusRestored } from '../../core/time/zoned-time.js'
import { CALENDAR } from '../../schema/language/built-in-types.js'
import type { DurationRequest, Operations } from '../contract.js'
import { readCalendars } from './calendars.js'
import type { CalendarDeps } from './read-deps.js'
import { visibleRow } from './visible.js'

/** Maximum length of a timestamp or the name of a zone; longer texts are not even looked at. */
const MAX_LENGTH = 100

/** Creates the operation. */
export function createDuration(deps: CalendarDeps): Pick<Operations, 'duration'> {
  return {
    async duration(call, id, request) {
      const { from, until, zone } = readRequest(call, request)
      const type = deps.catalog.type(CALENDAR)
      const row = await visibleRow(deps, call, type, id)
      await deps.decisions.decide(call, 'read', type, row)
      const calendar = (await readCalendars(deps, call, [id])).get(id)
      return calendar?.in(zone).minutesBetween(from, until) ?? 0
    },
  }
}

/** @throws BadRequest that names the first wrong parameter */
function readRequest(call: Call, { start, end, time_zone }: DurationRequest) {
  const from = readInstant(call, 'start', start)
  const until = readInstant(call, 'end', end)
  const zone = isBlank(time_zone) ? 'UTC' : zoneOf(shortText(time_zone))
  if (zone === undefined) throw invalid('time_zone', time_zone)
  if (until < from) throw new BadRequest("Parameter 'end' cannot be before parameter 'start'")
  return { from, until, zone }
}

function readInstant(call: Call, name: string, value: unknown): Instant {
  if (isBlank(value)) throw new BadRequest(`Parameter '${name}' is required`)
  const text = shortText(value)
  const moment = parseInstant(withPlusRestored(text), call.zone)
  if (moment === null) throw invalid(name, value)
  return moment
}

/** Empty for anything else. */
function shortText(value: unknown): string {
  return typeof value === 'string' && value.length <= MAX_LENGTH ? value.trim() : ''
}

function invalid(name: string, value: unknown): BadRequest {
  return new BadRequest(`Invalid value ${shown(value)} for parameter '${name}'`)
}
