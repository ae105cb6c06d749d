/** Recognizes people whom the host has signed in: by their record, or by one that the host's `people.provision` makes. */
import type { AskHost } from '../core/ask-host.js'
import { type Actor, ROLES, type Role } from '../core/call.js'
import type { Clock } from '../core/clock.js'
import { HookFailed, Invalid, NotFound } from '../core/errors.js'
import type { Log } from '../core/log.js'
import { shown } from '../core/shown.js'
import type { People, PersonKey } from './people.js'

/** A person as a lookup of the host answers it. `known` is for `people.provision`: what else the host knows of the person. */
export type HostPerson = PersonKey & { readonly known?: unknown }

/** A person who is signed in at the host, and of whom there is no record. */
export interface NewcomerSeen {
  readonly email: string
  readonly account?: string
  /** What the lookup has answered as `known`. */
  readonly known?: unknown
}

/** A person record to be made. */
export interface NewPerson {
  /** The account that gets the record; default: the one that the lookup has answered. */
  readonly account?: string
  /** Fields of the record, as in the interface; `primary_email` is the address that the lookup has answered. */
  readonly body: { readonly [field: string]: unknown }
  /** Roles in that account; default: none. */
  readonly roles?: readonly Role[]
}

/** The host's answer to a newcomer; null refuses. */
export type Provision = (newcomer: NewcomerSeen) => NewPerson | null | Promise<NewPerson | null>

/** Creates the record and gives the roles, both or neither. @throws Invalid, NotFound or RangeError for what cannot be made */
export type CreatePerson = (person: Required<NewPerson>) => Promise<void>

/** The person that the answer of a hook means; null when there is none, or a disabled one. */
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

/** Milliseconds between two lines in the log about people that a hook answers and that have no record. */
const LOG_EVERY = 60_000

/** Prepares recognizing. A newcomer gets one record, however many first calls come at once, in however many processes. */
export function createRecognition(deps: RecognizeDeps): Recognize {
  const { people, provision } = deps
  const logRefusal = createRefusalLog(deps)
  const arriving = new Map<string, Promise<Actor | null>>()

  return async (hook, person) => {
    const actor = await people.find(person)
    if (actor) return actor
    if ('id' in person || !provision) {
      logRefusal(hook, person, 'There is no enabled person with what the hook has answered: the call is refused')
      return null
    }
    if (await people.isKnown(person)) {
      // Another process may have made the record since the first look.
      const arrived = await people.find(person)
      if (arrived) return arrived
      logRefusal(hook, person, 'The person that the hook has answered is disabled: the call is refused')
      return null
    }
    const key = JSON.stringify([person.email.trim().toLowerCase(), person.account])
    const arrival = arriving.get(key) ?? provide(deps, provision, person).finally(() => arriving.delete(key))
    arriving.set(key, arrival)
    const made = await arrival
    if (!made) logRefusal(hook, person, 'people.provision makes no record for what the hook has answered: the call is refused')
    return made
  }
}

type Newcomer = Exclude<HostPerson, { readonly id: number }>

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

/** The record to be made, if any. @throws TypeError for an answer that says something else, or another person */
function readAnswer(answer: unknown, key: { readonly email: string; readonly account?: string }): Required<NewPerson> | null {
  if (!answer) return null
  const wrong = (reason: string) => new TypeError(reason)
  const { account = key.account, body, roles = [], ...others } = Object(answer) as Record<string, unknown>
  const [other] = Object.keys(others)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw wrong(`it must answer { body, account?, roles? } or null, and body is ${shown(body)}`)
  }
  if (other !== undefined) throw wrong(`it must answer { body, account?, roles? }, without '${other}'`)
  if (typeof account !== 'string' || account.trim() === '') throw wrong('it must name the account of the new person')
  // With another address or account the person would be a newcomer at the next call, too.
  if (key.account !== undefined && account !== key.account) {
    throw wrong(`its account '${account}' is not '${key.account}', where the person is signed in`)
  }
  const email = (body as Record<string, unknown>)['primary_email'] ?? key.email
  if (typeof email !== 'string' || email.trim().toLowerCase() !== key.email.trim().toLowerCase()) {
    throw wrong(`its primary_email ${shown(email)} is not '${key.email}', with which the person is signed in`)
  }
  const isRole = (role: unknown) => ROLES.some((known) => known === role)
  if (!Array.isArray(roles) || !roles.every(isRole))
    throw wrong(`its roles must be an array of names, among ${ROLES.join(', ')}`)
  return { account, roles: roles as readonly Role[], body: { ...body, primary_email: key.email } }
}

/** Logs what keeps people out: for each hook one line in a minute at most, with the number of those that were left out. */
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
