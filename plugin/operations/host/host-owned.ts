/** What people own and the host's own code manages, whose arguments are unchecked: personal tokens, OAuth clients. */
import type { Callers } from '../../access/people/callers.js'
import type { People } from '../../access/people/people.js'
import type { Call } from '../../core/call.js'
import { Invalid, NotFound, type Violation } from '../../core/errors.js'
import { suggestion } from '../../core/text/nearest.js'
import { shown } from '../../core/text/shown.js'
import type { WordBook } from '../../words/words.js'
import type { OwnedByPeople } from '../people/owned-by-people.js'
import { explain } from './explain.js'

/** Name and limits, as the host gives them. */
export interface HostLimits {
  /** At most 128 characters. */
  readonly name: string
  /** Default: false. */
  readonly readOnly?: boolean
  /** Names of record types; default: all. */
  readonly recordTypes?: readonly string[]
}

/** Names in {@link HostLimits}, and those that the API uses. */
export const LIMIT_INPUTS = [
  ['name', 'name'],
  ['readOnly', 'read_only'],
  ['recordTypes', 'record_types'],
] as const

/** Functions of the host. Each throws a TypeError or a RangeError for wrong arguments and unknown people. */
export interface HostOwned<Given, Made, Shown> {
  /** The secret in the result cannot be read again. */
  create(personId: number, given: Given): Promise<Made>
  /** Lists what a person has, ended ones included. */
  list(personId: number): Promise<readonly Shown[]>
  /** Ends one at once, in other processes within two seconds. */
  revoke(personId: number, id: number): Promise<void>
}

/** Dependencies of these functions. */
export interface HostOwnedDeps {
  readonly words: WordBook
  readonly people: Pick<People, 'find'>
  readonly callers: Pick<Callers, 'hostCall'>
}

/** What is managed, and the operations that do it. */
export interface Owned<Made, Shown> {
  /** Name of the functions: `tokens` for `tokens.create`. */
  readonly place: string
  readonly noun: string
  /** Names of the inputs in the API, by the names that the host uses. */
  readonly inputs: ReadonlyMap<string, string>
  readonly operations: Pick<OwnedByPeople<Made, Shown>, 'createFor' | 'list' | 'revoke'>
}

/** Prepares the functions. */
export function hostOwned<Given, Made, Shown>(
  { callers, people, words }: HostOwnedDeps,
  owned: Owned<Made, Shown>,
): HostOwned<Given, Made, Shown> {
  const { inputs, noun, operations, place } = owned
  const callFor = async (name: string, personId: unknown): Promise<Call> => {
    if (!Number.isSafeInteger(personId))
      throw new TypeError(`${name}: the person must be the id of a record, not ${shown(personId)}`)
    const person = await people.find({ id: Number(personId) })
    if (!person) throw new RangeError(`${name}: there is no enabled person with the id ${Number(personId)}`)
    return callers.hostCall(name, person.accountId)
  }
  /** The name of the host's option that became this input. */
  const optionOf = (field: string) => [...inputs].find(([, input]) => input === field)?.[0] ?? field
  return {
    async create(personId, given) {
      const body = bodyOf(owned, given)
      const call = await callFor(`${place}.create`, personId)
      try {
        return await operations.createFor(call, personId, body)
      } catch (error) {
        if (!(error instanceof Invalid)) throw error
        const violations = error.violations.map(([field, ...rest]): Violation => [optionOf(field), ...rest])
        throw new RangeError(`${place}.create: ${explain(words, violations)}`, { cause: error })
      }
    },
    list: async (personId) => operations.list(await callFor(`${place}.list`, personId), personId),
    async revoke(personId, id) {
      const call = await callFor(`${place}.revoke`, personId)
      if (!Number.isSafeInteger(id)) throw new TypeError(`${place}.revoke: the ${noun} must be its id, not ${shown(id)}`)
      try {
        await operations.revoke(call, id, personId)
      } catch (error) {
        if (!(error instanceof NotFound)) throw error
        const reason = `the person ${personId} has no ${noun} with the id ${id}`
        throw new RangeError(`${place}.revoke: ${reason}`, { cause: error })
      }
    },
  }
}

/** The argument as the API would get it. @throws TypeError for unknown names and types of values that could be misread */
function bodyOf(owned: Pick<Owned<unknown, unknown>, 'inputs' | 'noun' | 'place'>, given: unknown) {
  const place = `${owned.place}.create`
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(`${place}: the ${owned.noun} must be { name, … }, not ${shown(given)}`)
  }
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const input = owned.inputs.get(name)
    if (!input) throw new TypeError(`${place}: there is no option '${name}'${suggestion(name, owned.inputs.keys())}`)
    if (name === 'expiresAt' && value !== undefined && !isTime(value))
      throw new TypeError(`${place}: expiresAt must be a Date, not ${shown(value)}`)
    if (value !== undefined) body[input] = isTime(value) ? `${value.toISOString().slice(0, 19)}Z` : value
  }
  return body
}

function isTime(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime())
}
