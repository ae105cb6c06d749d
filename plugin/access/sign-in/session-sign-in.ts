/** Sessions of people in browsers: begun with a password, found by the text in a cookie. See behaviour: Sessions. */
import type { Actor, Call } from '../../core/call.js'
import { Unauthenticated } from '../../core/errors.js'
import { networkOf } from '../../core/network-of.js'
import type { Storage } from '../../storage/database/connections.js'
import { inTransaction } from '../../storage/database/transaction.js'
import type { NewSession, RightPassword, Sessions } from '../sessions/sessions.js'
import { isSecretText, kindOfSecret } from '../tokens/token-text.js'
import { createLookupTurns } from '../tokens/wrong-credentials.js'
import type { Authenticator } from './authenticate.js'
import { rememberCredentials } from './remembered-credentials.js'

export interface SessionSignIn {
  /** Returns the person with this e-mail address and password. @throws Unauthenticated, TimedOut, TooManyRequests */
  readonly checkPassword: Authenticator['checkPassword']
  /** Begins a session. @throws Unauthenticated if the password is not right any more */
  begin(call: Call, right: RightPassword): Promise<NewSession>
  /** The person of a session; null for a wrong text. @throws TooManyRequests if too many wait for it */
  find(text: string, remoteAddress: string): Promise<Actor | null>
  /** Ends a session; a wrong text has no effect. */
  end(text: string): Promise<void>
}

/** Dependencies of the sessions. */
export interface SessionSignInDeps {
  readonly storage: Storage
  readonly sessions: Sessions
  readonly authenticator: Pick<Authenticator, 'checkPassword'>
}

/** Assembles the sessions. Does no I/O. */
export function createSessionSignIn({ storage, sessions, authenticator }: SessionSignInDeps): SessionSignIn {
  const remembered = rememberCredentials()
  const turns = createLookupTurns()
  const lookUp = async (text: string, remoteAddress: string) => {
    const key = remembered.noteOf(text)
    if (key !== undefined) {
      const found = await sessions.find(key)
      if (found) return found
      remembered.forget(text)
    }
    // Wrong ones are not counted as those of tokens are: pages send ended sessions by themselves, and nobody can guess one.
    const found = await turns.run(networkOf(remoteAddress), () => sessions.find(sessions.keyOf(text)))
    if (found) remembered.addNoted(sessions.keyOf(text), text)
    return found
  }
  return {
    checkPassword: authenticator.checkPassword,
    async begin(call, right) {
      const session = await inTransaction(storage, call, (inside) => sessions.begin(inside, right))
      if (!session) throw new Unauthenticated()
      return session
    },
    async find(text, remoteAddress) {
      if (!isSession(text)) return null
      const found = await lookUp(text, remoteAddress)
      if (!found) return null
      sessions.noteUse(found.id)
      return found.actor
    },
    async end(text) {
      if (isSession(text)) await sessions.end(sessions.keyOf(text))
    },
  }
}

/** True for texts with the right checksum: others are refused without a lookup. */
function isSession(text: string): boolean {
  return kindOfSecret(text) === 'session' && isSecretText(text)
}
