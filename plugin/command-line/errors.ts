/** Ways in which a command may fail. */

/** A mistake of the person at the terminal. */
export class UsageError extends Error {}

/** The API has refused a call, or could not be reached. */
export class CallFailed extends Error {
  /** Of the response; null without one. */
  readonly status: number | null

  constructor(message: string, status: number | null) {
    super(message)
    this.status = status
  }
}

/** The plugin of the host or its database has failed. The message is for people, and without passwords. */
export class DatabaseFailed extends Error {}

/** Ctrl-C has ended the command. */
export class Interrupted extends Error {}
