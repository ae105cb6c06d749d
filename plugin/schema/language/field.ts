/**
 * A field as data, with the options that its author can set. The type parameter is the type of its values in a row, so that
 * `RowOf<typeof definition>` is exact without generated files.
 */
import type { Role } from '../../core/call.js'
import type { Json } from './json-type.js'
import type { Said, ToldBy, With } from './known-field.js'
import type { Who } from './who.js'

export type { Json } from './json-type.js'
export type { With } from './known-field.js'

/** The kinds of fields, by name. What each of them can do is in `kinds/`. */
export const FIELD_KINDS = [
  'string',
  'text',
  'integer',
  'float',
  'decimal',
  'boolean',
  'enum',
  'event',
  'events',
  'date',
  'datetime',
  'localDatetime',
  'timeOfDay',
  'json',
  'changes',
  'strings',
  'ref',
  'refs',
  'part',
  'parts',
  'owner',
  'mention',
  'pairs',
  'secret',
  'headers',
] as const

/** What a field can hold: its builder decides. */
export type FieldKind = (typeof FIELD_KINDS)[number]

/** The field is not stored: its value follows from another field, and callers cannot set it. */
export interface Derived {
  /** A stored field of the record, or for `value` a path over references to one: `change.manager`. */
  readonly from: string
  /**
   * `value`: the current value of that field. `translation`: its text in the language of the caller, if there is a translation.
   * `download`: the URL for downloading the file whose key is in that field.
   */
  readonly as: 'value' | 'translation' | 'download'
}

/** Options of fields, which all builders of fields take where they make sense. */
export interface FieldOptions {
  /** Must have a value when the record is complete (after defaults and filling rules). */
  readonly required?: true
  /** Returned, but not accepted from callers. */
  readonly readOnly?: true
  /** Accepted, but neither returned nor stored in the record's own table. */
  readonly writeOnly?: true
  /** Accepted on create, and ignored afterwards. */
  readonly only?: 'create'
  /**
   * Imports of history set the field of new records, also if it is read-only, and no rule moves it then (behaviour: History).
   */
  readonly history?: true
  /** No value of the record: a change of it alone leaves no trace, neither an audit line nor an `update` event nor `updated_at`. */
  readonly mark?: true
  /** The value of new records if the caller sends none. */
  readonly default?: Json
  /** Filters on this text ignore case. */
  readonly ignoreCase?: true
  /** The least value of a number. */
  readonly minimum?: number
  /** The greatest value of a number. */
  readonly maximum?: number
  /** Unit of a number, for the description in the OpenAPI document: `minutes`. */
  readonly unit?: string
  /** People who may read (and so filter and sort by) the field; others get null. Default: all who may see the record. */
  readonly read?: readonly Who[]
  /**
   * People who may set the field; only the system if the list is empty. Input of others is ignored. Default: all who may write
   * the record.
   */
  readonly write?: readonly Who[]
  /** For people with this role, only they themselves and others with the role may set the field. */
  readonly guardedBy?: Role
  /** The value becomes a note: `public`, or `internal` (behaviour: Notes). The field itself is not stored. */
  readonly note?: 'public' | 'internal'
  /** Keywords that are accepted in place of a datetime (spec, Request: next_target_at). */
  readonly keywords?: readonly string[]
  /**
   * The time is the end of a period. A time of day may be `24:00`, and `00:00` is read as that; a datetime at `24:00` becomes
   * midnight (behaviour: Calendars).
   */
  readonly end?: true
  /** Not stored, but derived from another field. Implies `readOnly`. */
  readonly derived?: Derived
  /** Responses use the value of another field as the name of this value, and callers may do so too (`telephone: '…'`). */
  readonly keyedBy?: string
  /** Stored and accepted, but not returned. */
  readonly hidden?: true
  /** For sub-records: the fields shown inside the owner; default: the list fields of their type. */
  readonly shows?: readonly string[]
  /** For sub-records: callers may send the whole list, which replaces the stored one. */
  readonly replaceable?: true
  /** Maximum number of characters of a text that is shorter than 64 KB. */
  readonly max?: number
  /**
   * The text contains no formatting and no images, so files cannot be attached to it. A text with `max` never has attachments.
   */
  readonly plain?: true
  /** A named format. E-mail addresses are stored in lower case. */
  readonly format?: 'email' | 'emails' | 'webhook_uri' | 'locale' | 'picture'
  /** The referenced record type may be absent from the catalog; the field is then null (or empty) and accepts no id. */
  readonly whenPresent?: true
  /** The field accepts disabled records of the referenced type, too. */
  readonly allowDisabled?: true
  /** Required of callers only: records that rules create may lack it. */
  readonly systemMayOmit?: true
  /**
   * For references: the unique text field that is used for the record in input and output, even for callers who do not see it.
   */
  readonly shownAs?: string
  /** For references: the first record of the link with this name; setting it makes it the only one. */
  readonly firstOf?: string
  /** Another name that callers may use; for references also with `_id`. */
  readonly inputAs?: string
  /** Omitted from responses, instead of null, while it is empty. */
  readonly onlyWhenSet?: true
  /** The field whose value responses have while this one is empty. */
  readonly shownElse?: string
  /** Only in responses to calls whose parameter `fields` names it, also in those with a single record. For links. */
  readonly onRequest?: true
  /** Cannot be selected with `fields=`; returned whenever this other field is. */
  readonly shownWith?: string
  /** Responses contain the translation into the caller's language if there is one (behaviour: Broadcasts). */
  readonly translated?: true
  /** While true, responses with this field also contain the record's account, even the caller's own (behaviour: Notes). */
  readonly namesAccount?: true
  /** For booleans: texts and numbers that are no spelling of true or false are refused. Default: they are false (behaviour: Value formats). */
  readonly onlyWords?: true
  /** Description in the OpenAPI document. */
  readonly description?: string
}

/** A field: what its builder returns. */
export interface Field<Value = unknown> extends FieldOptions {
  /** Set by the builder. */
  readonly kind: FieldKind
  /** The values of an enumeration. */
  readonly values?: readonly string[]
  /** Key in /enums, if it is not `<type>.<field>`. */
  readonly enumeration?: string
  /** The record type of a reference or a list of sub-records. */
  readonly record?: string
  /** Only for inference. */
  readonly value?: Value
}

/** Creates a field of a kind: frozen plain data with the options of the kind's builder and those of its caller. */
export function makeField<Value, Options extends FieldOptions, Kind extends FieldKind, Target extends string = string>(
  kind: Kind,
  own: Partial<Field> & { readonly record?: Target },
  options?: Options,
): With<Value, Said<Options>[ToldBy<Options>], Kind, Target> {
  const readOnly = options?.derived ? { readOnly: true } : {}
  return Object.freeze({ kind, ...own, ...readOnly, ...options }) as unknown as With<
    Value,
    Said<Options>[ToldBy<Options>],
    Kind,
    Target
  >
}
