/** Signing in: e-mail and password, API token, Bearer token, or whatever the host knows. Specification: Authentication. */
import { createHash } from 'node:crypto'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Actor } from '../core/call.js'
import { HookFailed, TooManyRequests, Unauthenticated } from '../core/errors.js'
import type { People, PersonKey } from './people.js'
import type { Secrets } from './secrets.js'

/** What a request brought along. */
export interface Credentials {
  readonly basic?: { readonly name: string; readonly password: string }
  readonly token?: string
  readonly bearer?: string
  readonly remoteAddress: string
}

/** What a host's lookup is given: one of the two. */
export type HostCredentials = { readonly email: string; readonly password: string } | { readonly token: string }

export interface Identity {
  readonly actor: Actor
  readonly signedInWith: 'password' | 'token'
}

export interface Authenticator {
  /**
   * @throws Unauthenticated for missing or wrong credentials, and for people who are disabled
   * @throws TooManyRequests after too many wrong credentials from one address
   */
  identify(credentials: Credentials): Promise<Identity>
}

export interface AuthenticatorParts {
  readonly people: People
  readonly secrets: Secrets
  /** The host's lookup; without it our own people, passwords and tokens are used. */
  readonly byCredentials?: (credentials: HostCredentials) => Promise<PersonKey | null>
  /** Wrong credentials that one address may send in a quarter of an hour. */
  readonly failuresPerAddress: number
}

const QUARTER_OF_AN_HOUR = 900
/** Verified passwords that are remembered, so that Basic authentication does not cost a hash per call. */
const MOST_REMEMBERED = 1_000
/** Longer ones are refused unread: hashing costs time. */
const LONGEST_PASSWORD = 1_024

export function createAuthenticator(parts: AuthenticatorParts): Authenticator {
  const failures = new RateLimiterMemory({ points: parts.failuresPerAddress, duration: QUARTER_OF_AN_HOUR })
  const identify = parts.byCredentials ? byHost(parts.people, parts.byCredentials) : byOwnPeople(parts.people, parts.secrets)

  return {
    async identify(credentials) {
      const given = readCredentials(credentials)
      if (!given) throw new Unauthenticated(true)
      const before = await failures.get(credentials.remoteAddress)
      if (before && before.consumedPoints >= parts.failuresPerAddress) throw new TooManyRequests(before.msBeforeNext / 1_000)
      const actor = await identify(given)
      if (actor) return { actor, signedInWith: 'token' in given ? 'token' : 'password' }
      await failures.consume(credentials.remoteAddress).catch(() => undefined)
      throw new Unauthenticated()
    },
  }
}

/** The user name of Basic authentication is an e-mail address or an API token; only addresses have an @. */
function readCredentials({ basic, bearer, token }: Credentials): HostCredentials | null {
  if (basic?.name.includes('@')) return { email: basic.name, password: basic.password }
  const text = basic?.name || bearer || token
  return text ? { token: text } : null
}

function byHost(people: People, byCredentials: NonNullable<AuthenticatorParts['byCredentials']>) {
  return async (given: HostCredentials): Promise<Actor | null> => {
    let key: PersonKey | null
    try {
      key = await byCredentials(given)
    } catch (error) {
      throw new HookFailed('people.byCredentials', error)
    }
    return key ? people.find(key) : null
  }
}

function byOwnPeople(people: People, secrets: Secrets) {
  const isVerified = rememberVerified()
  return async (given: HostCredentials): Promise<Actor | null> => {
    if ('token' in given) return people.withTokenDigest(secrets.digest(given.token))
    if (given.password.length > LONGEST_PASSWORD) return null
    const known = (await people.withEmail(given.email)).filter((person) => person.passwordHash !== null)
    if (known.length === 0 && !(await secrets.pretendToCompare(given.password))) return null
    for (const { actor, passwordHash } of known) {
      if (
        passwordHash &&
        (await isVerified(given.password, passwordHash, () => secrets.matchesPassword(given.password, passwordHash)))
      ) {
        return actor
      }
    }
    return null
  }
}

/**
 * Remembers which password matched which stored hash, as a digest with a key of this process. A changed password has another
 * hash, so what is remembered dies with it.
 */
function rememberVerified() {
  const key = createHash('sha256')
    .update(crypto.getRandomValues(new Uint8Array(32)))
    .digest()
  const verified = new Set<string>()
  return async (password: string, hash: string, verify: () => Promise<boolean>): Promise<boolean> => {
    const mark = createHash('sha256').update(key).update(hash).update('\0').update(password).digest('base64')
    if (verified.has(mark)) return true
    if (!(await verify())) return false
    if (verified.size >= MOST_REMEMBERED) verified.delete(verified.values().next().value ?? '')
    verified.add(mark)
    return true
  }
}
