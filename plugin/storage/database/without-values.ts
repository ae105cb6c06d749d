/** The parts of a driver's error that contain the values of a statement. */
interface Failure {
  message: string
  /** mysql2 writes the statement into it, values included. */
  sql?: unknown
  /** The message of the server; knex writes its own before `message`. */
  sqlMessage?: unknown
}

/** What quoted names follow: `for key 'itsm_sites.name'`, `Unknown column 'nme' in 'field list'`. All else in quotes is a value. */
const BEFORE_NAME =
  /\b(?:(?:column|table|key|field|index|constraint|database|function|procedure|trigger|view|variable|collation|character set|operation)(?: name)?|column '[^']*' in) $/i
/** The message with a value that has no quotes. */
const OF_PARTITION = /^(Table has no partition for value) [\s\S]+/

/** The error of a statement, with placeholders in place of the values of its record. */
export function withoutValues(error: unknown, sql: string): unknown {
  if (!(error instanceof Error)) return error
  const failure = error as Error & Failure
  const message = shortened(failure.message, sql)
  // The stack repeats the message that the error had at first.
  if (failure.stack && message !== failure.message) failure.stack = failure.stack.replace(failure.message, () => message)
  failure.message = message
  if (typeof failure.sqlMessage === 'string') failure.sqlMessage = shortened(failure.sqlMessage, sql)
  if (failure.sql !== undefined) failure.sql = sql
  return failure
}

/**
 * The message without what is between the first quote that does not begin a name, and the last one that does not end one: a value
 * may contain quotes.
 */
function shortened(message: string, sql: string): string {
  const text = message.replace(OF_PARTITION, '$1 …')
  const first = firstOfValue(text)
  if (first < 0) return text
  const last = lastOfValue(text, first)
  // The place of a mistake in the statement is a part of it; if it has no values, it is shown with the error anyway.
  if (text.slice(0, first).endsWith(' near ') && sql.includes(text.slice(first + 1, last))) return text
  return `${text.slice(0, first)}'…'${text.slice(last + 1)}`
}

/** Place of the quote with which a value begins; -1 if there is none. */
function firstOfValue(text: string): number {
  for (const { index } of text.matchAll(/'/g)) {
    // Such as in `can't`, or the end of a name.
    if (/\w/.test(text.charAt(index - 1))) continue
    if (!BEFORE_NAME.test(text.slice(0, index))) return index
  }
  return -1
}

/** Place of the quote with which the value ends. */
function lastOfValue(text: string, first: number): number {
  const last = text.lastIndexOf("'")
  if (last <= first) return text.length
  const opening = text.lastIndexOf("'", last - 1)
  const isName = opening > first && BEFORE_NAME.test(text.slice(0, opening))
  return isName ? text.lastIndexOf("'", opening - 1) : last
}
