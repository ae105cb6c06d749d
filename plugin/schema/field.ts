/**
 * A field as data, with the options that its author can give. The type parameter carries the value that the field holds in a
 * row, so that `RowOf<typeof definition>` is exact without generated files.
 */
import type { Role } from '../core/call.js'
import type { FieldKind } from './kinds/index.js'
import type { Who } from './who.js'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** Says that a field is not stored: its value follows from another field, and callers cannot set it. */
export interface Derived {
  /** A stored field of the record, or for `value` a path over references to one: `change.manager`. */
  readonly from: string
  /**
   * `value`: the value of that field, as it is now. `translation`: its text in the language of the caller, where there is a
   * translation. `download`: the URL at which the file can be downloaded whose key that field holds.
   */
  readonly as: 'value' | 'translation' | 'download'
}

export interface FieldOptions {
  /** Must have a value when the record is complete (after defaults and filling rules). */
  readonly required?: true
  /** Returned, never taken from a caller. */
  readonly readOnly?: true
  /** Taken, never returned, not stored in the record's own table. */
  readonly writeOnly?: true
  /** Can be given when creating and is ignored afterwards. */
  readonly only?: 'create'
  readonly default?: Json
  /** Filters on this text ignore case. */
  readonly ignoreCase?: true
  /** Bounds of a number. */
  readonly minimum?: number
  readonly maximum?: number
  readonly unit?: string
  /** Who may read (and so filter and sort by) the field; others get null. Default: whoever may see the record. */
  readonly read?: readonly Who[]
  /**
   * Who may set the field: nobody but the service itself when the list is empty. What others send is ignored. Default:
   * whoever may write the record.
   */
  readonly write?: readonly Who[]
  /** Of people with this role, only they themselves and others with the role may set the field. */
  readonly guardedBy?: Role
  /** A note made of the value: `public`, or `internal` (behaviour: Notes). The field itself is not stored. */
  readonly note?: 'public' | 'internal'
  /** Words that may stand in place of a datetime (spec, Request: next_target_at). */
  readonly keywords?: readonly string[]
  /**
   * The time is the end of a period. A time of day may be `24:00`, and `00:00` becomes it; a datetime at `24:00` becomes
   * midnight (behaviour: Calendars).
   */
  readonly end?: true
  /** Not stored, but derived from another field. Makes the field read-only. */
  readonly derived?: Derived
  /** The answer names this value after the value of another field, and callers may do so too (`telephone: '…'`). */
  readonly keyedBy?: string
  /** Stored and taken, but not returned. */
  readonly hidden?: true
  /** For parts: the fields shown inside the owner; default: the list fields of the part type. */
  readonly shows?: readonly string[]
  /** For parts: callers may send the whole list, which replaces the parts. */
  readonly replaceable?: true
  /** Characters of a text that is shorter than 64 KB. */
  readonly max?: number
  /** The text contains no formatting and no images, so files cannot be attached to it. A text with `max` never takes files. */
  readonly plain?: true
  /** A named format (`derive/formats.ts`). E-mail addresses are stored in lower case. */
  readonly format?: 'email' | 'emails' | 'webhook_uri' | 'locale' | 'picture'
  /** The referenced record type may be absent from the catalog; the field is then null (or empty) and takes no id. */
  readonly whenPresent?: true
  /** Also accepts disabled records of the referenced type. */
  readonly allowDisabled?: true
  /** For references: the unique text field that stands for the record wherever it is named, also to those who do not see it. */
  readonly shownAs?: string
  /** For references: the first of the records that the link of this name leads to; setting it makes it the only one. */
  readonly firstOf?: string
  /** Callers may also use this name; for references with `_id`, as always. */
  readonly inputAs?: string
  /** Left out of answers, instead of null, while it is empty. */
  readonly onlyWhenSet?: true
  /** Cannot be chosen in lists: stands there whenever this other field does. */
  readonly shownWith?: string
  /** Answers show the translation into the caller's language when there is one (behaviour: Broadcasts). */
  readonly translated?: true
  /** Answers that show it name the account of the record while it is true, whatever account that is (behaviour: Notes). */
  readonly namesAccount?: true
  /** What the OpenAPI document says of it. */
  readonly description?: string
}

export interface Field<Value = unknown> extends FieldOptions {
  readonly kind: FieldKind
  readonly values?: readonly string[]
  /** Key in /enums, when it is not `<type>.<field>`. */
  readonly enumeration?: string
  /** The record type that a reference or a list of parts leads to. */
  readonly record?: string
  /** Only for inference. */
  readonly value?: Value
}

/** A field whose rows hold the value, or null where it may be empty. */
export type With<Value, Options, Kind extends FieldKind> = Field<
  Options extends { required: true } | { default: Json } ? Value : Value | null
> & { readonly kind: Kind }

/** Makes a field of a kind: frozen plain data with the options of the kind's builder and those of its caller. */
export function makeField<Value, Options extends FieldOptions, Kind extends FieldKind>(
  kind: Kind,
  own: Partial<Field>,
  options?: Options,
): With<Value, Options, Kind> {
  const readOnly = options?.derived ? { readOnly: true } : {}
  return Object.freeze({ kind, ...own, ...readOnly, ...options }) as With<Value, Options, Kind>
}
