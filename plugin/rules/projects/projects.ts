/** Derived values and defaults of projects (behaviour: Phases, Projects). */
import { canonicalDecimal } from '../../schema/kinds/decimal.js'
import type { Json } from '../../schema/kinds/fields.js'
import { type FillContext, rule } from '../../schema/language/define-rule.js'
import { teamsOf } from '../people/team-of.js'

/** Maximum of a decimal column: twelve digits before the decimal point, and two after it. */
const MAX_MONEY = 999_999_999_999.99
/** Maximum of an integer column. */
const MAX_PERCENT = 2_147_483_647
const DAYS_OF_WEEK = 7

interface Defaults {
  readonly time_zone: string
  readonly work_hours_id: number
  readonly manager_id: number
}

/**
 * On creation the time zone defaults to that of the account. The work hours default to those of a team of the manager, or else
 * to a calendar of the account that is always active. If there is neither, the caller has to name a calendar.
 */
export const defaultsOfProject = rule.for<Defaults>()('defaultsOfProject', () => ({
  fields: ['time_zone', 'work_hours', 'manager'],
  fills: ['time_zone', 'work_hours'],
  async fill(context) {
    const { before, call, next } = context
    if (before) return
    next.time_zone ??= call.account.timeZone
    next.work_hours_id ??= (await calendarOfManager(context)) ?? (await calendarWithoutGaps(context))
  },
}))

interface Costs {
  readonly cost_of_effort: string
  readonly cost_of_purchases: string
  readonly value: string
  readonly total_cost: string
  readonly roi: number
}

/** Computes total_cost (cost_of_effort plus cost_of_purchases) and roi (whole percents; null without costs). */
export const costsOfProject = rule.for<Costs>()('costsOfProject', () => ({
  fields: ['cost_of_effort', 'cost_of_purchases', 'value', 'total_cost', 'roi'],
  keeps: {
    total_cost: ['cost_of_effort', 'cost_of_purchases'],
    roi: ['cost_of_effort', 'cost_of_purchases', 'value'],
  },
  fill({ fail, next }) {
    const cost = centsOf(next.cost_of_effort) + centsOf(next.cost_of_purchases)
    if (cost > centsOf(MAX_MONEY)) return fail('total_cost', 'greater_than', { max: MAX_MONEY })
    if (cost < -centsOf(MAX_MONEY)) return fail('total_cost', 'less_than', { min: -MAX_MONEY })
    next.total_cost = canonicalDecimal((cost / 100).toFixed(2))
    // Adding 0 makes 0 of -0, which columns do not preserve.
    const percent = Math.round(((centsOf(next.value) - cost) / cost) * 100) + 0
    next.roi = cost === 0 ? null : Math.max(-MAX_PERCENT, Math.min(percent, MAX_PERCENT))
  },
}))

async function calendarOfManager(context: FillContext<Defaults>): Promise<number | null> {
  const { load, next } = context
  const teams = await teamsOf(context, next.manager_id)
  const calendars = await Promise.all(teams.map((team) => load('calendar', team['work_hours_id'])))
  return idOf(calendars.find((calendar) => calendar?.['disabled'] === false)?.['id'])
}

/** A calendar with a whole day on each day of the week. */
async function calendarWithoutGaps({ find, load }: FillContext<Defaults>): Promise<number | null> {
  const days = new Map<Json, Set<Json>>()
  for (const hour of await find('calendar_hour', { time_from: '00:00', time_until: '24:00' })) {
    const owner = hour['owner_id'] ?? null
    days.set(owner, (days.get(owner) ?? new Set()).add(hour['weekday'] ?? null))
  }
  const whole = [...days].flatMap(([id, weekdays]) => (weekdays.size === DAYS_OF_WEEK ? [id] : []))
  const calendars = await Promise.all(whole.map((id) => load('calendar', id)))
  return idOf(calendars.find((calendar) => calendar?.['disabled'] === false)?.['id'])
}

function idOf(value: Json | undefined): number | null {
  return typeof value === 'number' ? value : null
}

/** Exact: a decimal has two digits after the decimal point, and all of its digits fit into a number. */
function centsOf(decimal: string | number | null): number {
  return Math.round(Number(decimal ?? 0) * 100)
}
