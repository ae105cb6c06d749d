/**
 * What the compiler knows of all record types of a plugin: those of the plugin and the host, with all extensions, by name. Each
 * is worked out when code names it, so that hosts do not pay for types that they do not use. ADR 0069.
 */
import type { Definition, FieldRow } from '../language/define-record.js'
import type { Extension, ExtensionFacts } from '../language/extend-record.js'
import type { Json } from '../language/json-type.js'
import type { AllFields, DefinitionFacts } from '../language/known-facts.js'
import type { KnownFields } from '../language/known-field.js'
import type { CreateBody, UpdateBody } from './typed-bodies.js'
import type { ColumnsOf } from './typed-columns.js'
import type { FieldsWith, KeysOfAll } from './typed-fields.js'
import type { OutputOf, SomeOutputOf } from './typed-outputs.js'
import type { ConditionOf, FiltersOf, ListOptions } from './typed-queries.js'

/** A record as it is returned to callers, of any type. */
export type Output = { readonly [field: string]: Json }

/**
 * Query parameters of a list, as in the API: `{ status: '!completed', sort: '-id', per_page: 50 }`, and the record below which it
 * is: `{ within: { request: 7 } }`.
 */
export type ListQuery = { readonly [parameter: string]: string | number | boolean | object }

/** What the compiler knows of a record type. */
export interface RecordTyped {
  /** A body that creates a record. */
  readonly create: object
  /** A body that changes a record. */
  readonly update: object
  /** A record in full. */
  readonly output: object
  /** A record as far as it is shown: some fields of a list, or only the id to people who may not see it. */
  readonly some: object
  /** Parameters of lists. */
  readonly query: object
  /** Names of predefined lists. */
  readonly lists: string
  /** Names of links and of children that are linked. */
  readonly links: string
  /** Names of fields. */
  readonly names: string
  /** Names of fields, and of those that reads include on request. */
  readonly fields: string
  /** Columns of its table, with the values of rules and hooks. */
  readonly row: object
  /** Columns of its table, with the values of the database. */
  readonly columns: object
  /** Values of its field `status`. */
  readonly status: unknown
  /** Conditions on its records, as `scope` may return them. */
  readonly condition: unknown
}

/** Record types by name. */
export type RecordsTyped = { readonly [type: string]: RecordTyped }

/** Record types of which nothing is known: any text names a type, a field or a list. For code that treats all types alike. */
export interface AnyRecord extends RecordTyped {
  readonly output: Output
  readonly some: Output
}
/** The types of a plugin of which nothing is known. */
export type AnyRecords = { readonly [type: string]: AnyRecord }

/*
 * Parts of a record type by its name. They are inferred, because the compiler asks for the constraint of `T[K]['create']` while it
 * infers K, and would work out the bodies of all types. For the same reason T is any object.
 */
/** A body that creates a record of the type. */
export type CreateIn<T, K extends keyof T> = T[K] extends { readonly create: infer P extends object } ? P : never
/** A body that changes a record of the type. */
export type UpdateIn<T, K extends keyof T> = T[K] extends { readonly update: infer P extends object } ? P : never
/** Parameters of lists of the type. */
export type QueryIn<T, K extends keyof T> = T[K] extends { readonly query: infer P extends object } ? P : never
/** Names of predefined lists of the type. */
export type ListIn<T, K extends keyof T> = T[K] extends { readonly lists: infer P extends string } ? P : never
/** Names of links of the type. */
export type LinkIn<T, K extends keyof T> = T[K] extends { readonly links: infer P extends string } ? P : never
/** A record of the type in full. */
export type OutputIn<T, K extends keyof T> = T[K] extends { readonly output: infer P } ? P : never
/** A record of the type as far as it is shown. */
export type SomeIn<T, K extends keyof T> = T[K] extends { readonly some: infer P } ? P : never
/** A row of the type, as rules and hooks have it. */
export type RowIn<T, K extends keyof T> = T[K] extends { readonly row: infer P extends object } ? P : never
/** A row of the type, as the database returns it. */
export type ColumnsIn<T, K extends keyof T> = T[K] extends { readonly columns: infer P } ? P : never
/** Values of the status of the type. */
export type StatusIn<T, K extends keyof T> = T[K] extends { readonly status: infer P extends string } ? P : never
/** A condition on records of the type. */
export type ConditionIn<T, K extends keyof T> = T[K] extends { readonly condition: infer P } ? P : never
/** Names of fields of the type. */
export type NameIn<T, K extends keyof T> = T[K] extends { readonly names: infer P } ? P : never
/** Names of fields of the type, and of those that reads include on request. */
export type FieldIn<T, K extends keyof T> = T[K] extends { readonly fields: infer P extends string } ? P : never

/** A record type by its definition, and what the compiler knows of its extensions; `All` are the names of all types. */
export type TypedBy<D, A extends ExtensionFacts, All extends string> =
  D extends Definition<infer F, infer T>
    ? FieldsWith<F, A> extends infer G extends KnownFields
      ? Parts<G, T, A, All>
      : never
    : never

/** What follows from fields, and from what the compiler knows of a definition and its extensions. */
export interface Parts<F extends KnownFields, T extends DefinitionFacts, A extends ExtensionFacts, All extends string> {
  readonly create: CreateBody<F, T['filled'] | A['facts']['filled'], T['ids'] | A['facts']['ids']>
  readonly update: UpdateBody<F, T['ids'] | A['facts']['ids']>
  readonly output: OutputOf<F>
  readonly some: SomeOutputOf<F>
  readonly query: FiltersOf<F, FieldsIn<T['filterable'] | A['facts']['filterable'], A['fields']>> &
    ListOptions<F, FieldsIn<T['sortable'] | A['facts']['sortable'], A['fields']> | 'updated_at', this['lists'], All>
  readonly lists: T['lists'] | A['facts']['lists']
  readonly links: T['links'] | A['facts']['links']
  readonly names: keyof F & string
  readonly fields: (keyof F & string) | ('custom_data' extends keyof F ? 'custom_fields' : never)
  readonly row: FieldRow<F>
  readonly columns: ColumnsOf<F>
  readonly status: 'status' extends keyof F ? F['status']['value'] : never
  readonly condition: ConditionOf<F, T['paths'] | A['facts']['paths']>
}

/** Names of fields; `More` are those that extensions add. */
type FieldsIn<Names, More> = (AllFields extends Names ? Exclude<Names, AllFields> | KeysOfAll<More> : Names) & string

/**
 * The types of a plugin.
 *
 * @typeParam B the definitions of the plugin, by name
 * @typeParam R the definitions of the host
 * @typeParam X the extensions of the host
 */
export type TypesOf<B, R extends readonly Definition[], X extends readonly Extension[]> =
  AreNamed<R, X> extends true
    ? {
        readonly [K in (keyof B & string) | R[number]['name']]: TypedBy<
          DefinitionIn<B, R, K>,
          AddedIn<X, K>,
          (keyof B & string) | R[number]['name']
        >
      }
    : AnyRecords

/** True unless definitions or extensions are in variables whose type does not say what they define. */
export type AreNamed<R extends readonly Definition[], X extends readonly Extension[]> = string extends
  | R[number]['name']
  | X[number]['extends']
  ? false
  : true

type DefinitionIn<B, R extends readonly Definition[], K> = K extends keyof B ? B[K] : Extract<R[number], { readonly name: K }>
type AddedIn<X extends readonly Extension[], K> = K extends X[number]['extends']
  ? NonNullable<Extract<X[number], { readonly extends: K }>['told']>
  : never

/** The names of the events of all types. */
export type EventNames<B, R extends readonly Definition[], X extends readonly Extension[]> =
  | EventsOf<NonNullable<B[keyof B]['told' & keyof B[keyof B]]>>
  | NonNullable<R[number]['told']>['events']
  | NonNullable<X[number]['told']>['facts']['events']
type EventsOf<Told> = Told['events' & keyof Told] & string
