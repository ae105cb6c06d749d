/** The parts of a driver's error that contain the values of a statement. */
interface Failure {
  message: string
  /** mysql2 writes the statement into it, values included. */
  sql?: unknown
  /** The message of the server; knex writes its own before `message`. */
  sqlMessage?: unknown
}

/** `Duplicate entry 'ines@acme.example' for key`, `Incorrect integer value: 'Ines' for column`, `… DOUBLE value: 'Ines'`. */
const QUOTED_VALUE = /^(?:(Duplicate entry) '.*'(?= for key)|([\w ]+ value:) '.*'(?= for (?:column|function)|$))/s

/** The error of a statement, with placeholders in place of the values of its record. */
export function withoutValues(error: unknown, sql: string): unknown {
  if (!(error instanceof Error)) return error
  const failure = error as Error & Failure
  const message = shortened(failure.message)
  // The stack repeats the message that the error had at first.
  if (failure.stack && message !== failure.message) failure.stack = failure.stack.replace(failure.message, () => message)
  failure.message = message
  if (typeof failure.sqlMessage === 'string') failure.sqlMessage = shortened(failure.sqlMessage)
  if (failure.sql !== undefined) failure.sql = sql
  return failure
}

function shortened(message: string): string {
  return message.replace(QUOTED_VALUE, "$1$2 '…'")
}
