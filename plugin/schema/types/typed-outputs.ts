/** Records as they are returned, as the compiler knows them. Types only. */
import type { KnownFields } from '../language/known-field.js'

/**
 * A record in full. Others than its own fields are the account, if it is not that of the call, the owner at the URL of a sub-record, and
 * values whose name is in another field.
 */
export type OutputOf<F extends KnownFields> = { readonly [K in keyof F & string]: F[K]['output'] } & OwnOutputs &
  Keyed<F, F[keyof F & string]['keyedBy']>

/** A record of a list, which has some fields, or one that the caller may not see. */
export type SomeOutputOf<F extends KnownFields> = { readonly [K in keyof F & string]?: F[K]['output'] } & OwnOutputs &
  Keyed<F, F[keyof F & string]['keyedBy']>

type OwnOutputs = {
  readonly id: number
  readonly account?: { readonly id: string; readonly name?: string }
}

type Keyed<F extends KnownFields, Keys extends string> = [Keys] extends [never]
  ? unknown
  : { readonly [K in F[Keys]['value'] & string]?: string }
