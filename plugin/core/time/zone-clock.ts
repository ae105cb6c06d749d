/**
 * When the clocks of a time zone change. Found out from the time zone data of Node.js, year by year, when a year is first asked
 * for; each year is kept. All times are seconds since 1970.
 */

/** A time during which a zone has one offset: its clocks show UTC plus `offset`. */
export interface Span {
  readonly from: number
  /** The first second that is no longer part of it. */
  readonly until: number
  /** In seconds; whole minutes. */
  readonly offset: number
}

/** The clocks of one zone. */
export interface ZoneClock {
  /** The spans in order, from the one on that contains the time, until the year 9999 ends. No span goes beyond its year. */
  spansFrom(time: number): Generator<Span>
}

const DAY = 86_400
/** The first year, and the first second, after all times that the service knows. */
const END_YEAR = 10_000
export const END_OF_TIME = startOf(END_YEAR)

/** Before this year no zone had changed its clocks: they followed the sun. */
const FIRST_YEAR = 1840
/** From this year on the same rule holds each year. The last exceptions of the time zone data (Ramadan) are in 2087. */
const REGULAR_YEAR = 2100
/** Seconds between two looks. The shortest time with an offset of its own in the time zone data lasts nearly seven days. */
const STEP = 5 * DAY

/**
 * Creates the clocks of a zone.
 *
 * @param zone IANA name
 * @throws RangeError when there is no such zone
 */
export function createZoneClock(zone: string): ZoneClock {
  const offsetAt = createOffsetReader(zone)
  const years = new Map<number, readonly Span[]>()
  const likes = new Map<number, number>()

  const spansOf = (year: number): readonly Span[] => {
    const known = years.get(year)
    if (known) return known
    const spans = findSpans(offsetAt, startOf(year), startOf(year + 1))
    years.set(year, spans)
    return spans
  }
  /** The first regular year with the same days of the week: "the last Sunday of March" is the same day there. */
  const yearLike = (year: number): number => {
    const kind = kindOf(year)
    let like = likes.get(kind) ?? REGULAR_YEAR
    while (kindOf(like) !== kind) like += 1
    likes.set(kind, like)
    return like
  }

  return {
    *spansFrom(time) {
      let year = new Date(time * 1000).getUTCFullYear()
      if (year < FIRST_YEAR) {
        const until = startOf(FIRST_YEAR)
        yield { from: Math.min(time, until - 1), until, offset: offsetAt(until - 1) }
        year = FIRST_YEAR
      }
      for (; year < REGULAR_YEAR; year += 1) {
        for (const span of spansOf(year)) if (span.until > time) yield span
      }
      for (; year < END_YEAR; year += 1) {
        const like = yearLike(year)
        const later = startOf(year) - startOf(like)
        for (const { from, until, offset } of spansOf(like)) {
          if (until + later > time) yield { from: from + later, until: until + later, offset }
        }
      }
    },
  }
}

/** Tells years apart by the day of the week on which they begin, and by their length: 14 kinds. */
function kindOf(year: number): number {
  const [start, end] = [daysBefore(year), daysBefore(year + 1)]
  return (start % 7) + 7 * (end - start)
}

function startOf(year: number): number {
  return (daysBefore(year) - daysBefore(1970)) * DAY
}

/** Days from the year 1 to the beginning of the year. `Date` would do, but takes too long for thousands of years. */
function daysBefore(year: number): number {
  const past = year - 1
  return 365 * past + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400)
}

/** The spans between two times. */
function findSpans(offsetAt: (time: number) => number, from: number, until: number): readonly Span[] {
  const spans: Span[] = []
  let start = from
  let offset = offsetAt(from)
  for (let time = from; time < until; ) {
    const next = Math.min(time + STEP, until)
    if (offsetAt(next) === offset) {
      time = next
      continue
    }
    const change = firstChange(offsetAt, time, next)
    // The first second of the next year is not part of this one.
    if (change === until) break
    spans.push({ from: start, until: change, offset })
    start = change
    time = change
    offset = offsetAt(change)
  }
  return [...spans, { from: start, until, offset }]
}

/** The first second after `before` with another offset; `after` has another one. */
function firstChange(offsetAt: (time: number) => number, before: number, after: number): number {
  const offset = offsetAt(before)
  let [low, high] = [before, after]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle) === offset) low = middle
    else high = middle
  }
  return high
}

/** Reads offsets in seconds: ten times as fast as luxon, which matters because a year takes about 100 looks. */
function createOffsetReader(zone: string): (time: number) => number {
  const form = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', timeZoneName: 'longOffset' })
  return (time) => {
    const [, sign, hours, minutes, seconds = 0] = OFFSET.exec(form.format(time * 1000)) ?? []
    if (sign === undefined) return 0
    const size = Number(hours) * 60 + Number(minutes) + Number(seconds) / 60
    // Rounded as `zoned-time.ts` rounds the offsets of the time before 1900.
    return Math.round(sign === '-' ? -size : size) * 60
  }
}

/** `1 AM GMT+01:00`; `GMT` alone is UTC. */
const OFFSET = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/
