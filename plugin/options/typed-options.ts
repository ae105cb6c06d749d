/** The options of `createPlugin` as far as the compiler knows the record types that they are about. Types only. */
import type { ScopeHook, ScopeOf } from '../access/sight/ask-scope.js'
import type { HostEvent } from '../deliveries/host-event.js'
import type { Listener } from '../events/name-listeners.js'
import type { BeforeHook } from '../operations/save/save-deps.js'
import type { Definition, IMPORT_COMPLETED } from '../schema/language/define-record.js'
import type { Extension } from '../schema/language/extend-record.js'
import type { AreNamed, ConditionIn, EventNames, RowIn, StatusIn, TypesOf } from '../schema/types/typed-records.js'
import type { PluginOptions } from './table.js'

/** Options that name record types. */
type Naming = 'records' | 'extend' | 'before' | 'on' | 'scope'

/** These options keep the docstrings of their rows. */
type Named<N extends Naming, Value> = { readonly [Name in keyof Pick<PluginOptions, N>]?: Value }

/** Hooks by the names of the saves. */
type BeforeHooks<T extends object> = {
  readonly [K in keyof T & string as `${K}.save`]?: readonly BeforeHook<RowIn<T, K>>[]
}

/** Listeners by the names of events. */
type Listeners<T extends object, Names extends string> = {
  readonly [K in Names | (typeof IMPORT_COMPLETED)['name']]?: readonly Listener<EventOf<T, K>>[]
}
type EventOf<T extends object, Name extends string> = Name extends `${infer K extends keyof T & string}.${string}`
  ? HostEvent<Name, K, StatusIn<T, K>>
  : HostEvent<Name>

/** Restrictions by type, or one function for all of them. */
type Scopes<T extends object> = ScopeHook | { readonly [K in keyof T & string]?: ScopeOf<K, ConditionIn<T, K>> }

/**
 * The options of `createPlugin`, with the types that follow from `records` and `extend`. Options whose records are not known, such
 * as those in a variable of the type `PluginOptions`, take any names.
 *
 * @typeParam B the definitions of the plugin, by name
 */
export type TypedOptions<B, R extends readonly Definition[], X extends readonly Extension[]> = Omit<PluginOptions, Naming> &
  Named<'records', R> &
  Named<'extend', X> &
  (AreNamed<R, X> extends true
    ? Named<'before', BeforeHooks<TypesOf<B, R, X>>> &
        Named<'on', Listeners<TypesOf<B, R, X>, EventNames<B, R, X>>> &
        Named<'scope', Scopes<TypesOf<B, R, X>>>
    : Pick<PluginOptions, 'before' | 'on' | 'scope'>)
