/** Personal tokens for the host's own code, whose arguments are unchecked. */
import type { Callers } from '../access/callers.js'
import type { People } from '../access/people.js'
import type { Call } from '../core/call.js'
import { Invalid, NotFound, type Violation } from '../core/errors.js'
import { suggestion } from '../core/nearest.js'
import { shown } from '../core/shown.js'
import type { WordBook } from '../core/words/index.js'
import type { Catalog } from '../schema/compile/compile.js'
import { explain } from './local-arguments.js'
import type { NewShownToken, PersonalTokens, ShownToken } from './personal-tokens.js'
import { readTokenInput } from './token-input.js'

/** A token that the host makes for a person. */
export interface HostToken {
  /** At most 128 characters. */
  readonly name: string
  /** Default: false. */
  readonly readOnly?: boolean
  /** Names of record types; default: all. */
  readonly recordTypes?: readonly string[]
  /** Default: the token does not expire. */
  readonly expiresAt?: Date
}

/** Functions of the host for personal tokens. Each throws a TypeError or a RangeError for wrong arguments and unknown people. */
export interface HostTokens {
  /** Makes a token; `token` of the result is its text, which cannot be read again. */
  create(personId: number, token: HostToken): Promise<NewShownToken>
  list(personId: number): Promise<readonly ShownToken[]>
  revoke(personId: number, tokenId: number): Promise<void>
}

/** Dependencies of the tokens of the host. */
export interface HostTokensDeps {
  readonly catalog: Catalog
  readonly words: WordBook
  readonly personalTokens: PersonalTokens
  readonly people: Pick<People, 'find'>
  readonly callers: Pick<Callers, 'hostCall'>
}

/** Names in {@link HostToken}, and those that the API uses. */
const INPUTS = new Map([
  ['name', 'name'],
  ['readOnly', 'read_only'],
  ['recordTypes', 'record_types'],
  ['expiresAt', 'expires_at'],
])

/** Prepares the functions. */
export function createHostTokens({ catalog, words, personalTokens, people, callers }: HostTokensDeps): HostTokens {
  const callFor = async (place: string, personId: unknown): Promise<Call> => {
    if (!Number.isSafeInteger(personId))
      throw new TypeError(`${place}: the person must be the id of a record, not ${shown(personId)}`)
    const person = await people.find({ id: Number(personId) })
    if (!person) throw new RangeError(`${place}: there is no enabled person with the id ${Number(personId)}`)
    return callers.hostCall(place, person.accountId)
  }
  return {
    async create(personId, token) {
      const body = bodyOf(token)
      const call = await callFor('tokens.create', personId)
      try {
        return await personalTokens.createFor(call, personId, readTokenInput(catalog, call, body))
      } catch (error) {
        if (!(error instanceof Invalid)) throw error
        const violations = error.violations.map(([field, ...rest]): Violation => [optionOf(field), ...rest])
        throw new RangeError(`tokens.create: ${explain(words, violations)}`, { cause: error })
      }
    },
    list: async (personId) => personalTokens.list(await callFor('tokens.list', personId), personId),
    async revoke(personId, tokenId) {
      const call = await callFor('tokens.revoke', personId)
      if (!Number.isSafeInteger(tokenId)) throw new TypeError(`tokens.revoke: the token must be its id, not ${shown(tokenId)}`)
      try {
        await personalTokens.revoke(call, tokenId, personId)
      } catch (error) {
        if (!(error instanceof NotFound)) throw error
        throw new RangeError(`tokens.revoke: the person ${personId} has no token with the id ${tokenId}`, { cause: error })
      }
    },
  }
}

/** The name of the option that became this input. */
function optionOf(field: string): string {
  return [...INPUTS].find(([, input]) => input === field)?.[0] ?? field
}

/** The token as the API would get it. @throws TypeError for unknown names and types of values that could be misread */
function bodyOf(token: unknown): Readonly<Record<string, unknown>> {
  if (typeof token !== 'object' || token === null) {
    throw new TypeError(`tokens.create: the token must be { name, … }, not ${shown(token)}`)
  }
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(token)) {
    const input = INPUTS.get(name)
    if (!input) throw new TypeError(`tokens.create: there is no option '${name}'${suggestion(name, INPUTS.keys())}`)
    if (name === 'expiresAt' && value !== undefined && !isTime(value))
      throw new TypeError(`tokens.create: expiresAt must be a Date, not ${shown(value)}`)
    if (value !== undefined) body[input] = isTime(value) ? `${value.toISOString().slice(0, 19)}Z` : value
  }
  return body
}

function isTime(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime())
}
