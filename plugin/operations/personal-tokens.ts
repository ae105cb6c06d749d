/** Tokens that people make for their own programs: /me/tokens; and for administrators, /people/:id/tokens (behaviour: Tokens). */
import type { StoredToken } from '../access/tokens/token-rows.js'
import type { Tokens } from '../access/tokens/tokens.js'
import type { Call } from '../core/call.js'
import { instantOf } from '../core/clock.js'
import { Forbidden, Invalid, NotFound } from '../core/errors.js'
import type { Log } from '../core/log.js'
import type { RecordType } from '../schema/compile/compile.js'
import type { Row } from '../schema/define-rule.js'
import { afterCommit, inTransaction } from '../storage/transaction.js'
import type { OperationDeps } from './deps.js'
import { addLinesOf } from './save/audit.js'
import { readTokenInput, type TokenInput } from './token-input.js'
import { tokenOwners } from './token-owners.js'

/** Maximum number of tokens of one person that have not expired. */
export const MAX_TOKENS = 50

/** Maximum number of tokens of one person with those that have expired: above it, these are deleted before the purge. */
const MAX_STORED = 100

/** A token as responses show it. */
export interface ShownToken {
  readonly id: number
  readonly name: string
  readonly read_only: boolean
  /** Null for all. */
  readonly record_types: readonly string[] | null
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly created_at: string
}

/** A new token with its text, which cannot be shown again. */
export type NewShownToken = ShownToken & { readonly token: string }

/**
 * Tokens of the caller, and with `personId` those of another person, for administrators of that person's account.
 *
 * All functions throw Forbidden for callers who may not do this, and NotFound for a token or person that they do not see.
 */
export interface PersonalTokens {
  /** Latest first; expired ones for 30 more days. */
  list(call: Call, personId?: number): Promise<readonly ShownToken[]>
  read(call: Call, id: number): Promise<ShownToken>
  /** @throws Invalid for a wrong body, and above the maximum number */
  create(call: Call, body: Readonly<Record<string, unknown>>): Promise<NewShownToken>
  /** Makes a token of a person on behalf of the host. @throws NotFound for an unknown person, Invalid above the maximum number */
  createFor(call: Call, personId: number, input: TokenInput): Promise<NewShownToken>
  revoke(call: Call, id: number, personId?: number): Promise<void>
}

/** Creates the operations. */
export function createPersonalTokens(
  deps: OperationDeps,
  { tokens, type, log }: { readonly tokens: Tokens; readonly type: RecordType; readonly log: Log },
): PersonalTokens {
  const { personOf, rowOf } = tokenOwners(deps, type)
  const shown = (call: Call, token: StoredToken): ShownToken => {
    const format = (date: Date | null) => date && deps.formatInstant(instantOf(date), call.zone)
    return {
      ...{ id: token.id, name: token.name, read_only: token.readOnly, record_types: token.recordTypes },
      ...{ expires_at: format(token.expiresAt), last_used_at: format(token.lastUsedAt) },
      created_at: deps.formatInstant(instantOf(token.createdAt), call.zone),
    }
  }
  const note = async (call: Call, row: Row, token: StoredToken, isNew: boolean) => {
    await addLinesOf(deps, call, type, [row], 'update', { tokens: isNew ? [null, token.name] : [token.name, null] })
    const details = {
      personId: token.personId,
      tokenId: token.id,
      byPersonId: call.actor?.id ?? null,
      requestId: call.requestId,
    }
    // The transaction may be rolled back, or repeated.
    afterCommit(call, () => log.info(details, `A personal token was ${isNew ? 'made' : 'revoked'}`))
  }
  const make = (call: Call, personId: number, input: TokenInput) =>
    inTransaction(deps.storage, call, async (inside) => {
      const row = await rowOf(inside, personId)
      // Disabled since the caller signed in: the tokens are revoked already, and this one would stay.
      if (row['disabled'] === true) throw new Forbidden()
      const of = { personId, kind: 'personal' } as const
      const stored = await tokens.list(inside, of)
      const count = await tokens.countValid(inside, of)
      if (count >= MAX_TOKENS) throw new Invalid([['tokens', 'too_many', { max: MAX_TOKENS }]])
      if (stored.length >= MAX_STORED) await tokens.dropExpired(inside, of)
      const { token, text } = await tokens.issue(inside, { ...input, kind: 'personal', personId, clientId: null })
      await note(inside, row, token, true)
      return { ...shown(call, token), token: text }
    })

  return {
    async list(call, personId) {
      const found = await tokens.list(call, { personId: await personOf(call, personId, 'read'), kind: 'personal' })
      return found.map((token) => shown(call, token))
    },
    async read(call, id) {
      const personId = await personOf(call, undefined, 'read')
      const [token] = await tokens.list(call, { id, personId, kind: 'personal' })
      if (!token) throw new NotFound()
      return shown(call, token)
    },
    async create(call, body) {
      const personId = await personOf(call, undefined, 'update')
      return make(call, personId, readTokenInput(deps.catalog, call, body))
    },
    createFor: make,
    async revoke(call, id, personId) {
      await inTransaction(deps.storage, call, async (inside) => {
        const of = { id, personId: await personOf(inside, personId, 'update'), kind: 'personal' } as const
        const row = await rowOf(inside, of.personId)
        const [token] = await tokens.list(inside, of)
        if (!token) throw new NotFound()
        await tokens.revoke(inside, of)
        await note(inside, row, token, false)
      })
    },
  }
}
