/** Dates in headers of requests (RFC 9110, 5.6.7). */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** `Sun, 06 Nov 1994 08:49:37 GMT`, the form that is sent today. */
const TODAYS = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/
/** `Sunday, 06-Nov-94 08:49:37 GMT`, an old form. */
const OLD = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d\d)-([A-Z][a-z]{2})-(\d\d) (\d\d):(\d\d):(\d\d) GMT$/
/** `Sun Nov  6 08:49:37 1994`, the form of `asctime` in C. */
const OF_C = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) ([ \d]\d) (\d\d):(\d\d):(\d\d) (\d{4})$/

/**
 * Reads a date of one of the three forms.
 *
 * @param now decides on the century of a year with two digits: such a date is at most 50 years from now
 * @returns milliseconds since 1970, or null if the text is not such a date
 */
export function readHttpDate(text: string, now: number): number | null {
  const ofC = OF_C.exec(text)
  if (ofC) {
    const [, month = '', day = '', hours = '', minutes = '', seconds = '', year = ''] = ofC
    return timeOf([year, month, day, hours, minutes, seconds])
  }
  const others = TODAYS.exec(text) ?? OLD.exec(text)
  if (!others) return null
  const [, day = '', month = '', year = '', ...time] = others
  return timeOf([year.length === 2 ? fullYear(Number(year), now) : year, month, day, ...time])
}

function fullYear(ending: number, now: number): string {
  const thisYear = new Date(now).getUTCFullYear()
  const year = thisYear - (thisYear % 100) + ending
  return String(year > thisYear + 50 ? year - 100 : year)
}

/** Year, month, day, hours, minutes and seconds; null if there is no such time. */
function timeOf([year = '', month = '', ...rest]: readonly string[]): number | null {
  const [day = 0, hours = 0, minutes = 0, seconds = 0] = rest.map(Number)
  const time = Date.UTC(Number(year), MONTHS.indexOf(month), day, hours, minutes, seconds)
  const isReal = MONTHS.includes(month) && day > 0 && hours < 24 && minutes < 60 && seconds <= 60
  // A day that the month does not have leads to the next month.
  return isReal && new Date(Date.UTC(Number(year), MONTHS.indexOf(month), day)).getUTCDate() === day ? time : null
}
