/** Personal tokens for the host's own code. */
import type { Catalog } from '../schema/compile/compile.js'
import { type HostOwnedDeps, hostOwned } from './host-owned.js'
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
export interface HostTokensDeps extends HostOwnedDeps {
  readonly catalog: Catalog
  readonly personalTokens: PersonalTokens
}

/** Names in {@link HostToken}, and those that the API uses. */
const INPUTS = new Map([
  ['name', 'name'],
  ['readOnly', 'read_only'],
  ['recordTypes', 'record_types'],
  ['expiresAt', 'expires_at'],
])

/** Prepares the functions. */
export function createHostTokens(deps: HostTokensDeps): HostTokens {
  const { catalog, personalTokens } = deps
  return hostOwned<HostToken, NewShownToken, ShownToken>(deps, {
    ...{ place: 'tokens', noun: 'token', inputs: INPUTS },
    create: (call, personId, body) => personalTokens.createFor(call, personId, readTokenInput(catalog, call, body)),
    list: personalTokens.list,
    revoke: personalTokens.revoke,
  })
}
