/** Signing in: e-mail and password, API token, Bearer token, or credentials of the host. Specification: Authentication. */
import { type AskHost, createAskHost } from '../core/ask-host.js'
import type { Actor } from '../core/call.js'
import { Unauthenticated } from '../core/errors.js'
import { networkOf } from '../core/network-of.js'
import { createTurns } from '../core/turns.js'
import { createFailureLimit, tooManyAtOnce } from './failures.js'
import { askForPerson } from './host-people.js'
import { passwordSignIn } from './password-sign-in.js'
import type { People } from './people.js'
import type { Recognize } from './recognize.js'
import { type Remembered, rememberCredentials } from './remembered-credentials.js'
import type { Secrets } from './secrets.js'
import { type ByCredentials, type HostCredentials, hostPeople, ownPeople, type SignInSource } from './sign-in-sources.js'

/** Credentials in a request. */
export interface Credentials {
  /** Name and password as sent; the name may be an API token and the password anything. */
  readonly basic?: { readonly name: string; readonly password: string }
  /** Query parameter api_token. */
  readonly token?: string
  readonly bearer?: string
  /** The address of the caller, as the host's proxy settings see it. */
  readonly remoteAddress: string
}

export interface Identity {
  readonly actor: Actor
  readonly signedInWith: 'password' | 'token'
}

export interface Authenticator {
  /**
   * Returns the person with these credentials.
   *
   * @throws Unauthenticated for missing or wrong credentials, and for disabled people
   * @throws TimedOut if the host's lookup does not finish
   * @throws TooManyRequests after too many wrong credentials from one address, or if too many sign-ins are waiting
   */
  identify(credentials: Credentials): Promise<Identity>
}

export interface AuthenticatorDeps {
  readonly people: People
  readonly secrets: Secrets
  /** The host's lookup; without it the plugin's own people, passwords and tokens are used. */
  readonly byCredentials?: ByCredentials | undefined
  /** Calls the host's lookup. */
  readonly ask?: AskHost
  /** Finds the person that the lookup returns; default: among enabled people. */
  readonly recognize?: Recognize
  /** Maximum number of wrong passwords, and of wrong tokens, that one address may send in a quarter of an hour. */
  readonly failuresPerAddress: number
}

/** Limits for lookups of unknown tokens from addresses that have sent too many wrong ones. */
const LOOKUPS = { atOnce: 8, atOncePerKey: 2, waiting: 400, waitingPerKey: 200, refusal: tooManyAtOnce }

export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const { people, secrets, byCredentials, failuresPerAddress } = deps
  const source = byCredentials ? hostPeople(personAtHost(deps, byCredentials)) : ownPeople(people, secrets)
  const remembered = rememberCredentials()
  const withToken = tokenSignIn(source, remembered, failuresPerAddress)
  const withPassword = passwordSignIn(source, remembered, failuresPerAddress)

  return {
    async identify(credentials) {
      const given = readCredentials(credentials)
      if (!given) throw new Unauthenticated(true)
      const isToken = 'token' in given
      const actor = isToken
        ? await withToken(credentials.remoteAddress, given.token)
        : await withPassword(networkOf(credentials.remoteAddress), given.email, given.password)
      if (!actor) throw new Unauthenticated()
      return { actor, signedInWith: isToken ? 'token' : 'password' }
    },
  }
}

function personAtHost(deps: AuthenticatorDeps, byCredentials: ByCredentials) {
  const { people, ask = createAskHost(), recognize = (_, person) => people.find(person) } = deps
  const place = 'people.byCredentials'
  return async (credentials: HostCredentials): Promise<Actor | null> => {
    const person = await askForPerson(ask, place, () => byCredentials(credentials))
    return person && recognize(place, person)
  }
}

/** The user name of Basic authentication is an e-mail address or an API token; only addresses have an @. */
function readCredentials({ basic, bearer, token }: Credentials): HostCredentials | null {
  if (basic?.name.includes('@')) return { email: basic.name, password: basic.password }
  const text = basic?.name || bearer || token
  return text ? { token: text } : null
}

/**
 * Signs in with a token. Tokens cannot be guessed, so the limit of wrong ones only protects the lookup: a right token always
 * works. Beyond the limit, tokens that were not right before wait in a queue.
 */
function tokenSignIn(source: SignInSource, remembered: Remembered, limit: number) {
  const wrong = createFailureLimit(limit)
  const lookups = createTurns(LOOKUPS)
  return async (remoteAddress: string, token: string): Promise<Actor | null> => {
    const look = () => source.byToken(token)
    const known = remembered.noteOf('token', token)
    if (known !== undefined) {
      const actor = await source.byToken(token, known)
      if (actor) return actor
      remembered.forget('token', token)
    }
    const address = networkOf(remoteAddress)
    const refusal = await wrong.take(address)
    const actor = await (refusal ? lookups.run(address, look) : wrong.judge(address, look))
    if (actor) remembered.addNoted(source.keyOf(token), 'token', token)
    else if (refusal) throw refusal
    return actor
  }
}
