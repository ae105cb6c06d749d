/** What the compiler knows of a definition beside its fields: names alone. Types only. ADR 0069. */
import type { FieldChoice } from './collection.js'

/**
 * Facts of a definition. They are worked out when it is defined: what a definition holds beside its fields is looked at again with each
 * call, and texts are looked at for nothing. Only for inference: as values, they are in the definition.
 */
export interface Facts<
  Name = string,
  Lists = string,
  Paths = string,
  Ids = string,
  Links = string,
  Filterable = string,
  Sortable = string,
  Events = string,
  Filled = string,
> {
  readonly name: Name
  /** Predefined lists. */
  readonly lists: Lists
  /** Links, as conditions name them. */
  readonly paths: Paths
  /** Links, as bodies name them. */
  readonly ids: Ids
  /** Links and linked children that callers may change. */
  readonly links: Links
  /** Fields that lists may be filtered by; `AllFields` for those that extensions add, too. */
  readonly filterable: Filterable
  /** Fields that lists may be sorted by, in the same way. */
  readonly sortable: Sortable
  /** Events. */
  readonly events: Events
  /** Fields that rules and settlings may fill. */
  readonly filled: Filled
}

/** The facts of any definition. */
export interface DefinitionFacts extends Facts {}

/** The names in a text. Most texts have a single space between two names, and the compiler has less to do with them. */
export type Words<T> = T & Untidy extends never ? Split<T> : Exclude<Lines<Split<T>>, ''>
type Untidy = '' | ` ${string}` | `${string} ` | `${string}  ${string}` | `${string}\n${string}`
type Split<T, Found = never> = T extends `${infer First} ${infer Rest}` ? Split<Rest, Found | First> : Found | (T & string)
type Lines<T> = T extends `${infer First}\n${infer Rest}` ? First | Lines<Rest> : T

/** Stands for all fields, also those of extensions. */
export type AllFields = '*'

/** Names by a choice; `List` are those of the list. */
export type Chosen<Choice, List> = Choice extends string
  ? Words<Choice>
  : Choice extends FieldChoice
    ? Exclude<List, Words<Choice['except' & keyof Choice]>> | Words<Choice['also' & keyof Choice]>
    : List

/** The names of fields in lists if the caller selects none. */
export type ListedNames<F, Given> = Given extends string ? Words<Given> : (keyof F & string) | AllFields

/** Names of links in bodies, by link: `member_ids`. */
export type LinkIds<K> = { readonly [Name in keyof K]: LinkId<Name, K[Name]> }
type LinkId<Name, L> = L extends { readonly write: 'none' }
  ? never
  : `${L extends { readonly singular: infer S extends string } ? S : Name extends `${infer S}s` ? S : Name & string}_ids`

/** Names of links that callers may change, by link. */
export type LinkPaths<K> = { readonly [Name in keyof K]: K[Name] extends { readonly write: 'none' } ? never : Name & string }

/** Names of children that are linked, by child. */
export type LinkedChildren<C> = { readonly [Name in keyof C]: C[Name] extends { readonly link: true } ? Name & string : never }
