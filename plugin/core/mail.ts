import type { Instant } from './clock.js'

/** A mail that the host is to send. */
export interface Mail {
  readonly to: readonly string[]
  readonly subject: string
  /** Plain text. */
  readonly text: string
}

/** Sends a mail: the option `sendMail` of the host. */
export type SendMail = (mail: Mail) => Promise<void>

export type { MailName } from './words/mails/en.js'

/** Values of a mail to a person. A timestamp is shown by the clocks of that person. */
export interface MailValues {
  readonly [name: string]: string | number | { readonly at: Instant }
}
