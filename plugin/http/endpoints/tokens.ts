import { MAX_TOKENS } from '../../operations/people/personal-tokens.js'
import { MAX_TOKEN_DAYS } from '../../operations/people/token-input.js'
import type { Endpoint } from '../contract.js'
import type { RouteDeps } from '../deps.js'
import { type OwnedKind, ownedByPeople, SHOWN, TIME } from './owned-by-people.js'

/** `/me/tokens`: the personal tokens of the caller; `/people/:id/tokens`: those of others (behaviour: Tokens). */
export function tokens(deps: Pick<RouteDeps, 'baseUrl' | 'catalog' | 'personalTokens'>): readonly Endpoint[] {
  return ownedByPeople(deps, deps.personalTokens, TOKENS)
}

const { last_used_at, created_at, ...limits } = SHOWN
const TOKENS: OwnedKind = {
  paths: { mine: '/me/tokens', ofPerson: '/people/:id/tokens', oneOfPerson: '/people/:id/tokens/:token_number' },
  name: 'token',
  noun: 'a personal token',
  nouns: 'personal tokens',
  short: 'token',
  secret: 'text',
  title: 'PersonalToken',
  properties: { ...limits, expires_at: TIME, last_used_at, created_at },
  secretProperty: { token: { type: 'string', pattern: '^itsm_pat_[0-9A-Za-z]{36}$' } },
  inputs: {
    expires_at: {
      ...TIME,
      description: 'In the future; not together with expires_in_days. Without either, the token does not expire.',
    },
    expires_in_days: {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: MAX_TOKEN_DAYS,
      description: 'In place of expires_at.',
    },
  },
  making: `The response shows its text, this once. A person has at most ${MAX_TOKENS} that have not expired.`,
  revoked: 'Revoked; the token is refused from now on.',
}
