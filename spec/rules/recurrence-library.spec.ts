/**
 * Random recurrences, compared with a library that reads their iCalendar form. They agree on everything but one point, on purpose:
 * where clocks skip the time of an occurrence, the library leaves the occurrence out (RFC 5545, 3.3.10), and ours comes after the
 * gap. The change of a month must not be lost because its time does not exist on one day (behaviour: Change templates).
 */
import { expect } from 'chai'
import { RRuleTemporal } from 'rrule-temporal'
import { formatInstant, parseInstant } from '../../plugin/core/time/zoned-time.js'
import { icalOf, nextOccurrence, type Recurrence } from '../../plugin/rules/recurrence/occurrences.js'
import { seeded } from '../support/minute-by-minute.js'

const RECURRENCES = 1_500
const OCCURRENCES = 8
const ZONES = [
  ...['Etc/UTC', 'Europe/Amsterdam', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'],
  // Clocks change by half an hour; by an hour at midnight; by two hours.
  ...['Australia/Lord_Howe', 'America/Santiago', 'Africa/Cairo', 'Antarctica/Troll'],
]
const TIMES = ['00:00', '00:15', '01:30', '02:00', '02:15', '02:30', '03:00', '09:00', '23:45']

/** A recurrence that the rules accept. */
function randomRecurrence(chance: () => number): Recurrence {
  const upTo = (max: number) => Math.floor(chance() * max)
  const oneOf = <T>(values: readonly T[]): T => values[upTo(values.length)] as T
  const some = (from: number, until: number, most: number) =>
    [...new Set(Array.from({ length: 1 + upTo(most) }, () => from + upTo(until - from + 1)))].sort((a, b) => a - b)
  const frequency = oneOf(['daily', 'weekly', 'monthly', 'yearly'] as const)
  const hasMonths = frequency === 'monthly' || frequency === 'yearly'
  const onWeekdays = hasMonths && chance() < 0.4
  const start = new Date(Date.UTC(2024 + upTo(4), upTo(12), 1 + upTo(31)))
  const end = new Date(start.getTime() + upTo(2_000) * 86_400_000)
  return {
    frequency,
    interval: chance() < 0.5 ? 1 : 1 + upTo(frequency === 'yearly' ? 3 : 9),
    startDate: start.toISOString().slice(0, 10),
    endDate: chance() < 0.3 ? end.toISOString().slice(0, 10) : null,
    timeOfDay: oneOf(TIMES),
    zone: oneOf(ZONES),
    weekdays: !hasMonths && (frequency === 'daily' || chance() < 0.8) ? some(1, 7, 4) : [],
    monthDays: hasMonths && !onWeekdays && chance() < 0.9 ? some(1, 31, 4).map((day) => (chance() < 0.15 ? -1 : day)) : [],
    nthWeekdays: onWeekdays ? { nth: oneOf([1, 2, 3, 4, -1]), weekdays: some(1, 7, 3) } : null,
    months: frequency === 'yearly' ? some(1, 12, 4) : [],
  }
}

/** The occurrences after the timestamp by the iCalendar form, which has neither the time of day nor the time of the last day. */
function byLibrary(recurrence: Recurrence, after: string, count: number): readonly string[] {
  const { endDate, timeOfDay, zone } = recurrence
  const [hour, minute] = timeOfDay.split(':').map(Number)
  const until = endDate === null ? '' : (parseInstant(`${endDate}T23:59`, zone) ?? '').replace(/[-:]/g, '')
  const ical = icalOf(recurrence).replace(/UNTIL=\w+/, `UNTIL=${until}`)
  const rruleString = `${ical};BYHOUR=${hour};BYMINUTE=${minute};BYSECOND=0`
  const rule = new RRuleTemporal({ rruleString })
  const found: string[] = []
  for (let last = new Date(after); found.length < count; ) {
    const next = rule.next(last)
    if (next === null) break
    const instant = next.toInstant().toString()
    found.push(instant)
    last = new Date(instant)
  }
  return found
}

function byRule(recurrence: Recurrence, after: string, count: number): readonly string[] {
  const found: string[] = []
  for (let last = after; found.length < count; ) {
    const next = nextOccurrence(recurrence, last)
    if (next === null) break
    found.push(next)
    last = next
  }
  return found
}

/** True if the clocks of the zone show the time of day at the timestamp; false if they have skipped it. */
function isAtItsTime({ timeOfDay, zone }: Recurrence, instant: string): boolean {
  return formatInstant(instant, zone).slice('2026-11-23T'.length, '2026-11-23T09:00'.length) === timeOfDay
}

describe('recurrences', function () {
  this.timeout(60_000)

  it(`occur as a library says, in ${RECURRENCES} cases`, () => {
    let [repeated, moved] = [0, 0]
    for (let seed = 1; seed <= RECURRENCES; seed += 1) {
      const chance = seeded(seed)
      const recurrence = randomRecurrence(chance)
      const after = new Date(Date.parse(`${recurrence.startDate}T00:00Z`) + (chance() * 900 - 100) * 86_400_000)
      const from = `${after.toISOString().slice(0, 19)}Z`
      const ours = byRule(recurrence, from, OCCURRENCES)
      const known = ours.filter((instant) => isAtItsTime(recurrence, instant))
      const theirs = byLibrary(recurrence, from, known.length + (ours.length < OCCURRENCES ? 1 : 0))
      expect(known, `seed ${seed}: ${JSON.stringify(recurrence)} after ${from}`).to.deep.equal(theirs)
      if (known.length > 1) repeated += 1
      moved += ours.length - known.length
    }
    expect(repeated, 'that occur more than once').to.be.above(RECURRENCES / 2)
    expect(moved, 'moved over a gap').to.be.at.least(5)
  })

  it('occur after a gap where the library leaves them out', () => {
    const recurrence: Recurrence = {
      ...{ frequency: 'monthly', interval: 1, startDate: '2026-02-01', endDate: null, timeOfDay: '02:30' },
      ...{ zone: 'Europe/Amsterdam', weekdays: [], monthDays: [29], nthWeekdays: null, months: [] },
    }
    const from = '2026-03-01T00:00:00Z'
    expect(byRule(recurrence, from, 2)).to.deep.equal(['2026-03-29T01:30:00Z', '2026-04-29T00:30:00Z'])
    expect(byLibrary(recurrence, from, 2)).to.deep.equal(['2026-04-29T00:30:00Z', '2026-05-29T00:30:00Z'])
  })
})
