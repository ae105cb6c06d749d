/**
 * Tokens of people beside their one API token: personal ones, which they make themselves, and those that OAuth clients get. Only
 * digests are stored, so a token can be shown once.
 */
import type { TokenKind } from '../../core/call.js'
import type { Catalog } from '../../schema/catalog.js'
import { timestampOf } from '../../storage/database/timestamps.js'
import { type LimitedRowsDeps, limitedRows } from './limited-rows.js'
import { type InCall, ownersByDigest } from './rows-of-people.js'
import {
  columnsOf,
  type NewToken,
  ownerIn,
  type StoredToken,
  storedIn,
  TOKEN_COLUMNS,
  type TokenOwner,
  type TokensOf,
} from './token-rows.js'
import { newSecretText } from './token-text.js'

export interface Tokens {
  /** Makes a token and returns it with its text, which cannot be read again. */
  issue(call: InCall, token: NewToken): Promise<{ readonly token: StoredToken; readonly text: string }>
  /** The key that a text is looked up by; does not reveal the text. */
  keyOf(text: string): string
  /**
   * The owner of a token, by the key of its text; null for unknown and expired tokens and disabled people. Cached for two
   * seconds; changes of this process and the end of a token take effect at once.
   */
  find(key: string): Promise<TokenOwner | null>
  /** Stores that a token is used, at most once per minute and in the background. Never throws. */
  noteUse(tokenId: number): void
  /** Waits for uses that are being stored. */
  finished(): Promise<void>
  /** Latest first; expired ones included until they are purged. */
  list(call: InCall, of: TokensOf): Promise<readonly StoredToken[]>
  /** Number of tokens that have not expired. */
  countValid(call: InCall, of: TokensOf): Promise<number>
  /** Deletes those that have expired. */
  dropExpired(call: InCall, of: TokensOf): Promise<void>
  /** Revokes tokens for good and returns their number. @throws RangeError without any of the criteria */
  revoke(call: InCall, of: TokensOf): Promise<number>
  /** Deletes tokens some time after they expired: personal ones after 30 days, others after a day. For a daily job. */
  purge(): Promise<void>
}

/** Dependencies of the tokens. */
export interface TokensDeps extends LimitedRowsDeps {
  readonly catalog: Catalog
}

const DAY = 24 * 3600_000
/** Milliseconds for which expired tokens are kept: people see for a while why one stopped to work. */
const KEEP_EXPIRED: Readonly<Record<TokenKind, number>> = { personal: 30 * DAY, oauth: DAY }

export function createTokens(deps: TokensDeps): Tokens {
  const { storage, catalog, secrets, clock, randomBytes } = deps
  const tableName = storage.table('tokens')
  const rows = limitedRows(deps, tableName, TOKEN_COLUMNS, storedIn)
  const { find, told } = ownersByDigest(deps, tableName, async (digest) => {
    const row = await rows.withPerson({ 'own.digest': digest })
    return row ? ownerIn(catalog, row) : null
  })

  return {
    async issue(call, token) {
      const text = newSecretText(token.kind, randomBytes)
      const { kind, clientId, expiresAt } = token
      const own = {
        kind,
        client_id: clientId,
        digest: secrets.digest(text),
        expires_at: expiresAt && timestampOf(expiresAt),
      }
      return { token: { ...token, ...(await told(call, rows.add(call, token, own))) }, text }
    },
    keyOf: secrets.digest,
    async find(key) {
      const owner = await find(key)
      return owner && !(owner.expiresAt && owner.expiresAt <= clock.now()) ? owner : null
    },
    noteUse: rows.uses.note,
    finished: rows.uses.finished,
    list: (call, of) => rows.list(call, columnsOf(of)),
    async countValid(call, of) {
      const now = timestampOf(clock.now())
      const [found]: { count: number | string }[] = await rows
        .query(call)
        .where(columnsOf(of))
        .where((query) => query.whereNull('expires_at').orWhere('expires_at', '>', now))
        .count('* as count')
      return Number(found?.count)
    },
    async dropExpired(call, of) {
      const now = timestampOf(clock.now())
      await rows.query(call).where(columnsOf(of)).where('expires_at', '<=', now).delete()
    },
    async revoke(call, of) {
      const columns = columnsOf(of)
      if (Object.keys(columns).length === 0) throw new RangeError('It must be known which tokens are meant')
      return told(call, rows.query(call).where(columns).delete())
    },
    async purge() {
      const now = clock.now().getTime()
      for (const [kind, keep] of Object.entries(KEEP_EXPIRED)) {
        await rows
          .query()
          .where({ kind })
          .where('expires_at', '<', timestampOf(new Date(now - keep)))
          .delete()
      }
    },
  }
}
