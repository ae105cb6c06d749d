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

/** Writes a mail. */
export type MailWriter = (
  person: Receiver,
  account: Pick<Account, 'locale' | 'timeZone' | 'name'>,
  name: MailName,
  values: MailValues,
) => Mail

/**
 * Creates a function that writes mails: in the language of the person, otherwise that of the account, with timestamps in the time
 * zone of the person. Values are one line each, so that none can be taken for another line of the mail.
 */
export function createMailWriter(words: Pick<WordBook, 'mail' | 'sentence' | 'languageOf'>): MailWriter {
  /** By language and time zone: creating one takes as long as writing many mails. */
  const formats = new Map<string, Intl.DateTimeFormat>()
  const formatOf = (language: string, timeZone: string) => {
    const key = `${language} ${timeZone}`
    const format = formats.get(key) ?? new Intl.DateTimeFormat(language, { ...TIME, timeZone })
    formats.set(key, format)
    return format
  }
  return (person, account, name, values) => {
    const language = words.languageOf(languageIn(person.locale) ?? languageIn(account.locale) ?? DEFAULT_LANGUAGE)
    const timeZone = zoneOf(person.timeZone ?? account.timeZone) ?? 'UTC'
    const shown = Object.entries(values).map(([key, value]) => {
      if (typeof value !== 'object') return [key, typeof value === 'string' ? oneLine(value) : value] as const
      if ('at' in value) return [key, formatOf(language, timeZone).format(new Date(value.at))] as const
      return [key, oneLine(words.sentence(language, value.code, '', value.params))] as const
    })
    const params = { account: oneLine(account.name), ...Object.fromEntries(shown) }
    const { subject, text } = words.mail(language, name, params as never)
    return { to: [person.email], subject: oneLine(subject), text: `${text}\n` }
  }
}

/** Line feeds would begin another header or another line; other control characters have no place in a mail. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}
