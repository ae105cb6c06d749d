/** Signing in: e-mail and password, tokens, or credentials of the host. Specification: Authentication. */
import type { Actor, CallToken } from '../../core/call.js'
import { Unauthenticated } from '../../core/errors.js'
import { networkOf } from '../../core/network-of.js'
import { type AskHost, createAskHost } from '../../core/waiting/ask-host.js'
import type { People } from '../people/people.js'
import type { RightPassword } from '../sessions/sessions.js'
import type { Secrets } from '../tokens/secrets.js'
import { isSecretText, kindOfSecret } from '../tokens/token-text.js'
import type { Tokens } from '../tokens/tokens.js'
import { createFailureLimit, createSecretLookup, type FailureLimit } from '../tokens/wrong-credentials.js'
import { askForPerson } from './host-people.js'
import { passwordSignIn } from './password-sign-in.js'
import type { Recognize } from './recognize-person.js'
import { type Remembered, rememberCredentials } from './remembered-credentials.js'
import { type FindByCredentials, type HostCredentials, hostPeople, ownPeople, type TokenSource } from './sign-in-sources.js'

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
  /** The token, if it is one that may be limited: any but the API token and those of the host. */
  readonly token?: CallToken
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
  /** Returns the person with this e-mail address and password. @throws Unauthenticated, TimedOut, TooManyRequests as `identify` does */
  checkPassword(email: string, password: string, remoteAddress: string): Promise<RightPassword>
}

export interface AuthenticatorDeps {
  readonly people: People
  readonly secrets: Secrets
  /** Tokens of people beside the API token; they work with a lookup of the host, too. */
  readonly tokens?: Pick<Tokens, 'find' | 'keyOf' | 'noteUse'>
  /** True if access tokens of OAuth clients are accepted. Default: they are refused. */
  readonly acceptsOAuth?: boolean
  /** The host's lookup; without it the plugin's own people, passwords and tokens are used. */
  readonly byCredentials?: FindByCredentials | undefined
  /** Calls the host's lookup. */
  readonly ask?: AskHost
  /** Finds the person that the lookup returns; default: among enabled people. */
  readonly recognize?: Recognize
  /** Maximum number of wrong passwords, and of wrong tokens, that one address may send in a quarter of an hour. */
  readonly failuresPerAddress: number
}

export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const { people, secrets, tokens, byCredentials, failuresPerAddress } = deps
  const source = byCredentials ? hostPeople(personAtHost(deps, byCredentials)) : ownPeople(people, secrets)
  const remembered = rememberCredentials()
  const wrong = createFailureLimit(failuresPerAddress)
  const withApiToken = tokenSignIn(source, remembered, wrong)
  const ours = tokens && {
    keyOf: tokens.keyOf,
    byToken: (text: string, key?: string) => tokens.find(key || tokens.keyOf(text)),
  }
  const withOurs = ours && tokenSignIn(ours, remembered, wrong)
  const withPassword = passwordSignIn(source, remembered, failuresPerAddress)
  const checkPassword: Authenticator['checkPassword'] = async (email, password, remoteAddress) => {
    const found = await withPassword(networkOf(remoteAddress), email, password)
    if (!found) throw new Unauthenticated()
    return { actor: found.actor, passwordHash: byCredentials ? null : found.candidate.bound }
  }

  return {
    checkPassword,
    async identify(credentials) {
      const given = readCredentials(credentials)
      if (!given) throw new Unauthenticated(true)
      if ('email' in given) {
        const { actor } = await checkPassword(given.email, given.password, credentials.remoteAddress)
        return { actor, signedInWith: 'password' }
      }
      // The prefix is reserved: such a text is never sent to the host, and only one with the right checksum is looked up.
      const kind = kindOfSecret(given.token)
      if (kind) {
        const isAccepted = kind === 'personal' || (kind === 'oauth' && deps.acceptsOAuth)
        const owner = isAccepted && isSecretText(given.token) ? await withOurs?.(credentials.remoteAddress, given.token) : null
        if (!owner) throw new Unauthenticated()
        tokens?.noteUse(owner.token.id)
        return { actor: owner.actor, token: owner.token, signedInWith: 'token' }
      }
      const actor = await withApiToken(credentials.remoteAddress, given.token)
      if (!actor) throw new Unauthenticated()
      return { actor, signedInWith: 'token' }
    },
  }
}

function personAtHost(deps: AuthenticatorDeps, byCredentials: FindByCredentials) {
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
function tokenSignIn<T>(source: TokenSource<T>, remembered: Remembered, wrong: FailureLimit) {
  const lookUp = createSecretLookup(wrong)
  return async (remoteAddress: string, token: string): Promise<T | null> => {
    const known = remembered.noteOf('token', token)
    if (known !== undefined) {
      const found = await source.byToken(token, known)
      if (found) return found
      remembered.forget('token', token)
    }
    const found = await lookUp(remoteAddress, () => source.byToken(token))
    if (found) remembered.addNoted(source.keyOf(token), 'token', token)
    return found
  }
}
