/** Passwords and API tokens for the host's own code, whose arguments nobody has checked. */
import { shown } from '../core/shown.js'
import type { CredentialStore } from './credentials.js'
import type { People } from './people.js'

/** What the host may do with passwords and API tokens of people. */
export interface HostCredentialStore {
  /**
   * Sets a password; null takes it away.
   *
   * @throws RangeError for a password of less than 8 or more than 1,024 characters, and when there is no such person
   * @throws TypeError for what is no id or no password
   */
  setPassword(personId: number, password: string | null): Promise<void>
  /** The API token of a person, which is made when there is none. @throws TypeError, RangeError for what is no id of a person */
  apiToken(personId: number): Promise<string>
}

/** Prepares the store for the host. MySQL would take '12ab' for 12, and give the token of somebody else. */
export function hostCredentials(store: CredentialStore, people: Pick<People, 'isKnown'>): HostCredentialStore {
  const mustBeKnown = async (place: string, id: unknown) => {
    if (!Number.isSafeInteger(id)) throw new TypeError(`${place}: a person is named by its id, not by ${shown(id)}`)
    const isKnown = await people.isKnown({ id: Number(id) })
    if (!isKnown) throw new RangeError(`${place}: there is no person with the id ${Number(id)}`)
  }
  return {
    async setPassword(personId, password: unknown) {
      if (typeof password !== 'string' && password !== null) throw new TypeError('setPassword: a password is a text, or null')
      await mustBeKnown('setPassword', personId)
      await store.setPassword(personId, password)
    },
    async apiToken(personId) {
      await mustBeKnown('apiToken', personId)
      return store.show(personId)
    },
  }
}
