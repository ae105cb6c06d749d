/** A mail that the host is to send. */
export interface Mail {
  readonly to: readonly string[]
  readonly subject: string
  /** Plain text. */
  readonly text: string
}

/** Sends a mail: the option `sendMail` of the host. */
export type SendMail = (mail: Mail) => Promise<void>
