/**
 * Tokens of people beside their one API token: personal ones, which they make themselves, and those that OAuth clients get. Only
 * digests are stored, so a token can be shown once.
 */
import type { Knex } from 'knex'
import type { TokenKind } from '../../core/call.js'
import { createShortMemory } from '../../core/waiting/short-memory.js'
import type { Catalog } from '../../schema/catalog.js'
import type { Row } from '../../schema/language/define-rule.js'
import { timestampOf } from '../../storage/database/timestamps.js'
import { REMEMBER_FOR } from '../people/accounts.js'
import { type InCall, type LimitedRowsDeps, limitedRows } from './limited-rows.js'
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
  /**
   * Runs after a person was written. Revokes the tokens of disabled and removed people; enabling a person does not restore them.
   */
  readonly afterWrite: ReadonlyMap<string, (db: Knex, before: Row | null, after: Row | null) => Promise<void>>
  /** Deletes tokens some time after they expired: personal ones after 30 days, others after a day. For a daily job. */
  purge(): Promise<void>
}

/** Dependencies of the tokens. */
export interface TokensDeps extends LimitedRowsDeps {
  readonly catalog: Catalog
}

/** Maximum number of cached tokens. */
const MAX_REMEMBERED = 10_000
const DAY = 24 * 3600_000
/** Milliseconds for which expired tokens are kept: people see for a while why one stopped to work. */
const KEEP_EXPIRED: Readonly<Record<TokenKind, number>> = { personal: 30 * DAY, oauth: DAY }

export function createTokens(deps: TokensDeps): Tokens {
  const { storage, catalog, person, secrets, clock, randomBytes } = deps
  const tableName = storage.table('tokens')
  const rows = limitedRows(deps, tableName, TOKEN_COLUMNS, storedIn)
  const owners = createShortMemory<(TokenOwner & { readonly expiresAt: Date | null }) | null>({
    clock,
    lasts: REMEMBER_FOR,
    max: MAX_REMEMBERED,
    isWorth: (owner) => owner !== null,
  })
  const watched = [tableName, storage.table(person.table)]
  storage.changes.listen((written) => {
    if (!written || watched.some((name) => written.has(name))) owners.forget()
  })
  /** Waits for a write, and announces it even if it fails: only the confirmation may have been lost. Commits announce their own. */
  const told = async <T>(call: InCall, write: PromiseLike<T>): Promise<T> => {
    try {
      return await write
    } finally {
      if (!call.transaction) storage.changes.tell(new Set([tableName]))
    }
  }
  const load = async (digest: string) => {
    const row = await rows.withPerson({ 'own.digest': digest })
    return row ? ownerIn(catalog, row) : null
  }

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
      const owner = (await owners.recall(key, () => load(key))).value
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
    afterWrite: new Map([
      [
        person.name,
        async (db, before, after) => {
          const isClosed = after === null || (after['disabled'] === true && before?.['disabled'] !== true)
          if (before && isClosed)
            await db(tableName)
              .where({ person_id: Number(before['id']) })
              .delete()
        },
      ],
    ]),
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
