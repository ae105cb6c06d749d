/** The bodies that create and change records, as the compiler knows them. Types only. */
import type { KnownFields } from '../language/known-field.js'

/** Fields by their own names: `<field>_id` for references. */
type Sent<F, Of extends KnownFields> = { readonly [K in keyof F & string as `${K}${Of[K]['inputEnd']}`]?: Of[K]['input'] }

/** Fields by their second names. */
type Others<F, Of extends KnownFields> = {
  readonly [K in keyof F & string as `${K}${Of[K]['otherEnd']}` | Of[K]['alias']]?: Of[K]['other']
}

/** Names that are values of another field: `{ telephone: '…' }` for the protocol of a contact. */
type Keyed<Of extends KnownFields, Keys extends string> = [Keys] extends [never]
  ? unknown
  : { readonly [K in Of[Keys]['value'] & string]?: string | null }

/** `custom_data` as a list. */
type CustomFields<F> = 'custom_data' extends keyof F ? { readonly custom_fields?: readonly object[] | null } : unknown

/**
 * A body that changes a record.
 *
 * @typeParam F the fields
 * @typeParam Of what is known of them
 * @typeParam Ids the names of links
 */
export type UpdateBody<F, Of extends KnownFields, Ids extends string> = Sent<F, Of> &
  Others<F, Of> &
  CustomFields<F> &
  Keyed<Of, Of[keyof F & string]['keyedBy']> & { readonly [Name in Ids]?: readonly number[] | null }

/**
 * A body that creates a record.
 *
 * @typeParam Filled names of fields that rules may fill
 */
export type CreateBody<F, Of extends KnownFields, Filled, Ids extends string> = UpdateBody<F, Of, Ids> &
  Needed<F, Of, Filled | Of[keyof F & string]['keyedBy']>

type Needed<F, Of extends KnownFields, Filled> = [Filled] extends [never]
  ? { readonly [K in keyof F & string as `${K}${Of[K]['neededEnd']}`]: Of[K]['input'] }
  : { readonly [K in Exclude<keyof F & string, Filled> as `${K}${Of[K]['neededEnd']}`]: Of[K]['input'] }
