/** Rows of tokens and what they contain. */
import type { Actor, CallToken, TokenKind } from '../../core/call.js'
import type { Catalog } from '../../schema/compile/compile.js'
import { dateOfTimestamp } from '../../storage/timestamps.js'
import { actorOf, type PersonRow } from '../people.js'
import { withSubRecords } from './limits.js'

/** A token to make. */
export interface NewToken {
  readonly kind: TokenKind
  readonly personId: number
  /** At most 128 characters. */
  readonly name: string
  readonly readOnly: boolean
  /** Names of record types; null for all of them. */
  readonly recordTypes: readonly string[] | null
  /** Null for a token without an end. */
  readonly expiresAt: Date | null
  /** The client that gets it; null for personal tokens. */
  readonly clientId: number | null
}

/** A stored token. Its text is unknown. */
export interface StoredToken extends NewToken {
  readonly id: number
  readonly createdAt: Date
  /** To the minute. */
  readonly lastUsedAt: Date | null
}

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
export interface TokenRow {
  readonly id: number | string
  readonly kind: TokenKind
  readonly person_id: number | string
  readonly client_id: number | string | null
  readonly name: string
  readonly read_only: number | boolean
  readonly record_types: string | null
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
}

/** Columns of the table, without the digest. */
export const TOKEN_COLUMNS: readonly (keyof TokenRow)[] = [
  ...(['id', 'kind', 'person_id', 'client_id', 'name', 'read_only', 'record_types'] as const),
  ...(['created_at', 'expires_at', 'last_used_at'] as const),
]
/** The columns in which the tokens meant have these values. */
export function columnsOf({ id, personId, clientId, kind }: TokensOf): Readonly<Record<string, number | string>> {
  const all = { id, person_id: personId, client_id: clientId, kind }
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** The token in a row. */
export function storedIn(row: TokenRow): StoredToken {
  return {
    id: Number(row.id),
    kind: row.kind,
    personId: Number(row.person_id),
    clientId: row.client_id === null ? null : Number(row.client_id),
    name: row.name,
    readOnly: Boolean(Number(row.read_only)),
    recordTypes: row.record_types === null ? null : (JSON.parse(row.record_types) as string[]),
    createdAt: dateOfTimestamp(row.created_at),
    expiresAt: row.expires_at === null ? null : dateOfTimestamp(row.expires_at),
    lastUsedAt: row.last_used_at === null ? null : dateOfTimestamp(row.last_used_at),
  }
}

/** The token and the person in a row of both, whose columns `id` and `name` are the person's. */
export function ownerIn(
  catalog: Catalog,
  row: PersonRow & TokenRow & { readonly token_id?: number | string; readonly token_name: string },
) {
  const { kind, clientId, readOnly, recordTypes, expiresAt } = storedIn(row)
  const token: CallToken = Object.freeze({
    ...{ id: Number(row.token_id), kind, clientId, name: row.token_name, readOnly },
    recordTypes: recordTypes && withSubRecords(catalog, recordTypes),
  })
  return { actor: actorOf(row), token, expiresAt }
}
