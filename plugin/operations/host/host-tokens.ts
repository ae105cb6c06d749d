/** Personal tokens for the host's own code. */
import type { Catalog } from '../../schema/compile/compile.js'
import type { NewShownToken, PersonalTokens, ShownToken } from '../people/personal-tokens.js'
import { readTokenInput } from '../people/token-input.js'
import { type HostLimits, type HostOwned, type HostOwnedDeps, hostOwned, LIMIT_INPUTS } from './host-owned.js'

/** A token that the host makes for a person. */
export interface HostToken extends HostLimits {
  /** Default: the token does not expire. */
  readonly expiresAt?: Date
}

/** Functions of the host for personal tokens. */
export type HostTokens = HostOwned<HostToken, NewShownToken, ShownToken>

/** Dependencies of the tokens of the host. */
export interface HostTokensDeps extends HostOwnedDeps {
  readonly catalog: Catalog
  readonly personalTokens: PersonalTokens
}

/** Names in {@link HostToken}, and those that the API uses. */
const INPUTS = new Map<string, string>([...LIMIT_INPUTS, ['expiresAt', 'expires_at']])

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
