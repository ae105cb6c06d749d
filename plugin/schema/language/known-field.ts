/**
 * What the compiler knows of a field. Types only. All of it follows from the arguments of the builder, and is worked out once for
 * all fields that have the same ones. Bodies, records and lists look it up. ADR 0069.
 */
import type { ATTACHMENT } from './built-in-types.js'
import type { Json } from './json-type.js'

/** A file to attach to a text, by the key of its upload, or an attachment to remove. */
export interface FileChange {
  /** The key of an upload. */
  readonly key?: string
  /** The id of an attachment that exists. */
  readonly id?: number
  /** The number of bytes. */
  readonly filesize?: number
  /** Shown within the text, at the place of `![](key)`. */
  readonly inline?: boolean
  /** True to remove the attachment. */
  readonly _destroy?: boolean
}

/** A record that another one refers to: its id, and its title if the caller may see it. */
export interface Reference {
  /** The id of the record. */
  readonly id: number
  /** The title, and what else the type shows in references. */
  readonly [field: string]: Json
}

/**
 * Any field, whether its options say something or not. The compiler compares arguments with `any` at a glance, and would otherwise
 * compare all there is to know of each field.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Known = With<any, any, any, any> | With<any, never, any, any>

/** The fields of a record type. */
export type KnownFields = { readonly [name: string]: Known }

/** Options of which the types follow. The others say nothing to the compiler. */
type Telling =
  | 'required'
  | 'readOnly'
  | 'writeOnly'
  | 'default'
  | 'derived'
  | 'hidden'
  | 'inputAs'
  | 'keyedBy'
  | 'max'
  | 'onRequest'
  | 'plain'
  | 'read'
  | 'replaceable'
  | 'shownAs'
  | 'systemMayOmit'

/** Names of the options of a field that are telling. */
export type ToldBy<Options> = keyof Options & Telling

/**
 * What the options of a field say, by name: `required`, and for those that name something, that as well: `keyedBy:protocol`. They are
 * texts, so that all fields with the same options are the same type to the compiler.
 */
export type Said<Options> = {
  [K in ToldBy<Options>]: undefined extends Options[K]
    ? never
    : K extends 'keyedBy' | 'inputAs'
      ? K | `${K}:${Options[K] & string}`
      : K
}

/**
 * A field of a builder. References and sub-records name their type. All but the kind is for inference: what the builder returns is
 * data, with the names of `Field`.
 *
 * @typeParam Has what its options say: `Said`
 */
export interface With<Value, Has, Kind, Target = string> {
  readonly kind: Kind
  readonly record?: Target
  /** What the options of the builder say. */
  readonly has?: Has
  readonly value: Value
  /** The field with the name of this one. */
  readonly keyedBy: Has extends `keyedBy:${infer Name}` ? Name : never
  /** In rows of rules and hooks. */
  readonly row: RowValue<Value, Has>
  readonly rowEnd: Kind extends 'ref' ? '_id' : ''
  /** In the database. */
  readonly cell: Kind extends Encoded ? unknown : RowValue<Value, Has>
  readonly cellEnd: 'derived' extends Has ? never : Kind extends Unstored ? never : Kind extends 'ref' ? '_id' : ''
  /** In bodies. */
  readonly input: 'required' extends Has ? InputValue<Value, Kind> : InputValue<Value, Kind> | null
  readonly inputEnd: InputEnd<Has, Kind>
  /** In bodies that create a record, if they are always refused without it, unless a rule fills it. */
  readonly neededEnd: 'required' extends Has
    ? Extract<Has, 'default' | 'keyedBy' | 'systemMayOmit'> extends never
      ? InputEnd<Has, Kind>
      : never
    : never
  /**
   * In bodies, by a second name: the text for which a reference can be named, or changes of sub-records and attachments. `alias` is
   * one more name of it.
   */
  readonly other: Kind extends keyof OtherInputs ? OtherInputs[Kind] : never
  readonly otherEnd: Kind extends keyof OtherEnds<Has, Target> ? OtherEnds<Has, Target>[Kind] : never
  readonly alias: Has extends `inputAs:${infer Name}` ? (Kind extends 'ref' ? `${Name}_id` : Name) : never
  /** In records that are returned; never if they do not have it. */
  readonly output: Extract<Has, 'writeOnly' | 'keyedBy'> extends never
    ? 'hidden' extends Has
      ? Kind extends 'secret'
        ? Value
        : never
      : 'shownAs' extends Has
        ? string | null
        : Kind extends keyof Outputs
          ? Outputs[Kind] | ('onRequest' extends Has ? null : never)
          : 'read' extends Has
            ? Value | null
            : RowValue<Value, Has>
    : never
  /** In filters of lists. */
  readonly filter: Kind extends 'enum' ? FilterText<Value & string> : Kind extends 'boolean' ? FilterFlag : string | number
  /** References may be named with `_id`, and all with a sign after their name. */
  readonly filterEnd: Kind extends 'ref' ? Sign | `_id${Sign}` : Sign
  /** In conditions. */
  readonly testEnd: Kind extends 'json' | 'owner' ? never : ''
}

type RowValue<Value, Has> = Extract<Has, 'required' | 'default'> extends never ? Value | null : Value

type Sign = '' | '!' | '<' | '>'

/** Kinds whose values the drivers of databases return in forms of their own, such as a Date or a text. */
type Encoded = 'boolean' | 'json' | 'date' | 'datetime' | 'localDatetime' | 'timeOfDay' | 'strings' | 'events' | 'headers'
/** Kinds without a column. */
type Unstored = 'refs' | 'part' | 'parts' | 'owner' | 'changes'
/** Kinds that bodies cannot set by their own name. */
type Unsent = 'owner' | 'refs' | 'changes' | 'mention'

/** Values of kinds whose input has another form than their rows. */
interface Inputs {
  readonly decimal: number | string
  readonly json: object
  readonly part: object
  readonly parts: readonly object[]
  readonly secret: boolean | string
  readonly headers: { readonly [name: string]: string | null }
}
type InputValue<Value, Kind> = Kind extends keyof Inputs ? Inputs[Kind] : Value

type InputEnd<Has, Kind> =
  Extract<Has, 'readOnly' | 'derived'> extends never
    ? Kind extends Unsent
      ? never
      : Kind extends 'ref'
        ? '_id'
        : Kind extends 'parts'
          ? 'replaceable' extends Has
            ? ''
            : never
          : ''
    : never

interface OtherInputs {
  readonly ref: number | string | null
  readonly parts: readonly object[] | null
  readonly text: readonly FileChange[] | null
}
interface OtherEnds<Has, Target> {
  readonly ref: 'shownAs' extends Has ? '' : never
  readonly parts: ('readOnly' extends Has ? never : '_attributes') | (Target extends typeof ATTACHMENT ? '' : never)
  readonly text: Extract<Has, 'readOnly' | 'max' | 'plain'> extends never ? '_attachments' : never
}

interface Outputs {
  readonly owner: never
  readonly ref: Reference | null
  readonly refs: readonly Reference[]
  readonly part: { readonly [field: string]: Json } | null
  readonly parts: readonly { readonly [field: string]: Json }[]
  readonly mention: { readonly [type: string]: Json } | null
  readonly changes: Json
  readonly headers: readonly string[] | null
}

/** A value of an enumeration, also with a `!` before it, and lists that begin with one. */
type FilterText<Value extends string> = Value | '' | '!' | `!${Value}` | `${Value},${string}` | `!${Value},${string}`
type FilterFlag = boolean | 'true' | 'false' | '!true' | '!false' | ''
