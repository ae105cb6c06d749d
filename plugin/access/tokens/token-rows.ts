/** Rows of tokens and what they contain. */
import type { Actor, CallToken, TokenKind } from '../../core/call.js'
import type { Catalog } from '../../schema/catalog.js'
import { dateOfTimestamp } from '../../storage/database/timestamps.js'
import { actorOf } from '../people/people.js'
import { type LimitedRow, limitedIn, type NewLimited, type RowOfPerson, type StoredLimited } from './limited-rows.js'
import { withSubRecords } from './token-limits.js'

/** A token to make. */
export interface NewToken extends NewLimited {
  readonly kind: TokenKind
  /** Null for a token without an end. */
  readonly expiresAt: Date | null
  /** The client that gets it; null for personal tokens. */
  readonly clientId: number | null
}

/** A stored token. Its text is unknown. */
export interface StoredToken extends NewToken, StoredLimited {}

/** A token and the enabled person whom it signs in. */
export interface TokenOwner {
  readonly actor: Actor
  readonly token: CallToken
}

/** The tokens meant: of a person, of a client, or both. */
export interface TokensOf {
  readonly id?: number
  readonly personId?: number
  readonly clientId?: number
  readonly kind?: TokenKind
}

/** A row of the table of tokens, without the digest. */
export interface TokenRow extends LimitedRow {
  readonly kind: TokenKind
  readonly client_id: number | string | null
  readonly expires_at: string | null
}

/** Columns that only this table has, without the digest. */
export const TOKEN_COLUMNS = ['kind', 'client_id', 'expires_at'] as const

/** The columns in which the tokens meant have these values. */
export function columnsOf({ id, personId, clientId, kind }: TokensOf): Readonly<Record<string, number | string>> {
  const all = { id, person_id: personId, client_id: clientId, kind }
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** The token in a row. */
export function storedIn(row: TokenRow): StoredToken {
  return {
    ...limitedIn(row),
    kind: row.kind,
    clientId: row.client_id === null ? null : Number(row.client_id),
    expiresAt: row.expires_at === null ? null : dateOfTimestamp(row.expires_at),
  }
}

/** The token and the person in a row of both. */
export function ownerIn(catalog: Catalog, row: RowOfPerson<TokenRow>) {
  const { kind, clientId, readOnly, recordTypes, expiresAt } = storedIn(row)
  const token: CallToken = Object.freeze({
    id: Number(row.own_id),
    kind,
    clientId,
    name: row.own_name,
    readOnly,
    recordTypes: recordTypes && withSubRecords(catalog, recordTypes),
  })
  return { actor: actorOf(row), token, expiresAt }
}
