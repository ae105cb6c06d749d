import { createHash } from 'node:crypto'
import { follow } from '../../schema/language/define-settling.js'

/** Keeps a value of the calendar that changes with its holidays, because rules follow values and not links. */
export const followHolidays = follow('holidays', {
  of: { holidays: { link: 'holidays' } },
  fields: ['holiday_key'],
  keeps: { holiday_key: ['holidays'] },
  decide: ({ holidays }) => ({ owner: { holiday_key: keyOf(holidays.map(({ to }) => to)) } }),
})

function keyOf(ids: readonly number[]): string | null {
  const sorted = [...ids].sort((a, b) => a - b)
  return sorted.length === 0 ? null : createHash('sha256').update(sorted.join()).digest('hex').slice(0, 16)
}
