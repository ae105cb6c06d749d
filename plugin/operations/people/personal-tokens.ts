/** Tokens that people make for their own programs: /me/tokens; and for administrators, /people/:id/tokens (behaviour: Tokens). */
import type { StoredToken } from '../../access/tokens/token-rows.js'
import type { Tokens } from '../../access/tokens/tokens.js'
import type { Call } from '../../core/call.js'
import { instantOf } from '../../core/clock.js'
import { Forbidden, Invalid } from '../../core/errors.js'
import type { Log } from '../../core/log.js'
import type { RecordType } from '../../schema/catalog.js'
import { type OwnedByPeople, ownedByPeople, type ShownLimited, shownLimited } from './owned-by-people.js'
import type { PeopleDeps } from './people-deps.js'
import { readTokenInput } from './token-input.js'

/** Maximum number of tokens of one person that have not expired. */
export const MAX_TOKENS = 50

/** Maximum number of tokens of one person with those that have expired: above it, these are deleted before the purge. */
const MAX_STORED = 100

/** A token as responses show it. */
export interface ShownToken extends ShownLimited {
  /** Null if it does not expire. */
  readonly expires_at: string | null
}

/** A new token: `token` is its text, which is shown this once. */
export type NewShownToken = ShownToken & { readonly token: string }

/** Tokens of people; lists have expired ones for 30 more days. */
export type PersonalTokens = OwnedByPeople<NewShownToken, ShownToken>

/** Creates the operations. */
export function createPersonalTokens(
  deps: PeopleDeps,
  parts: { readonly tokens: Tokens; readonly type: RecordType; readonly log: Log },
): PersonalTokens {
  const { tokens } = parts
  const shown = (call: Call, token: StoredToken): ShownToken => {
    const { last_used_at, created_at, ...limits } = shownLimited(deps, call, token)
    const expires_at = token.expiresAt && deps.formatInstant(instantOf(token.expiresAt), call.zone)
    return { ...limits, expires_at, last_used_at, created_at }
  }
  return ownedByPeople(deps, parts, {
    field: 'tokens',
    noun: 'A personal token',
    shown,
    list: (call, personId) => tokens.list(call, { personId, kind: 'personal' }),
    readInput: (call, body) => readTokenInput(deps.catalog, call, body),
    async add(inside, person, input) {
      // Disabled since the caller signed in: the tokens are revoked already, and this one would stay.
      if (person['disabled'] === true) throw new Forbidden()
      const of = { personId: Number(person['id']), kind: 'personal' } as const
      const stored = await tokens.list(inside, of)
      const count = await tokens.countValid(inside, of)
      if (count >= MAX_TOKENS) throw new Invalid([['tokens', 'too_many', { max: MAX_TOKENS }]])
      if (stored.length >= MAX_STORED) await tokens.dropExpired(inside, of)
      const { token, text } = await tokens.issue(inside, { ...input, ...of, clientId: null })
      return { stored: token, secret: { token: text } }
    },
    remove: async (inside, { id }) => void (await tokens.revoke(inside, { id })),
    named: ({ id, name }) => ({ text: name, details: { tokenId: id } }),
  })
}
