/** Signing in with e-mail and password. Guessing is limited and does not slow down other callers. */
import { type TooManyRequests, Unauthenticated } from '../../core/errors.js'
import { folded } from '../../core/text/identity.js'
import { createTurns } from '../../core/waiting/turns.js'
import { createFailureLimit, tooManyAtOnce } from '../tokens/wrong-credentials.js'
import { type Remembered, rememberCredentials } from './remembered-credentials.js'
import type { Candidate, Match, SignInSource } from './sign-in-sources.js'

/** Wrong passwords for a remembered person, beyond the limit: with the default limit, about one per second. */
const MISSES_PER_FAILURE = 20
/** Limits for comparisons of passwords that wait in the queue. */
const COMPARISONS = { waiting: 100, waitingPerKey: 50, refusal: tooManyAtOnce }

/**
 * Signs in with a password. An attempt is counted before any lookup, and the count removed if it was right. Passwords that were
 * right before need no comparison. The same password, sent several times at once, is one attempt.
 */
export function passwordSignIn(source: SignInSource, remembered: Remembered, limit: number) {
  const failures = createFailureLimit(limit)
  const comparisons = createTurns({ ...COMPARISONS, ...source.comparisons })
  const pending = new Map<string, Promise<Match | null>>()
  const wrong = rememberWrong(source)
  const rememberedHere = rememberedSignIn(source, remembered, wrong, limit * MISSES_PER_FAILURE)

  const findKnown = async (candidates: readonly Candidate[], password: string): Promise<Match | null> => {
    const known = candidates.find(({ bound }) => remembered.has('password', bound, password))
    const confirmed = await known?.confirm()
    if (known && confirmed) return { candidate: known, actor: confirmed }
    if (known) remembered.forget('password', known.bound, password)
    return null
  }
  const find = async (address: string, email: string, password: string): Promise<Match | null> => {
    const recent = await findKnown(await source.candidates(email, password, 'remembered'), password)
    if (recent) return recent
    // A password that another process has just set must not count as wrong.
    const candidates = await source.candidates(email, password)
    const known = await findKnown(candidates, password)
    if (known) return known
    // Thrown, so that it is not counted again: a program with an old password must not block others at the same address.
    if (wrong.has(email, candidates, password)) throw new Unauthenticated()
    const found = await comparisons.run(address, () => source.compare(candidates, password))
    if (!found) wrong.add(email, candidates, password)
    return found
  }
  const signIn = async (address: string, email: string, password: string): Promise<Match | null> => {
    const refusal = await failures.take(address)
    if (refusal) return rememberedHere.signIn(address, email, password, refusal)
    const found = await failures.judge(address, () => find(address, email, password))
    if (!found) return null
    remembered.add('password', found.candidate.bound, password)
    rememberedHere.add(address, email, found.candidate, password)
    return found
  }
  return (address: string, email: string, password: string): Promise<Match | null> => {
    const key = JSON.stringify([address, email, password])
    const running = pending.get(key) ?? signIn(address, email, password).finally(() => pending.delete(key))
    pending.set(key, running)
    return running
  }
}

/** Remembers wrong passwords, if a password stays wrong as long as the candidates are the same. */
function rememberWrong({ isFinal }: SignInSource) {
  const wrong = rememberCredentials()
  const markOf = (email: string, candidates: readonly Candidate[], password: string) => [
    folded(email.trim()),
    password,
    ...candidates.map(({ bound }) => bound),
  ]
  return {
    has: (...about: Parameters<typeof markOf>): boolean => isFinal && wrong.has(...markOf(...about)),
    add: (...about: Parameters<typeof markOf>): void => void (isFinal && wrong.add(...markOf(...about))),
  }
}

/**
 * Signs in from an address that has used up its attempts: only with a password that was right from this very address, and
 * without a comparison. Misses are counted per person, otherwise callers at the address of a remembered person could guess
 * without limit.
 */
function rememberedSignIn(
  source: SignInSource,
  remembered: Remembered,
  wrong: ReturnType<typeof rememberWrong>,
  limit: number,
) {
  const misses = createFailureLimit(limit)
  const keyOf = (address: string, email: string) => `${address} ${folded(email.trim())}`
  return {
    add(address: string, email: string, { bound }: Candidate, password: string): void {
      remembered.add('person here', keyOf(address, email))
      remembered.add('password here', bound, password, address)
    },
    async signIn(address: string, email: string, password: string, refusal: TooManyRequests): Promise<Match> {
      const key = keyOf(address, email)
      // Unknown people cost neither a lookup nor a counter.
      if (!remembered.has('person here', key) || (await misses.take(key))) throw refusal
      const found = await misses.judge(key, async () => {
        const candidates = await source.candidates(email, password)
        if (wrong.has(email, candidates, password)) throw refusal
        const known = candidates.find(({ bound }) => remembered.has('password here', bound, password, address))
        const actor = await known?.confirm()
        return known && actor ? { candidate: known, actor } : null
      })
      if (!found) throw refusal
      return found
    },
  }
}
