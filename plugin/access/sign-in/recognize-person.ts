/** Recognizes people whom the host has signed in: by their record, or by one that the host's `people.provision` describes. */
import { type Actor, ROLES, type Role } from '../../core/call.js'
import type { Clock } from '../../core/clock.js'
import { HookFailed, Invalid, NotFound } from '../../core/errors.js'
import type { Log } from '../../core/log.js'
import { folded, isSame } from '../../core/text/identity.js'
import { shown } from '../../core/text/shown.js'
import type { AskHost } from '../../core/waiting/ask-host.js'
import type { People, PersonKey } from '../people/people.js'

/** A person that a lookup of the host returns. `known` is passed to `people.provision`: other facts that the host has. */
export type HostPerson = PersonKey & { readonly known?: unknown }

/** A person who is signed in at the host but has no record. */
export interface NewcomerSeen {
  /** The address that no person has. */
  readonly email: string
  /** The account that the lookup has named. */
  readonly account?: string
  /** The `known` of the lookup's result. */
  readonly known?: unknown
}

/** A person record to create. */
export interface NewPerson {
  /** The account of the record; default: the one in the lookup's result. */
  readonly account?: string
  /** Fields of the record, as in the API; `primary_email` is the address in the lookup's result. */
  readonly body: { readonly [field: string]: unknown }
  /** Roles in that account; default: none. */
  readonly roles?: readonly Role[]
}

/**
 * The host's hook for newcomers; null refuses them.
 *
 * ```ts
 * import type { Provision } from 'koa-itsm'
 *
 * export const provision: Provision = async ({ email, known }) =>
 *   email.endsWith('@acme.example') ? { account: 'acme', body: { name: String(known ?? email) } } : null
 * ```
 */
export type Provision = (newcomer: NewcomerSeen) => NewPerson | null | Promise<NewPerson | null>

/** Creates the record and grants the roles, both or neither. @throws Invalid, NotFound or RangeError if it cannot be created */
export type CreatePerson = (person: Required<NewPerson>) => Promise<void>

/** The person in the result of a hook; null if not found or disabled. */
export type Recognize = (hook: string, person: HostPerson) => Promise<Actor | null>

/** Dependencies of the recognition. */
export interface RecognizeDeps {
  readonly people: People
  readonly ask: AskHost
  readonly log: Log
  readonly clock: Clock
  readonly provision?: Provision | undefined
  readonly create: CreatePerson
}

/** Milliseconds between two lines in the log about people without a record. */
const LOG_EVERY = 60_000

/** Prepares recognizing. A newcomer gets one record, for any number of concurrent first calls, in any number of processes. */
export function createRecognition(deps: RecognizeDeps): Recognize {
  const { people, provision } = deps
  const logRefusal = createRefusalLog(deps)
  const arriving = new Map<string, Promise<Actor | null>>()

  return async (hook, person) => {
    const actor = await people.find(person)
    if (actor) return actor
    if (!('email' in person) || !provision) {
      logRefusal(hook, person, 'No enabled person matches the result of the hook: the call is refused')
      return null
    }
    if (await people.isKnown(person)) {
      // Another process may have created the record since the first lookup.
      const arrived = await people.find(person)
      if (arrived) return arrived
      logRefusal(hook, person, 'The person in the result of the hook is disabled: the call is refused')
      return null
    }
    const key = JSON.stringify([folded(person.email.trim()), person.account])
    const arrival = arriving.get(key) ?? provide(deps, provision, person).finally(() => arriving.delete(key))
    arriving.set(key, arrival)
    const made = await arrival
    if (!made) logRefusal(hook, person, 'people.provision returned no record for the result of the hook: the call is refused')
    return made
  }
}

type Newcomer = Extract<HostPerson, { readonly email: string }>

async function provide(deps: RecognizeDeps, provision: Provision, { known, ...key }: Newcomer): Promise<Actor | null> {
  const { people, ask, create } = deps
  const seen: NewcomerSeen = known === undefined ? key : { ...key, known }
  const read = async () => readAnswer(await provision(seen), key)
  const person = (await ask(PLACE, read)) as Required<NewPerson> | null
  if (!person) return null
  try {
    await create(person)
  } catch (error) {
    // Another process may have been faster: the address is taken then.
    const [actor] = await people.all(key)
    if (actor) return actor
    const isHosts = error instanceof Invalid || error instanceof NotFound || error instanceof RangeError
    throw isHosts ? new HookFailed(PLACE, error) : error
  }
  const [actor = null] = await people.all({ email: key.email, account: person.account })
  return actor
}

const PLACE = 'people.provision'

/** The record to create, if any. @throws TypeError for another kind of result, or another person */
function readAnswer(answer: unknown, key: { readonly email: string; readonly account?: string }): Required<NewPerson> | null {
  if (!answer) return null
  const wrong = (reason: string) => new TypeError(reason)
  const { account = key.account, body, roles = [], ...others } = Object(answer) as Record<string, unknown>
  const [other] = Object.keys(others)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw wrong(`it must return { body, account?, roles? } or null, and body is ${shown(body)}`)
  }
  if (other !== undefined) throw wrong(`it must return { body, account?, roles? }, without '${other}'`)
  if (typeof account !== 'string' || account.trim() === '') throw wrong('it must name the account of the new person')
  // With another address or account the person would be a newcomer again at the next call.
  if (key.account !== undefined && account !== key.account) {
    throw wrong(`its account '${account}' is not '${key.account}', where the person is signed in`)
  }
  const email = (body as Record<string, unknown>)['primary_email'] ?? key.email
  if (typeof email !== 'string' || !isSame(email.trim(), key.email.trim())) {
    throw wrong(`its primary_email ${shown(email)} is not '${key.email}', with which the person is signed in`)
  }
  const isRole = (role: unknown) => ROLES.some((known) => known === role)
  if (!Array.isArray(roles) || !roles.every(isRole))
    throw wrong(`its roles must be an array of names, among ${ROLES.join(', ')}`)
  return { account, roles: roles as readonly Role[], body: { ...body, primary_email: key.email } }
}

/** Logs why people are refused: at most one line per hook and minute, with the number of omitted ones. */
function createRefusalLog({ log, clock }: RecognizeDeps) {
  const last = new Map<string, { readonly at: number; more: number }>()
  return (hook: string, { known: _, ...person }: HostPerson, message: string) => {
    const now = clock.now().getTime()
    const before = last.get(hook)
    if (before && now - before.at < LOG_EVERY) {
      before.more += 1
      return
    }
    last.set(hook, { at: now, more: 0 })
    log.warn({ hook, person, ...(before?.more ? { refusedSinceLastLine: before.more } : {}) }, message)
  }
}
