/** What projects and their phases work out for themselves (gaps 6.8, 7.7). */
import type { Rule, RuleContext } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'
import { canonicalDecimal } from '../schema/kinds/decimal.js'
import { findAll } from './find-all.js'

/**
 * On creation the time zone is that of the account, and the work hours are those of a team of the manager, or else a calendar
 * of the account that is always active. Without either the caller has to name a calendar.
 */
export function defaultsOfProject() {
  return { rule: 'defaultsOfProject' } as const
}

/** Keeps total_cost (cost_of_effort plus cost_of_purchases) and roi (whole percents; empty without costs). */
export function costsOfProject() {
  return { rule: 'costsOfProject' } as const
}

/** What a decimal column holds: twelve digits in front of the dot. */
const MOST_MONEY = 999_999_999_999
/** What an integer column holds. */
const MOST_PERCENT = 2_147_483_647
const DAYS_OF_WEEK = 7

export const defaultsOfProjectRule: Rule = {
  fields: () => ['time_zone', 'work_hours', 'manager'],
  fills: () => ['time_zone', 'work_hours'],
  async before(context) {
    const { before, call, next } = context
    if (before) return
    next['time_zone'] ??= call.account.timeZone
    next['work_hours_id'] ??= (await calendarOfManager(context)) ?? (await calendarWithoutGaps(context))
  },
}

export const costsOfProjectRule: Rule = {
  fields: () => ['cost_of_effort', 'cost_of_purchases', 'value', 'total_cost', 'roi'],
  before({ fail, next }) {
    const cost = centsOf(next['cost_of_effort']) + centsOf(next['cost_of_purchases'])
    if (Math.abs(cost) > MOST_MONEY * 100) return fail('total_cost', 'greater_than', { max: MOST_MONEY })
    next['total_cost'] = canonicalDecimal((cost / 100).toFixed(2))
    const percent = Math.round(((centsOf(next['value']) - cost) / cost) * 100)
    next['roi'] = cost === 0 ? null : Math.max(-MOST_PERCENT, Math.min(percent, MOST_PERCENT))
  },
}

async function calendarOfManager({ find, load, next }: RuleContext): Promise<Json> {
  if (!next['manager_id']) return null
  for await (const team of findAll(find, 'team', { members: Number(next['manager_id']), disabled: false })) {
    const calendar = await load('calendar', team['work_hours_id'])
    if (calendar?.['disabled'] === false) return calendar['id'] ?? null
  }
  return null
}

/** A calendar with a whole day on each day of the week. */
async function calendarWithoutGaps({ find, load }: RuleContext): Promise<Json> {
  const days = new Map<Json, Set<Json>>()
  for await (const hour of findAll(find, 'calendar_hour', { time_from: '00:00', time_until: '24:00' })) {
    const owner = hour['owner_id'] ?? null
    days.set(owner, (days.get(owner) ?? new Set()).add(hour['weekday'] ?? null))
  }
  for (const [id, weekdays] of days) {
    const calendar = weekdays.size === DAYS_OF_WEEK ? await load('calendar', id) : null
    if (calendar?.['disabled'] === false) return id
  }
  return null
}

/** Exact: a decimal has two digits behind the dot, and all of its digits fit into a number. */
function centsOf(decimal: Json | undefined): number {
  return Math.round(Number(decimal ?? 0) * 100)
}
