/** What people make for programs that act as them: personal tokens, and OAuth clients. */
import type { TextKey } from '../../core/texts.js'

/** One of them, as the API shows it. */
export interface Credential {
  readonly id: number
  readonly name: string
  readonly read_only: boolean
  /** Null for all. */
  readonly record_types: readonly string[] | null
  /** Of tokens; null for one that does not end. */
  readonly expires_at?: string | null
  /** Of clients. */
  readonly client_id?: string
  readonly last_used_at: string | null
  readonly created_at: string
}

export interface CredentialKind {
  /** Last name of the paths: `/me/tokens`, `/people/3/tokens`. */
  readonly path: 'tokens' | 'oauth_clients'
  /** The property of the first answer that no other one has. */
  readonly secret: 'token' | 'client_secret'
  readonly ends: boolean
  readonly texts: Readonly<Record<'title' | 'help' | 'none' | 'make' | 'secret' | 'once', TextKey>>
}

export const TOKENS: CredentialKind = {
  path: 'tokens',
  secret: 'token',
  ends: true,
  texts: {
    title: 'tokens',
    help: 'tokens_help',
    none: 'tokens_none',
    make: 'token_make',
    secret: 'token_text',
    once: 'token_once',
  },
}

export const CLIENTS: CredentialKind = {
  path: 'oauth_clients',
  secret: 'client_secret',
  ends: false,
  texts: {
    title: 'clients',
    help: 'clients_help',
    none: 'clients_none',
    make: 'client_make',
    secret: 'client_secret',
    once: 'client_once',
  },
}

/** The maximum of the API for `name` and `expires_in_days`. */
export const MAX_NAME = 128
export const MAX_DAYS = 3650
