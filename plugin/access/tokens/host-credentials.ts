/** Passwords and API tokens for the host's own code, whose arguments are unchecked. */
import { shown } from '../../core/text/shown.js'
import type { People } from '../people/people.js'
import type { CredentialStore } from './credentials.js'

/** Functions of the host for passwords and API tokens of people. */
export interface HostCredentialStore {
  /**
   * Sets a password; null removes it.
   *
   * @throws RangeError for a password of less than 8 or more than 1,024 characters, and for an unknown person
   * @throws TypeError for an invalid id or password
   */
  setPassword(personId: number, password: string | null): Promise<void>
  /** The API token of a person; creates one if there is none. @throws TypeError, RangeError for an invalid or unknown id */
  apiToken(personId: number): Promise<string>
}

/** Prepares the store for the host. Checks ids: MySQL reads '12ab' as 12, and would return the token of another person. */
export function hostCredentials(
  store: Pick<CredentialStore, 'setPassword' | 'show'>,
  people: Pick<People, 'isKnown'>,
): HostCredentialStore {
  const mustBeKnown = async (place: string, id: unknown) => {
    if (!Number.isSafeInteger(id)) throw new TypeError(`${place}: the person must be the id of a record, not ${shown(id)}`)
    const isKnown = await people.isKnown({ id: Number(id) })
    if (!isKnown) throw new RangeError(`${place}: there is no person with the id ${Number(id)}`)
  }
  return {
    async setPassword(personId, password: unknown) {
      if (typeof password !== 'string' && password !== null)
        throw new TypeError('setPassword: the password must be a text or null')
      await mustBeKnown('setPassword', personId)
      await store.setPassword(personId, password)
    },
    async apiToken(personId) {
      await mustBeKnown('apiToken', personId)
      return store.show(personId)
    },
  }
}
