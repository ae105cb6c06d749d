/** What the service has to say while it runs, as lines for a person. */
import type { Log, Mail } from 'koa-itsm'

const clockTime = () => new Date().toTimeString().slice(0, 8)

/** Warnings and errors only; the launcher's own lines say the rest. */
export const log: Log = {
  debug() {},
  info() {},
  warn: (details, message) => console.error(`  ${clockTime()}  warning: ${message}${causeIn(details)}`),
  error: (details, message) => console.error(`  ${clockTime()}  error: ${message}${causeIn(details)}`),
}

/** Nothing leaves the machine: mails are shown instead. */
export async function showMail({ to, subject }: Mail): Promise<void> {
  console.log(`  ${clockTime()}  mail to ${to.join(', ')}: ${subject}`)
}

function causeIn(details: object): string {
  const { err, error = err } = details as { err?: unknown; error?: unknown }
  return error instanceof Error ? `\n${error.stack}` : ''
}
