/** The bodies that create and change records, as the compiler knows them. Types only. */
import type { KnownFields } from '../language/known-field.js'

/** Fields by their own names: `<field>_id` for references. */
type Sent<F extends KnownFields> = { readonly [K in keyof F & string as `${K}${F[K]['inputEnd']}`]?: F[K]['input'] }

/** Fields by their second names. */
type Others<F extends KnownFields> = {
  readonly [K in keyof F & string as `${K}${F[K]['otherEnd']}`]?: F[K]['other']
}

/** Fields by one more name. */
type Aliases<F extends KnownFields, Names extends string> = [Names] extends [never]
  ? unknown
  : { readonly [K in keyof F & string as F[K]['alias']]?: F[K]['other'] }

/** Names that are values of another field: `{ telephone: '…' }` for the protocol of a contact. */
type Keyed<F extends KnownFields, Keys extends string> = [Keys] extends [never]
  ? unknown
  : { readonly [K in F[Keys]['value'] & string]?: string | null }

/** `custom_data` as a list. */
type CustomFields<F> = 'custom_data' extends keyof F ? { readonly custom_fields?: readonly object[] | null } : unknown

/**
 * A body that changes a record.
 *
 * @typeParam F the fields
 * @typeParam Ids the names of links
 */
export type UpdateBody<F extends KnownFields, Ids extends string> = Sent<F> &
  Others<F> &
  Aliases<F, F[keyof F & string]['alias']> &
  CustomFields<F> &
  Keyed<F, F[keyof F & string]['keyedBy']> & { readonly [Name in Ids]?: readonly number[] | null }

/**
 * A body that creates a record.
 *
 * @typeParam Filled names of fields that rules may fill
 */
export type CreateBody<F extends KnownFields, Filled, Ids extends string> = UpdateBody<F, Ids> &
  Needed<F, Filled | F[keyof F & string]['keyedBy']>

type Needed<F extends KnownFields, Filled> = [Filled] extends [never]
  ? { readonly [K in keyof F & string as `${K}${F[K]['neededEnd']}`]: F[K]['input'] }
  : { readonly [K in Exclude<keyof F & string, Filled> as `${K}${F[K]['neededEnd']}`]: F[K]['input'] }
