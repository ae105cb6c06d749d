/** Messages of the running plugin, as lines for a person. */
import type { Log, Mail } from 'koa-itsm'

const clockTime = () => new Date().toTimeString().slice(0, 8)

/** Only warnings and errors; the launcher prints the rest. */
export const log: Log = {
  debug() {},
  info() {},
  warn: (details, message) => console.error(`  ${clockTime()}  warning: ${message}${causeIn(details)}`),
  error: (details, message) => console.error(`  ${clockTime()}  error: ${message}${causeIn(details)}`),
}

/** No mail leaves the machine: mails are printed instead. */
export async function showMail({ to, subject }: Mail): Promise<void> {
  console.log(`  ${clockTime()}  mail to ${to.join(', ')}: ${subject}`)
}

function causeIn(details: object): string {
  const { err, error = err } = details as { err?: unknown; error?: unknown }
  return error instanceof Error ? `\n${error.stack}` : ''
}
