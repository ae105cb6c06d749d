/** Finds the people that the host names: by id, by e-mail address, by its own ids. */
import type { Actor } from '../../core/call.js'
import { HookFailed, ItsmError } from '../../core/errors.js'
import { shown } from '../../core/text/shown.js'
import type { AskHost } from '../../core/waiting/ask-host.js'
import type { Inside } from '../../storage/database/transaction.js'
import { type People, type PersonKey, personKey } from '../people/people.js'
import type { HostPerson, Recognize } from './recognize-person.js'

/** A person whom the host's own code acts as. */
export type NamedPerson = number | string | PersonKey

/** The host's lookup of its own ids. */
export type FindById = (id: string) => Promise<PersonKey | null>

/** Dependencies of finding the people that the host names. */
export interface NamingDeps {
  readonly people: People
  readonly ask: AskHost
  readonly byId?: FindById | undefined
}

/**
 * Prepares finding the person that `as(…)` names; the lookup runs with the first call. A number is the id of the person record.
 * A text is looked up by the host's `people.byId`. If there is none, or it returns null, a text with an @ is an e-mail address.
 *
 * @param account the account of the call: selects among people with the same address
 * @returns a function that throws a RangeError with the reason if the person is not found
 * @throws TypeError immediately for an argument that cannot be a person
 */
export function personNamed(
  { people, ask, byId }: NamingDeps,
  given: NamedPerson,
  account?: string,
): (inside?: Inside) => Promise<Actor> {
  const named = describe(given)
  const missing = (reason: string) => new RangeError(`${named}: ${reason}`)

  const withKey = async (key: PersonKey, what: string, inside?: Inside): Promise<Actor> => {
    const found = await people.all(key, inside)
    const [actor, ...others] = found.filter(({ accountId }) => found.length < 2 || accountId === account)
    if (actor && others.length === 0) return actor
    if (found.length === 0) throw missing(`there is no enabled person with ${what}`)
    const accounts = found.map(({ accountId }) => accountId).join(', ')
    throw missing(
      `people of several accounts (${accounts}) have ${what}; pass { ${'source' in key ? 'source, sourceID' : 'email'}, account }`,
    )
  }

  const withText = async (text: string, inside?: Inside): Promise<Actor> => {
    const isAddress = text.includes('@')
    const key = byId ? await askForPerson(ask, 'people.byId', () => byId(text)) : null
    if (key) return withKey(key, `${whatOf(key)}, which people.byId returned`, inside)
    if (isAddress)
      return withKey({ email: text }, `this e-mail address${byId ? ', and people.byId returned null' : ''}`, inside)
    throw missing(byId ? 'people.byId returned null' : 'an id of yours needs the option people.byId')
  }

  if (typeof given === 'string' && given.trim() !== '') return (inside) => withText(given, inside)
  const key = keyOf(typeof given === 'number' ? { id: given } : given, named)
  return (inside) => withKey(key, whatOf(key), inside)
}

/**
 * Prepares finding the person who is signed in at the host, with its hook, from a request.
 *
 * @throws ItsmError that the hook throws on purpose, HookFailed, TimedOut
 */
export function signedInAt<Context>(
  ask: AskHost,
  recognize: Recognize,
  signedIn: (ctx: Context) => Promise<HostPerson | null>,
): (ctx: Context) => Promise<Actor | null> {
  return async (ctx) => {
    const person = await askForPerson(ask, 'people.signedIn', () => signedIn(ctx), isOurs)
    return person && recognize('people.signedIn', person)
  }
}

function isOurs(error: unknown): boolean {
  return error instanceof ItsmError
}

/** The account id that the host's own code has passed. @throws TypeError for an invalid one */
export function accountNamed(place: string, account: unknown): string {
  if (typeof account === 'string' && account.trim() !== '') return account
  throw new TypeError(`${place}: the account must be the id of one, not ${shown(account)}`)
}

/** Asks a lookup of the host for a person; null if it returns none. @throws HookFailed for a result that is not a person */
export async function askForPerson(
  ask: AskHost,
  place: string,
  lookUp: () => unknown,
  passes?: (error: unknown) => boolean,
): Promise<HostPerson | null> {
  const answer = await ask(place, lookUp, passes)
  if (!answer) return null
  try {
    const { known } = Object(answer) as HostPerson
    return known === undefined ? personKey(answer) : { ...personKey(answer), known }
  } catch (error) {
    throw new HookFailed(place, error)
  }
}

function keyOf(given: unknown, named: string): PersonKey {
  try {
    return personKey(given)
  } catch (error) {
    throw new TypeError(`${named}: ${(error as Error).message}`, { cause: error })
  }
}

function whatOf(key: PersonKey): string {
  if ('id' in key) return `the id ${key.id}`
  const named =
    'email' in key ? `the e-mail address ${key.email}` : `the source ${key.source} and the source ID ${key.sourceID}`
  return `${named}${key.account === undefined ? '' : ` in the account '${key.account}'`}`
}

function describe(given: unknown): string {
  if (typeof given === 'string') return `as('${given.slice(0, 100)}')`
  return typeof given === 'object' && given !== null ? 'as({ … })' : `as(${String(given)})`
}
