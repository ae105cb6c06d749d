/** Sources of people who sign in: the plugin's own tables, or a lookup of the host. */
import { availableParallelism } from 'node:os'
import type { Actor } from '../../core/call.js'
import type { TurnLimits } from '../../core/waiting/turns.js'
import type { People } from '../people/people.js'
import type { Secrets } from '../tokens/secrets.js'
import type { HostPerson } from './recognize-person.js'

/** Credentials of a request: `email` and `password` of basic authentication, or the `token` of any of the ways to send one. */
export type HostCredentials = { readonly email: string; readonly password: string } | { readonly token: string }

/** A host's lookup; null if the credentials are wrong. */
export type FindByCredentials = (credentials: HostCredentials) => Promise<HostPerson | null>

/** A person who may have the password. */
export interface Candidate {
  /** Text that a right password is remembered together with: the stored hash, or the e-mail address at a host. */
  readonly bound: string
  /** The person, if the password was right once and `bound` is still the same. */
  confirm(): Promise<Actor | null>
}

export interface Match {
  readonly candidate: Candidate
  readonly actor: Actor
}

/** Lookup of tokens. */
export interface TokenSource<T> {
  /** @param key the result of `keyOf` for this token, if it is known */
  byToken(token: string, key?: string): Promise<T | null>
  /** The key that the token is looked up by, without revealing it: kept with right tokens, it saves an HMAC per call. */
  keyOf(token: string): string
}

export interface SignInSource extends TokenSource<Actor> {
  /** True if a wrong password stays wrong as long as the candidates are the same. */
  readonly isFinal: boolean
  /** Maximum number of concurrent comparisons of passwords, in all and per address. */
  readonly comparisons: Pick<TurnLimits, 'atOnce' | 'atOncePerKey'>
  /**
   * The people with this address; a cheap lookup.
   *
   * @param how `remembered` allows cached people, who must not be used to decide that a password is wrong
   */
  candidates(email: string, password: string, how?: 'remembered'): Promise<readonly Candidate[]>
  /** The first candidate who has the password. Takes as long if there are no candidates. */
  compare(candidates: readonly Candidate[], password: string): Promise<Match | null>
}

/** Maximum length; longer ones are refused without a comparison, because hashing costs time. */
const MAX_PASSWORD_LENGTH = 1_024

/**
 * Number of concurrent hashes: at most two, at most half of the threads of Node's pool, which files and host names need as well,
 * and one processor less than there are, so that calls with tokens do not wait for one.
 */
export function hashesAtOnce(processors: number, threads: number): number {
  return Math.max(1, Math.min(2, processors - 1, Math.floor(threads / 2)))
}

/** Threads of Node's pool, unless the environment says otherwise. */
const POOL_THREADS = 4
/** Number of password hashes that this process computes at once. */
export const HASHES_AT_ONCE = hashesAtOnce(availableParallelism(), Number(process.env['UV_THREADPOOL_SIZE']) || POOL_THREADS)

/** Looks up credentials in the plugin's own tables. */
export function ownPeople(people: People, secrets: Secrets): SignInSource {
  return {
    isFinal: true,
    comparisons: { atOnce: HASHES_AT_ONCE, atOncePerKey: HASHES_AT_ONCE },
    byToken: (token, key) => people.withTokenDigest(key || secrets.digest(token)),
    keyOf: secrets.digest,
    async candidates(email, password, how) {
      if (password.length > MAX_PASSWORD_LENGTH) return []
      const known = await people.withEmail(email, how)
      return known.flatMap(({ actor, passwordHash }) =>
        passwordHash === null ? [] : [{ bound: passwordHash, confirm: async () => actor }],
      )
    },
    async compare(candidates, password) {
      if (password.length > MAX_PASSWORD_LENGTH) return null
      if (candidates.length === 0) await secrets.pretendToCompare(password)
      for (const candidate of candidates) {
        if (!(await secrets.matchesPassword(password, candidate.bound))) continue
        const actor = await candidate.confirm()
        if (actor) return { candidate, actor }
      }
      return null
    },
  }
}

/**
 * Asks the host each time: only the host knows if a password or a token is still right. A lookup that never ends is aborted.
 * Otherwise it would count as a wrong attempt, and all later calls with the same credentials would wait for it.
 *
 * @param find finds the person in the host's result
 */
export function hostPeople(find: (credentials: HostCredentials) => Promise<Actor | null>): SignInSource {
  return {
    isFinal: false,
    comparisons: { atOnce: 8, atOncePerKey: 4 },
    byToken: (token) => find({ token }),
    // The host needs the token itself, which is not kept.
    keyOf: () => '',
    candidates: async (email, password) => [{ bound: email, confirm: () => find({ email, password }) }],
    async compare([candidate]) {
      const actor = (await candidate?.confirm()) ?? null
      return candidate && actor ? { candidate, actor } : null
    },
  }
}
