/** Personal tokens for the host's own code. */
import type { NewShownToken, PersonalTokens, ShownToken } from '../people/personal-tokens.js'
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
  readonly personalTokens: PersonalTokens
}

/** Names in {@link HostToken}, and those that the API uses. */
const INPUTS = new Map<string, string>([...LIMIT_INPUTS, ['expiresAt', 'expires_at']])

/** Prepares the functions. */
export function createHostTokens(deps: HostTokensDeps): HostTokens {
  return hostOwned<HostToken, NewShownToken, ShownToken>(deps, {
    place: 'tokens',
    noun: 'token',
    inputs: INPUTS,
    operations: deps.personalTokens,
  })
}
