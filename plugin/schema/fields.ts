/**
 * The builders of fields. Each returns frozen plain data; the type parameter carries the value that the field holds in a
 * row, so that `RowOf<typeof definition>` is exact without generated files. Formats: gaps 1.12.
 */
import type { Role } from '../core/call.js'
import type { Who } from './who.js'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** Kinds of fields; each has a builder of its own. */
export const FIELD_KINDS = [
  'string',
  'text',
  'integer',
  'float',
  'decimal',
  'boolean',
  'enum',
  'date',
  'datetime',
  'localDatetime',
  'timeOfDay',
  'hash',
  'strings',
  'ref',
  'refs',
  'part',
  'parts',
  'owner',
  'pairs',
] as const
export type FieldKind = (typeof FIELD_KINDS)[number]

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
  /** Stored in lower case. */
  readonly lowerCase?: true
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
  /** A note made of the value: `public`, or `internal` (gaps 6.14). The field itself is not stored. */
  readonly note?: 'public' | 'internal'
  /** Words that may stand in place of a datetime (spec, Request: next_target_at). */
  readonly keywords?: readonly string[]
  /** This time ends something: `24:00` is kept, and `00:00` of a time of day means `24:00` (gaps 7.3). */
  readonly end?: true
  /** The value of another field, translated when a translation exists. */
  readonly localizes?: string
  /** The answer names this value after the value of another field, and callers may do so too (`telephone: '…'`). */
  readonly keyedBy?: string
  /** Stored and taken, but not returned. */
  readonly hidden?: true
  /** For a hash of columns of the owner: those that the caller may not read are left out. */
  readonly masked?: true
  /** The values are all events of the catalog. */
  readonly events?: true
  /** For parts: the fields shown inside the owner; default: the list fields of the part type. */
  readonly shows?: readonly string[]
  /** For parts: callers may send the whole list, which replaces the parts. */
  readonly replaceable?: true
  /** The hash of this other field as a list of id and value; single records show it only when callers ask for it. */
  readonly pairsOf?: string
  /** The value of another field (or of `owner_type`) under a second name. */
  readonly sameAs?: string
  /** Characters of a text that is shorter than 64 KB. */
  readonly max?: number
  /** The text contains no formatting and no images, so files cannot be attached to it. A text with `max` never takes files. */
  readonly plain?: true
  /** A list of addresses, a single web address …: a named format of `derive/validator.ts`. */
  readonly format?: 'email' | 'emails' | 'webhook_uri' | 'locale' | 'picture'
  /** Not stored: the address at which the file can be downloaded whose key this other field holds. */
  readonly addressOf?: string
  /** The referenced record type may be absent from the catalog; the field is then null (or empty) and takes no id. */
  readonly whenPresent?: true
  /** Also accepts disabled records of the referenced type. */
  readonly allowDisabled?: true
  /** Not stored: the value at the end of a path over references of the record (`change.manager`), always as it is now. */
  readonly via?: string
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
  /** Answers show the translation into the caller's language when there is one (gaps 7.18). */
  readonly translated?: true
  /** Answers that show it name the account of the record while it is true, whatever account that is (gaps 6.14). */
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

type With<Value, Options, Kind extends FieldKind> = Field<
  Options extends { required: true } | { default: Json } ? Value : Value | null
> & { readonly kind: Kind }

function field<Value, Options extends FieldOptions, Kind extends FieldKind>(
  kind: Kind,
  own: Partial<Field>,
  options?: Options,
): With<Value, Options, Kind> {
  return Object.freeze({ kind, ...own, ...options }) as With<Value, Options, Kind>
}

/** At most `max` characters on one line. */
export function string<const O extends FieldOptions = object>(max: number, options?: O) {
  return field<string, O, 'string'>('string', { max }, options)
}

/** A picture: a web address, or an image that was given as a data URL, kept as a file and answered as a link (gaps 7.0). */
export function picture<const O extends FieldOptions = object>(options?: O) {
  return field<string, O, 'string'>('string', { max: 1024, format: 'picture' }, options)
}

/** At most 64 KB, or `max` characters; line feeds are kept. */
export function text<const O extends FieldOptions = object>(options?: O) {
  return field<string, O, 'text'>('text', {}, options)
}

/** A whole number of at most 32 bits. */
export function integer<const O extends FieldOptions = object>(options?: O) {
  return field<number, O, 'integer'>('integer', {}, options)
}

/** A number that need not be exact. */
export function float<const O extends FieldOptions = object>(options?: O) {
  return field<number, O, 'float'>('float', {}, options)
}

/** An exact number with up to two decimals, returned as text. */
export function decimal<const O extends FieldOptions = object>(options?: O) {
  return field<string, O, 'decimal'>('decimal', {}, options)
}

/** True or false; what is cleared takes the default, else false. */
export function boolean<const O extends FieldOptions = object>(options?: O) {
  return field<boolean, O, 'boolean'>('boolean', {}, options)
}

/** One of the values; their order is the sort order. */
export function oneOf<const V extends string, const O extends FieldOptions = object>(values: readonly V[], options?: O) {
  return field<V, O, 'enum'>('enum', { values: Array.isArray(values) ? Object.freeze([...values]) : values }, options)
}

/** One of the values of a list that several fields share, for example `time_zone`. */
export function oneOfList<const O extends FieldOptions = object>(enumeration: string, values: readonly string[], options?: O) {
  return field<string, O, 'enum'>('enum', { values, enumeration }, options)
}

/** A day: `2011-06-24`. */
export function date<const O extends FieldOptions = object>(options?: O) {
  return field<string, O, 'date'>('date', {}, options)
}

/** A moment with an offset; held as `core/clock.ts` says. */
export function datetime<const O extends FieldOptions = object>(options?: O) {
  return field<string, O, 'datetime'>('datetime', {}, options)
}

/** `2010-12-30T23:00`: a wall-clock time that applies in a zone named elsewhere. */
export function localDatetime<const O extends FieldOptions = object>(options?: O) {
  return field<string, O, 'localDatetime'>('localDatetime', {}, options)
}

/** `08:30`; `24:00` is the end of the day. */
export function timeOfDay<const O extends FieldOptions = object>(options?: O) {
  return field<string, O, 'timeOfDay'>('timeOfDay', {}, options)
}

/** A JSON object that the service keeps without looking inside (custom_data). */
export function hash<const O extends FieldOptions = object>(options?: O) {
  return field<{ readonly [key: string]: Json }, O, 'hash'>('hash', {}, options)
}

/** A reference; its column, its input and its place in a row are called `<field>_id`. */
export function ref<const O extends FieldOptions = object>(record: string, options?: O) {
  return field<number, O, 'ref'>('ref', { record }, options)
}

/** The records that the link of the same name leads to, as references; callers send `<singular>_ids`. */
export function refs<const O extends FieldOptions = object>(record: string, options?: O) {
  return field<never, O, 'refs'>('refs', { record }, options)
}

/** Texts of at most `max` characters each, in order. */
export function strings<const O extends FieldOptions = object>(max: number, options?: O) {
  return field<readonly string[], O, 'strings'>('strings', { max }, options)
}

/** The one part of its type that the record may have, as an object. Sent fields are merged into it; null removes it. */
export function part<const O extends FieldOptions = object>(record: string, options?: O) {
  return field<never, O, 'part'>('part', { record }, options)
}

/** The parts of the record (contacts, calendar hours …), shown inside it. */
export function parts<const O extends FieldOptions = object>(record: string, options?: O) {
  return field<readonly Json[], O, 'parts'>('parts', { record }, options)
}

/**
 * The record that a part belongs to, as a reference under the name of its type; held as `owner_type` and `owner_id`. Shown
 * only at the part's own address, where the owner is not in the path.
 */
export function owner() {
  return field<never, object, 'owner'>('owner', { readOnly: true })
}
