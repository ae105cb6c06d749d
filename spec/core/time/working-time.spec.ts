import { expect } from 'chai'
import type { CalendarTimes } from '../../../plugin/core/time/week.js'
import { AROUND_THE_CLOCK, createCompileCalendar } from '../../../plugin/core/time/working-time.js'
import { activeMinutes, minutesOf, seeded } from '../../support/minute-by-minute.js'

const AMSTERDAM = 'Europe/Amsterdam'
const WORKING_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri']
const OFFICE: CalendarTimes = {
  hours: WORKING_DAYS.map((weekday) => ({ weekday, time_from: '09:00', time_until: '17:00' })),
  holidays: [],
}
const NEVER: CalendarTimes = { hours: [], holidays: [] }
const ALWAYS: CalendarTimes = {
  hours: [...WORKING_DAYS, 'sat', 'sun'].map((weekday) => ({ weekday, time_from: '00:00', time_until: '24:00' })),
  holidays: [],
}
const compile = createCompileCalendar()
const closed = (start_at: string, end_at: string) => ({ start_at, end_at })
const at = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`

describe('active time', () => {
  const office = compile(OFFICE).in(null)

  it('is what lies within the hours', () => {
    // 2026-11-23 is a Monday.
    expect(office.minutesBetween('2026-11-23T00:00:00Z', '2026-11-24T00:00:00Z')).to.equal(480)
    expect(office.minutesBetween('2026-11-23T10:00:00Z', '2026-11-23T10:30:00Z')).to.equal(30)
    expect(office.minutesBetween('2026-11-23T17:00:00Z', '2026-11-24T09:00:00Z')).to.equal(0)
    expect(office.minutesBetween('2026-11-20T16:00:00Z', '2026-11-23T10:00:00Z')).to.equal(120)
    expect(office.minutesBetween('2026-11-24T10:00:00Z', '2026-11-23T10:00:00Z')).to.equal(0)
    expect(office.minutesBetween('2026-11-24T10:00:00Z', '2026-11-24T10:00:00Z')).to.equal(0)
  })

  it('is told in whole minutes and kept in seconds', () => {
    expect(office.minutesBetween('2026-11-23T10:00:30Z', '2026-11-23T10:01:29Z')).to.equal(0)
    expect(office.minutesBetween('2026-11-23T10:00:30Z', '2026-11-23T10:01:30Z')).to.equal(1)
    expect(office.secondsBetween('2026-11-23T10:00:30Z', '2026-11-23T10:01:29Z')).to.equal(59)
  })

  it('follows the clocks of the zone', () => {
    const kathmandu = compile(OFFICE).in('Asia/Kathmandu')
    expect(kathmandu.minutesBetween('2026-11-23T03:14:00Z', '2026-11-23T03:16:00Z')).to.equal(1)
    expect(kathmandu.nextActive('2026-11-23T00:00:00Z')).to.equal('2026-11-23T03:15:00Z')
  })

  it('has a short and a long day when clocks change', () => {
    const always = compile(ALWAYS).in(AMSTERDAM)
    expect(always.minutesBetween('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z')).to.equal(23 * 60)
    expect(always.minutesBetween('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z')).to.equal(25 * 60)
    const night = (time_from: string, time_until: string) =>
      compile({ hours: [{ weekday: 'sun', time_from, time_until }], holidays: [] }).in(AMSTERDAM)
    const [spring, autumn] = [
      ['2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z'],
      ['2026-10-24T12:00:00Z', '2026-10-25T12:00:00Z'],
    ] as const
    expect(night('01:00', '04:00').minutesBetween(...spring)).to.equal(120)
    expect(night('02:00', '03:00').minutesBetween(...spring)).to.equal(0)
    expect(night('02:00', '03:00').minutesBetween(...autumn)).to.equal(120)
    // Both times between 02:00 and 02:30.
    expect(night('02:00', '02:30').minutesBetween(...autumn)).to.equal(60)
    expect(night('02:00', '02:30').instantAfter('2026-10-24T12:00:00Z', 45)).to.equal('2026-10-25T01:15:00Z')
    // That Sunday has no 02:00: the next one has.
    expect(night('02:00', '02:30').nextActive('2026-03-28T12:00:00Z')).to.equal('2026-04-05T00:00:00Z')
  })

  it('knows that Samoa had no 30 December in 2011', () => {
    const always = compile(ALWAYS).in('Pacific/Apia')
    const fridays = compile({ hours: [{ weekday: 'fri', time_from: '00:00', time_until: '24:00' }], holidays: [] }).in(
      'Pacific/Apia',
    )
    expect(always.minutesBetween('2011-12-29T10:00:00Z', '2011-12-31T10:00:00Z')).to.equal(2 * 1440)
    expect(fridays.minutesBetween('2011-12-24T10:00:00Z', '2012-01-05T10:00:00Z')).to.equal(0)
    expect(fridays.nextActive('2011-12-27T00:00:00Z')).to.equal('2012-01-05T10:00:00Z')
  })

  it('leaves out holidays, whole days and parts of them, also those that overlap', () => {
    const holidays = [
      closed('2026-11-24T12:00', '2026-11-24T14:00'),
      closed('2026-11-24T13:00', '2026-11-24T13:30'),
      closed('2026-11-24T14:00', '2026-11-24T15:00'),
      closed('2026-11-26T00:00', '2026-11-27T00:00'),
      closed('2026-11-24T13:15', '2026-11-24T14:45'),
      closed('2026-11-28T00:00', '2026-11-30T00:00'),
    ]
    const some = compile({ ...OFFICE, holidays }).in(AMSTERDAM)
    expect(some.minutesBetween('2026-11-23T00:00:00Z', '2026-11-28T00:00:00Z')).to.equal(5 * 480 - 180 - 480)
    // 12:30 is 11:30 UTC.
    expect(some.nextActive('2026-11-24T11:30:00Z')).to.equal('2026-11-24T14:00:00Z')
    expect(some.instantAfter('2026-11-24T08:00:00Z', 181)).to.equal('2026-11-24T14:01:00Z')
    expect(some.instantAfter('2026-11-24T08:00:00Z', 180)).to.equal('2026-11-24T11:00:00Z')
  })

  it('counts hours that overlap once, and those that meet as one', () => {
    const hours = [
      { weekday: 'mon', time_from: '13:00', time_until: '24:00' },
      { weekday: 'tue', time_from: '00:00', time_until: '00:00' },
      { weekday: 'mon', time_from: '10:00', time_until: '14:00' },
      { weekday: 'mon', time_from: '10:30', time_until: '11:00' },
    ]
    const long = compile({ hours, holidays: [] }).in('UTC')
    expect(long.minutesBetween('2026-11-23T00:00:00Z', '2026-11-24T00:00:00Z')).to.equal(14 * 60)
    expect(long.minutesBetween('2026-11-23T00:00:00Z', '2026-11-25T00:00:00Z')).to.equal(38 * 60)
    expect(long.instantAfter('2026-11-23T23:30:00Z', 60)).to.equal('2026-11-24T00:30:00Z')
  })

  it('does not count times that make no sense', () => {
    const hours = [
      { weekday: 'someday', time_from: '09:00', time_until: '17:00' },
      { weekday: 'mon', time_from: '17:00', time_until: '09:00' },
      { weekday: 'mon', time_from: 'nine', time_until: 'five' },
      { weekday: 'tue', time_from: '09:00', time_until: '10:00' },
    ]
    const odd = compile({ hours, holidays: [closed('2026-11-25T00:00', '2026-11-23T00:00'), closed('then', 'later')] }).in(
      'UTC',
    )
    expect(odd.minutesBetween('2026-11-23T00:00:00Z', '2026-11-30T00:00:00Z')).to.equal(60)
  })
})

describe('time around the clock', () => {
  it('is all time, whatever the zone', () => {
    const all = AROUND_THE_CLOCK.in(AMSTERDAM)
    expect(all.minutesBetween('2026-03-28T23:00:00Z', '2026-03-29T22:00:59Z')).to.equal(23 * 60)
    expect(all.minutesBetween('2026-03-29T22:00:00Z', '2026-03-28T23:00:00Z')).to.equal(0)
    expect(all.instantAfter('2026-03-28T23:00:10Z', 90)).to.equal('2026-03-29T00:30:10Z')
    expect(all.instantAfter('2026-03-28T23:00:10Z', 1e15)).to.equal(null)
    expect(all.nextActive('2026-03-28T23:00:10Z')).to.equal('2026-03-28T23:00:10Z')
  })
})

describe('the moment at which active time has passed', () => {
  const office = compile(OFFICE).in(AMSTERDAM)

  it('is the end of a day, not the next morning', () => {
    expect(office.instantAfter('2026-11-20T08:00:00Z', 480)).to.equal('2026-11-20T16:00:00Z')
    expect(office.instantAfter('2026-11-20T08:00:00Z', 481)).to.equal('2026-11-23T08:01:00Z')
    expect(office.instantAfter('2026-11-21T08:00:00Z', 480)).to.equal('2026-11-23T16:00:00Z')
    expect(office.instantAfter('2026-11-20T08:00:00Z', 5 * 480)).to.equal('2026-11-26T16:00:00Z')
  })

  it('is the same moment when nothing has to pass', () => {
    expect(office.instantAfter('2026-11-21T08:00:00Z', 0)).to.equal('2026-11-21T08:00:00Z')
    expect(compile(NEVER).in('UTC').instantAfter('2026-11-21T08:00:00Z', 0)).to.equal('2026-11-21T08:00:00Z')
  })

  it('never comes without hours, in a holiday without end, and beyond the year 9999', () => {
    const never = compile(NEVER).in(AMSTERDAM)
    expect(never.minutesBetween('2026-01-01T00:00:00Z', '9999-01-01T00:00:00Z')).to.equal(0)
    expect(never.instantAfter('2026-01-01T00:00:00Z', 1)).to.equal(null)
    expect(never.nextActive('2026-01-01T00:00:00Z')).to.equal(null)
    const closedForever = compile({ ...OFFICE, holidays: [closed('1000-01-01T00:00', '9999-12-31T23:59')] }).in(AMSTERDAM)
    expect(closedForever.nextActive('2026-01-01T00:00:00Z')).to.equal(null)
    expect(office.instantAfter('2026-01-01T00:00:00Z', Number.MAX_SAFE_INTEGER)).to.equal(null)
    expect(office.instantAfter('9999-12-31T16:30:00Z', 60)).to.equal(null)
  })

  it('is not there for an amount that is none', () => {
    for (const wrong of [-1, Number.NaN]) expect(() => office.instantAfter('2026-01-01T00:00:00Z', wrong)).to.throw(RangeError)
  })
})

/** Ten years each, with what is odd about the zone in them. */
const DECADES: Readonly<Record<string, number>> = {
  'Europe/Amsterdam': 2018,
  'America/New_York': 2001,
  'Australia/Lord_Howe': 2000,
  'Pacific/Apia': 2006,
  'Asia/Kathmandu': 1981,
  UTC: 2020,
  'America/Sao_Paulo': 2012,
}

describe('active time, against a count of each minute of ten years', function () {
  this.timeout(60_000)
  for (const [zone, year] of Object.entries(DECADES)) {
    it(zone, () => {
      const random = seeded(year)
      const minutes = minutesOf(zone, year, 10)
      for (let round = 0; round < 2; round += 1) {
        const calendar = randomCalendar(random, year)
        const sums = activeMinutes(minutes, calendar)
        const counted = compile(calendar).in(zone)
        const total = sums.at(-1) ?? 0
        const sumAt = (index: number) => sums[index] ?? total
        const instantOf = (index: number) => at(minutes.start + index * 60_000)
        for (let turn = 0; turn < 400; turn += 1) {
          const from = Math.floor(random() * minutes.local.length)
          const until = Math.min(minutes.local.length, from + Math.floor(random() ** 4 * minutes.local.length))
          const about = `${JSON.stringify(calendar)} from ${instantOf(from)} until ${instantOf(until)}`
          const between = sumAt(until) - sumAt(from)
          expect(counted.minutesBetween(instantOf(from), instantOf(until)), about).to.equal(between)
          if (between > 0) {
            const end = firstAtLeast(sums, sumAt(until), from)
            expect(counted.instantAfter(instantOf(from), between), about).to.equal(instantOf(end))
          }
          const next = firstAtLeast(sums, sumAt(from) + 1, from)
          if (next < sums.length) expect(counted.nextActive(instantOf(from)), about).to.equal(instantOf(next - 1))

          const odd = at(minutes.start + from * 60_000 + Math.floor(random() * 60) * 1000)
          const amount = Math.floor(random() ** 3 * 500_000)
          const after = counted.instantAfter(odd, amount)
          if (after !== null) expect(counted.secondsBetween(odd, after), `${about} ${odd} ${amount}`).to.equal(60 * amount)
        }
      }
    })
  }

  it('in whatever parts it is counted', () => {
    const random = seeded(7)
    for (const zone of Object.keys(DECADES)) {
      const counted = compile(randomCalendar(random, 2020)).in(zone)
      for (let turn = 0; turn < 50; turn += 1) {
        const [a = 0, b = 0, c = 0] = Array.from({ length: 3 }, () => Date.UTC(1990, 0, 1) + random() * 4e12).sort(
          (x, y) => x - y,
        )
        const parts = counted.secondsBetween(at(a), at(b)) + counted.secondsBetween(at(b), at(c))
        expect(parts, `${zone} ${at(a)} ${at(b)} ${at(c)}`).to.equal(counted.secondsBetween(at(a), at(c)))
      }
    }
  })
})

describe('counting active time', () => {
  const holidays = Array.from({ length: 100 }, (_, index) => {
    const day = `${2020 + Math.floor(index / 10)}-${String((index % 10) + 1).padStart(2, '0')}-05`
    return closed(`${day}T00:00`, `${day}T24:00`.replace('T24:00', 'T23:59'))
  })

  it('over ten years takes much less than a millisecond', () => {
    const counted = compile({ ...OFFICE, holidays }).in(AMSTERDAM)
    const turns = 200
    const count = () => counted.minutesBetween('2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z')
    count()
    const started = performance.now()
    for (let turn = 0; turn < turns; turn += 1) count()
    expect((performance.now() - started) / turns).to.be.lessThan(0.5)
  })

  it('over all years does not take long, and needs no more for a time that never comes', () => {
    for (const zone of [AMSTERDAM, 'America/St_Johns', 'Africa/Casablanca', 'Etc/UTC']) {
      const counted = createCompileCalendar()({ ...OFFICE, holidays }).in(zone)
      const started = process.cpuUsage()
      counted.minutesBetween('1000-01-01T00:00:00Z', '9999-12-31T23:59:59Z')
      counted.instantAfter('1000-01-01T00:00:00Z', 1e12)
      const { user, system } = process.cpuUsage(started)
      expect((user + system) / 1000, zone).to.be.lessThan(1000)
    }
  })

  it('takes the names of zones in the list, those of IANA in any case, and no others', () => {
    expect(compile(OFFICE).in('Kathmandu').nextActive('2026-11-23T00:00:00Z')).to.equal('2026-11-23T03:15:00Z')
    const counted = compile(OFFICE).in('europe/AMSTERDAM')
    expect(counted.nextActive('2026-11-23T00:00:00Z')).to.equal('2026-11-23T08:00:00Z')
    expect(() => compile(OFFICE).in('Europe/Atlantis')).to.throw(RangeError)
  })
})

/** Smallest index from `start` on at which the sums reach a value. */
function firstAtLeast(sums: Int32Array, value: number, start: number): number {
  let [low, high] = [start - 1, sums.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((sums[middle] ?? 0) >= value) high = middle
    else low = middle
  }
  return high
}

/** Few or many hours, also overlapping ones and full days; holidays from minutes to months, some in hours in which clocks change. */
function randomCalendar(random: () => number, year: number): CalendarTimes {
  const below = (limit: number) => Math.floor(random() * limit)
  const time = (minute: number) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
  const hours = Array.from({ length: 1 + below(14) }, () => {
    const weekday = [...WORKING_DAYS, 'sat', 'sun'][below(7)] ?? 'mon'
    if (below(6) === 0) return { weekday, time_from: '00:00', time_until: '24:00' }
    const from = below(1440)
    return { weekday, time_from: time(from), time_until: time(from + 1 + below(1440 - from)) }
  })
  const holidays = Array.from({ length: below(60) }, () => {
    const start = Date.UTC(year - 1, 0, 1) + below(12 * 365 * 1440) * 60_000
    const length = [1, 45, 600, 1440, 20_000][below(5)] ?? 1
    return closed(at(start).slice(0, 16), at(start + (1 + below(length)) * 60_000).slice(0, 16))
  })
  return { hours, holidays }
}
