/** Reads the hours and holidays of calendars. */
import type { Call } from '../../core/call.js'
import { chunksOf, MAX_VALUES } from '../../core/chunks.js'
import type { HolidayTime, WeekHours } from '../../core/time/week.js'
import type { Calendar } from '../../core/time/working-time.js'
import { CALENDAR } from '../../schema/language/built-in-types.js'
import type { CalendarDeps } from './read-deps.js'
import { partsOfOwners } from './visible.js'

/**
 * Compiled calendars by id, in their current state, of any account. Reads up to 500 of them with two statements. The ids come
 * from records, so they are not checked: a calendar that does not exist is never active.
 */
export async function readCalendars(
  deps: CalendarDeps,
  call: Call,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, Calendar>> {
  const { catalog, compileCalendar, queries, scope } = deps
  const type = catalog.type(CALENDAR)
  const hoursType = catalog.type(type.parts.get('calendar_hours') ?? '')
  const link = type.links.get('holidays')
  const calendars = new Map<number, Calendar>()
  for (const some of chunksOf([...new Set(ids)], MAX_VALUES)) {
    const hoursOf = new Map(some.map((id) => [id, [] as WeekHours[]]))
    const holidaysOf = new Map(some.map((id) => [id, [] as HolidayTime[]]))
    const ofThese = { type: hoursType, where: partsOfOwners(CALENDAR, some) }
    for (const [id, weekday, from, until] of await queries.cells(call, ofThese, HOURS)) {
      hoursOf.get(Number(id))?.push({ weekday: String(weekday), time_from: String(from), time_until: String(until) })
    }
    if (link) {
      const holiday = catalog.type(link.record)
      const where = await scope.resolve(call, holiday.existsWhile)
      for (const [id, start, end] of await queries.linkedCells(call, link, some, { type: holiday, where }, HOLIDAYS)) {
        holidaysOf.get(Number(id))?.push({ start_at: String(start), end_at: String(end) })
      }
    }
    for (const id of some) {
      calendars.set(id, compileCalendar({ hours: hoursOf.get(id) ?? [], holidays: holidaysOf.get(id) ?? [] }))
    }
  }
  return calendars
}

const HOURS = [['owner_id'], ['weekday'], ['time_from'], ['time_until']]
const HOLIDAYS = [['start_at'], ['end_at']]
