/** The fields of a record type with those of its extensions, as the compiler knows them. Types only. */
import type { ExtensionFacts } from '../language/extend-record.js'
import type { With } from '../language/known-field.js'

/** The keys of all members of a union. */
export type KeysOfAll<U> = U extends unknown ? keyof U : never

/** The value of a key in those members of a union that have it. */
export type ValueIn<U, K> = U extends { readonly [Key in K & PropertyKey]: infer V } ? V : never

/** The fields of a definition, with those that extensions add, the values that they add, and what they make optional. */
export type FieldsWith<F, A extends ExtensionFacts> = [A] extends [never]
  ? F
  : Merged<F, A['fields'], A['values'], A['relaxed']>

type Merged<F, More, Values, Relaxed> = Changed<F, Values, Relaxed, Extract<keyof F, KeysOfAll<Values> | Relaxed>> & {
  readonly [K in KeysOfAll<More>]: ValueIn<More, K>
}
/** The fields, some of which an extension changes. */
type Changed<F, Values, Relaxed, Some extends keyof F> = [Some] extends [never]
  ? F
  : Omit<F, Some> & {
      readonly [K in Some]: K extends Relaxed ? Loosened<Wider<F[K], Values, K>> : Wider<F[K], Values, K>
    }

type Wider<F, Values, K> = [ValueIn<Values, K>] extends [never]
  ? F
  : F extends With<infer V, infer Has, infer Kind, infer Target>
    ? With<V | Extract<ValueIn<Values, K>, readonly string[]>[number], Has, Kind, Target>
    : F

type Loosened<F> =
  F extends With<infer V, infer Has, infer Kind, infer Target> ? With<V, Exclude<Has, 'required'>, Kind, Target> : F
