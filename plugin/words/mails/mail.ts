import type { Instant } from '../../core/clock.js'
import type { Params } from '../../core/errors.js'
import { suggestion } from '../../core/text/nearest.js'
import { shown } from '../../core/text/shown.js'
import { placeholdersIn } from '../fill-template.js'
import type { Code } from '../sentences/en.js'
import { type MailName, mails } from './en.js'

/** A mail that the host is to send. */
export interface Mail {
  /** E-mail addresses. */
  readonly to: readonly string[]
  /** One line. */
  readonly subject: string
  /** Plain text. */
  readonly text: string
}

/** Sends a mail: the option `sendMail` of the host. */
export type SendMail = (mail: Mail) => Promise<void>

export type { MailName } from './en.js'

/** Values of a mail. A timestamp is shown by the clocks of the reader, a sentence in the language of the reader. */
export interface MailValues {
  readonly [name: string]: string | number | { readonly at: Instant } | { readonly code: Code; readonly params?: Params }
}

/** Returns why a mail of a rule could not be written later; null if it can. */
export function mistakeInMail(name: unknown, values: unknown): string | null {
  if (typeof name !== 'string') return `there is no mail ${shown(name)}`
  if (!Object.hasOwn(mails, name)) return `there is no mail ${shown(name)}${suggestion(name, Object.keys(mails))}`
  if (typeof values !== 'object' || values === null) return `the values must be an object, not ${shown(values)}`
  const wrong = Object.entries(values).find(([, value]) => !isMailValue(value))
  if (wrong) return `${wrong[0]}: must be a text, a number or { at: timestamp }, not ${shown(wrong[1])}`
  const { subject, lines } = mails[name as MailName]
  const known = [subject, ...lines].flatMap(placeholdersIn)
  const misspelt = Object.keys(values).find((one) => !known.includes(one) && suggestion(one, known) !== '')
  return misspelt === undefined ? null : `${name} has no place for '${misspelt}'${suggestion(misspelt, known)}`
}

function isMailValue(value: unknown): boolean {
  if (typeof value === 'string' || Number.isFinite(value)) return true
  const { at } = Object(value) as { readonly at?: unknown }
  return typeof at === 'string' && !Number.isNaN(Date.parse(at))
}
