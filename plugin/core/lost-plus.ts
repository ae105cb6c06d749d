/** A date, and what separates it from the time. */
const DATE_LENGTH = 'yyyy-mm-ddT'.length

/**
 * A timestamp from a query string or a form, in which an unencoded plus arrives as a blank. Behind the date, a blank before an
 * offset can only have been a plus.
 */
export function withLostPlus(text: string): string {
  return text.slice(0, DATE_LENGTH) + text.slice(DATE_LENGTH).replace(/ (\d\d(?::?\d\d)?)$/, '+$1')
}
