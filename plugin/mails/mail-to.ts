import type { Account, Actor } from '../core/call.js'
import { zoneOf } from '../core/time/time-zones.js'
import { DEFAULT_LANGUAGE, languageIn } from '../words/languages.js'
import type { Mail, MailName, MailValues } from '../words/mails/mail.js'
import type { WordBook } from '../words/words.js'

/** A person who gets mails. */
export type Receiver = Pick<Actor, 'email' | 'locale' | 'timeZone'>

/** Form of a timestamp in a mail. */
const TIME = {
  ...({ weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' } as const),
  ...({ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const),
}

/**
 * Writes a mail for a person: in the person's language, otherwise that of the account, with timestamps in the person's time
 * zone. Values are one line each, so that none can be taken for another line of the mail.
 */
export function mailTo(
  words: Pick<WordBook, 'mail' | 'languageOf'>,
  person: Receiver,
  account: Pick<Account, 'locale' | 'timeZone' | 'name'>,
  name: MailName,
  values: MailValues,
): Mail {
  const language = words.languageOf(languageIn(person.locale) ?? languageIn(account.locale) ?? DEFAULT_LANGUAGE)
  const timeZone = zoneOf(person.timeZone ?? account.timeZone) ?? 'UTC'
  const time = new Intl.DateTimeFormat(language, { ...TIME, timeZone })
  const shown = Object.entries(values).map(([key, value]) => {
    if (typeof value === 'object') return [key, time.format(new Date(value.at))] as const
    return [key, typeof value === 'string' ? oneLine(value) : value] as const
  })
  const params = { account: oneLine(account.name), ...Object.fromEntries(shown) }
  const { subject, text } = words.mail(language, name, params as never)
  return { to: [person.email], subject: oneLine(subject), text: `${text}\n` }
}

/** Line feeds would begin another header or another line; other control characters have no place in a mail. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}
