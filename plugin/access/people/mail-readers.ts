/** Readers of mails from the plugin, each with their language. */
import { DEFAULT_LANGUAGE, languageIn } from '../../words/languages.js'
import type { Accounts } from './accounts.js'
import type { People } from './people.js'

/** A reader of a mail. */
export interface MailReader {
  readonly email: string
  /** An id of the language enumeration. */
  readonly language: string
}

/**
 * Finds the readers of mails about an account: people read in their own language, unknown addresses in that of the account.
 *
 * @returns a function that takes the addresses; without any it returns the account administrators
 */
export function mailReaders(people: Pick<People, 'administrators' | 'find'>, accounts: Pick<Accounts, 'find'>) {
  return async (accountId: string, addresses: readonly string[]): Promise<readonly MailReader[]> => {
    const account = await accounts.find(accountId)
    const readerOf = (email: string, locale: string | null | undefined) => ({
      email,
      language: languageIn(locale) ?? languageIn(account?.locale) ?? DEFAULT_LANGUAGE,
    })
    if (addresses.length === 0) {
      const administrators = await people.administrators(accountId)
      return administrators.map(({ email, locale }) => readerOf(email, locale))
    }
    const readers: MailReader[] = []
    for (const email of addresses) readers.push(readerOf(email, (await people.find({ email, account: accountId }))?.locale))
    return readers
  }
}
