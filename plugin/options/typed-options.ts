/** The options of `createPlugin` as far as the compiler knows the record types that they are about. Types only. */
import type { ScopeHook, ScopeOf } from '../access/sight/ask-scope.js'
import type { HostEvent } from '../deliveries/host-event.js'
import type { Listener } from '../events/name-listeners.js'
import type { BeforeHook } from '../operations/save/save-deps.js'
import type { Definition, IMPORT_COMPLETED } from '../schema/language/define-record.js'
import type { Extension } from '../schema/language/extend-record.js'
import type { FillContext } from '../schema/language/rule-context.js'
import type { AreNamed, ConditionIn, EventNames, NameIn, RowIn, StatusIn, TypesOf } from '../schema/types/typed-records.js'
import type { PluginOptions } from './table.js'

/** Options that name record types. */
type Naming = 'records' | 'extend' | 'before' | 'on' | 'scope'

/** These options keep the docstrings of their rows. */
type Named<N extends Naming, Value> = { readonly [Name in keyof Pick<PluginOptions, N>]?: Value }

/*
 * Functions are types of their own, by names alone: the compiler asks for all hooks and listeners while it infers the definitions, and
 * what they are called with is worked out for those that a host has.
 */
/** A hook by its name. */
type HookIn<T extends object, Name extends string> = (context: ContextOf<T, Name>) => ReturnType<BeforeHook>
type ContextOf<T extends object, Name extends string> = Name extends `${infer K extends keyof T & string}.${string}`
  ? FillContext<RowIn<T, K>, keyof RowIn<T, K>, NameIn<T, K>>
  : never
/** A listener to an event. */
type ListenerIn<T extends object, Name extends string> = (event: EventOf<T, Name>) => ReturnType<Listener>

/** Hooks by the names of saves and removals. */
type BeforeHooksIn<T extends object> = {
  readonly [Name in `${keyof T & string}.${'save' | 'remove'}`]?: readonly HookIn<T, Name>[]
}

/** Listeners by the names of events. */
type ListenersIn<T extends object, Names extends string> = {
  readonly [K in Names | (typeof IMPORT_COMPLETED)['name']]?: readonly ListenerIn<T, K>[]
}
type EventOf<T extends object, Name extends string> = Name extends `${infer K extends keyof T & string}.${string}`
  ? HostEvent<Name, K, StatusIn<T, K>>
  : HostEvent<Name>

/** Restrictions by type, or one function for all of them. */
type ScopesIn<T extends object> = ScopeHook | { readonly [K in keyof T & string]?: ScopeOf<K, ConditionIn<T, K>> }

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
    ? Named<'before', BeforeHooksIn<TypesOf<B, R, X>>> &
        Named<'on', ListenersIn<TypesOf<B, R, X>, EventNames<B, R, X>>> &
        Named<'scope', ScopesIn<TypesOf<B, R, X>>>
    : Pick<PluginOptions, 'before' | 'on' | 'scope'>)
