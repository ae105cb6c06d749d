import { expect } from 'chai'
import { icalOf, nextOccurrence, type Recurrence } from '../../../plugin/rules/recurrence/occurrences.js'

const START: Recurrence = {
  frequency: 'daily',
  interval: 1,
  startDate: '2026-11-23',
  endDate: null,
  timeOfDay: '09:00',
  zone: 'Etc/UTC',
  weekdays: [],
  monthDays: [],
  nthWeekdays: null,
  months: [],
}

/** The first occurrences after a moment, one after the other; as dates when they are at nine in UTC. */
function occurrences(settings: Partial<Recurrence>, count: number, after = '2026-11-21T12:00:00Z'): readonly string[] {
  const found: string[] = []
  let last = after
  while (found.length < count) {
    const next = nextOccurrence({ ...START, ...settings }, last)
    if (next === null) break
    found.push(next)
    last = next
  }
  return found.map((moment) => moment.replace('T09:00:00Z', ''))
}

describe('the next occurrence', () => {
  describe('of a recurrence that does not repeat', () => {
    const settings = { frequency: 'no_repeat' } as const

    it('is its start, once', () => {
      expect(occurrences(settings, 3)).to.deep.equal(['2026-11-23'])
      expect(occurrences(settings, 3, '2026-11-23T09:00:00Z')).to.deep.equal([])
    })
  })

  describe('of a daily one', () => {
    it('is every so many days from the start on', () => {
      expect(occurrences({ interval: 3 }, 3)).to.deep.equal(['2026-11-23', '2026-11-26', '2026-11-29'])
      expect(occurrences({ interval: 3 }, 2, '2027-11-23T09:00:00Z')).to.deep.equal(['2027-11-24', '2027-11-27'])
    })
    it('is on the given days of the week only', () => {
      expect(occurrences({ weekdays: [1, 3, 5] }, 4)).to.deep.equal(['2026-11-23', '2026-11-25', '2026-11-27', '2026-11-30'])
      expect(occurrences({ weekdays: [7], interval: 2 }, 2)).to.deep.equal(['2026-11-29', '2026-12-13'])
    })
    it('is never when the interval never meets the days of the week', () => {
      expect(occurrences({ weekdays: [2], interval: 7 }, 1)).to.deep.equal([])
    })
    it('is later today when the time has not come yet, and tomorrow when it has', () => {
      expect(occurrences({}, 1, '2026-12-01T08:59:59Z')).to.deep.equal(['2026-12-01'])
      expect(occurrences({}, 1, '2026-12-01T09:00:00Z')).to.deep.equal(['2026-12-02'])
    })
  })

  describe('of a weekly one', () => {
    it('is on the weekday of the start when none is given', () => {
      expect(occurrences({ frequency: 'weekly', startDate: '2026-11-26' }, 2)).to.deep.equal(['2026-11-26', '2026-12-03'])
    })
    it('is on each of the given days, in every so many weeks, which start on Monday', () => {
      expect(occurrences({ frequency: 'weekly', interval: 2, weekdays: [7, 2], startDate: '2026-11-25' }, 4)).to.deep.equal([
        '2026-11-29',
        '2026-12-08',
        '2026-12-13',
        '2026-12-22',
      ])
    })
  })

  describe('of a monthly one', () => {
    it('is on the given days of the month', () => {
      expect(occurrences({ frequency: 'monthly', monthDays: [15, 1] }, 3)).to.deep.equal([
        '2026-12-01',
        '2026-12-15',
        '2027-01-01',
      ])
    })
    it('is on the last day, however long the month', () => {
      const settings = { frequency: 'monthly', monthDays: [-1], startDate: '2027-12-01' } as const
      expect(occurrences(settings, 4)).to.deep.equal(['2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31'])
    })
    it('skips the months that do not have the day, and says a day once', () => {
      const settings = { frequency: 'monthly', startDate: '2027-01-01' } as const
      expect(occurrences({ ...settings, monthDays: [31] }, 3)).to.deep.equal(['2027-01-31', '2027-03-31', '2027-05-31'])
      expect(occurrences({ ...settings, monthDays: [31, -1] }, 3)).to.deep.equal(['2027-01-31', '2027-02-28', '2027-03-31'])
    })
    it('is on the first to fourth of a weekday', () => {
      const first = { frequency: 'monthly', nthWeekdays: { nth: 1, weekdays: [1, 2] } } as const
      expect(occurrences(first, 4)).to.deep.equal(['2026-12-01', '2026-12-07', '2027-01-04', '2027-01-05'])
      const fourth = { frequency: 'monthly', nthWeekdays: { nth: 4, weekdays: [4] } } as const
      expect(occurrences(fourth, 2)).to.deep.equal(['2026-11-26', '2026-12-24'])
    })
    it('is on the last of a weekday, be it the fourth or the fifth', () => {
      const settings = { frequency: 'monthly', nthWeekdays: { nth: -1, weekdays: [1] } } as const
      expect(occurrences(settings, 3)).to.deep.equal(['2026-11-30', '2026-12-28', '2027-01-25'])
    })
    it('counts every so many months from that of the start on', () => {
      const settings = { frequency: 'monthly', interval: 3, monthDays: [10], startDate: '2026-11-23' } as const
      expect(occurrences(settings, 2)).to.deep.equal(['2027-02-10', '2027-05-10'])
    })
    it('is never when no month of the interval has the day', () => {
      const settings = { frequency: 'monthly', interval: 12, monthDays: [30], startDate: '2027-02-01' } as const
      expect(occurrences(settings, 1)).to.deep.equal([])
    })
  })

  describe('of a yearly one', () => {
    it('is in the given months, on the day of the start', () => {
      expect(occurrences({ frequency: 'yearly', months: [5, 1] }, 3)).to.deep.equal(['2027-01-23', '2027-05-23', '2028-01-23'])
    })
    it('is on the given days of the months', () => {
      expect(occurrences({ frequency: 'yearly', months: [2], monthDays: [-1] }, 2)).to.deep.equal(['2027-02-28', '2028-02-29'])
    })
    it('is on a weekday of the months', () => {
      const settings = { frequency: 'yearly', months: [1, 4, 7, 10], nthWeekdays: { nth: 1, weekdays: [1] } } as const
      expect(occurrences(settings, 4)).to.deep.equal(['2027-01-04', '2027-04-05', '2027-07-05', '2027-10-04'])
    })
    it('waits for a leap year, however far', () => {
      const settings = { frequency: 'yearly', months: [2], monthDays: [29], startDate: '2096-01-01' } as const
      expect(occurrences(settings, 2)).to.deep.equal(['2096-02-29', '2104-02-29'])
      expect(occurrences({ ...settings, interval: 25, startDate: '2075-01-01' }, 1)).to.deep.equal(['2400-02-29'])
    })
    it('is never on 30 February', () => {
      expect(occurrences({ frequency: 'yearly', months: [2], monthDays: [30] }, 1)).to.deep.equal([])
    })
  })

  it('is not before the start date, even in its first week, month and year', () => {
    const startDate = '2026-11-25'
    expect(occurrences({ frequency: 'weekly', weekdays: [1, 4], startDate }, 1)).to.deep.equal(['2026-11-26'])
    expect(occurrences({ frequency: 'monthly', monthDays: [24, 26], startDate }, 1)).to.deep.equal(['2026-11-26'])
    expect(occurrences({ frequency: 'yearly', months: [10, 12], startDate }, 1)).to.deep.equal(['2026-12-25'])
  })

  it('may be on the end date and is never after it', () => {
    expect(occurrences({ endDate: '2026-11-24' }, 5)).to.deep.equal(['2026-11-23', '2026-11-24'])
    expect(occurrences({ endDate: '2026-11-20' }, 5)).to.deep.equal([])
    expect(occurrences({ frequency: 'no_repeat', endDate: '2026-11-20' }, 5)).to.deep.equal([])
  })

  it('is null when the calendar ends before it', () => {
    expect(occurrences({ frequency: 'yearly', interval: 2_000_000_000, months: [1] }, 1)).to.deep.equal([])
    expect(occurrences({ interval: 2_000_000_000 }, 2)).to.deep.equal(['2026-11-23'])
  })

  describe('by the clocks of its zone', () => {
    const berlin = { zone: 'Europe/Berlin', startDate: '2026-03-28' } as const

    it('stays at the same time of day when the clocks change', () => {
      expect(occurrences({ ...berlin, timeOfDay: '10:00' }, 3)).to.deep.equal(['2026-11-22', '2026-11-23', '2026-11-24'])
      expect(occurrences({ ...berlin, timeOfDay: '10:00' }, 3, '2026-03-27T12:00:00Z')).to.deep.equal([
        '2026-03-28',
        '2026-03-29T08:00:00Z',
        '2026-03-30T08:00:00Z',
      ])
    })
    it('is after the gap when the clocks skip its time, and the first of two when they show it twice', () => {
      const settings = { ...berlin, timeOfDay: '02:30' }
      expect(occurrences(settings, 2, '2026-03-28T12:00:00Z')).to.deep.equal(['2026-03-29T01:30:00Z', '2026-03-30T00:30:00Z'])
      expect(occurrences(settings, 2, '2026-10-24T12:00:00Z')).to.deep.equal(['2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'])
    })
    it('belongs to the day of the zone, not to that of UTC', () => {
      const tokyo = { zone: 'Asia/Tokyo', frequency: 'weekly', timeOfDay: '06:00', weekdays: [1] } as const
      expect(occurrences(tokyo, 2, '2026-11-22T20:59:00Z')).to.deep.equal(['2026-11-22T21:00:00Z', '2026-11-29T21:00:00Z'])
      const honolulu = { zone: 'Pacific/Honolulu', frequency: 'monthly', timeOfDay: '20:00', monthDays: [-1] } as const
      expect(occurrences(honolulu, 2)).to.deep.equal(['2026-12-01T06:00:00Z', '2027-01-01T06:00:00Z'])
    })
    it('is found when a gap moves it over midnight', () => {
      const santiago = { zone: 'America/Santiago', timeOfDay: '00:15', startDate: '2026-09-01' } as const
      expect(occurrences(santiago, 2, '2026-09-06T04:05:00Z')).to.deep.equal(['2026-09-06T04:15:00Z', '2026-09-07T03:15:00Z'])
    })
  })
})

describe('the iCalendar form', () => {
  const ical = (settings: Partial<Recurrence>) => icalOf({ ...START, zone: 'Europe/Amsterdam', ...settings }).split('\n')
  const rule = (settings: Partial<Recurrence>) => ical(settings)[1]

  it('has a start without a time, and a rule', () => {
    const settings = { frequency: 'yearly', months: [1, 4, 7, 10], nthWeekdays: { nth: 1, weekdays: [1] } } as const
    expect(ical(settings)).to.deep.equal([
      'DTSTART;TZID=Europe/Amsterdam:20261123T000000',
      'RRULE:FREQ=YEARLY;BYMONTH=1,4,7,10;BYDAY=1MO',
    ])
  })
  it('has no rule when nothing repeats', () => {
    expect(ical({ frequency: 'no_repeat' })).to.deep.equal(['DTSTART;TZID=Europe/Amsterdam:20261123T000000'])
  })
  it('tells the interval when it is not one, and the last day in UTC', () => {
    expect(rule({ interval: 2, weekdays: [1, 7], endDate: '2027-07-01' })).to.equal(
      'RRULE:FREQ=DAILY;INTERVAL=2;UNTIL=20270630T220000Z;BYDAY=MO,SU',
    )
  })
  it('tells what the frequency needs, and nothing else', () => {
    const all = { weekdays: [2], monthDays: [1, -1], months: [6] }
    expect(rule({ ...all, frequency: 'weekly' })).to.equal('RRULE:FREQ=WEEKLY;BYDAY=TU')
    expect(rule({ ...all, frequency: 'monthly' })).to.equal('RRULE:FREQ=MONTHLY;BYMONTHDAY=1,-1')
    expect(rule({ ...all, frequency: 'yearly' })).to.equal('RRULE:FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=1,-1')
    const last = { nth: -1, weekdays: [5, 6] }
    expect(rule({ ...all, frequency: 'monthly', nthWeekdays: last })).to.equal('RRULE:FREQ=MONTHLY;BYDAY=-1FR,-1SA')
    expect(rule({ ...all, frequency: 'weekly', weekdays: [], nthWeekdays: last })).to.equal('RRULE:FREQ=WEEKLY')
  })
})
