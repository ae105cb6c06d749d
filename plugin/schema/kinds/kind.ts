/**
 * A kind of fields: everything that general code needs for it. Each kind is one file of this folder with one line in
 * `index.ts`. General code looks up its kind once, when something is compiled, and never per value.
 */
import type { Seal } from '../../core/seal.js'
import type { Catalog, RecordField, RecordType } from '../catalog.js'
import type { Scalar } from '../language/conditions.js'
import type { Field, Json } from '../language/field.js'
import type { JsonSchema } from './json-schema.js'
import type { Read, Refusal } from './values/read-values.js'
import type { FieldShapeBuilder, WriteContext, Writer } from './writers.js'

export interface Kind {
  /** Options that are only for fields of this kind. */
  readonly options: { readonly [option in keyof Field]?: true }
  /** JavaScript type of a default. Default: a text. */
  readonly defaults?: 'number' | 'boolean'
  /** True for texts: they are compared and sorted without regard to case, and can be translated. */
  readonly isText?: true
  /** True for texts of several lines, which keep their line feeds and the blanks around them. */
  readonly isMultiline?: true
  /** True if the value is one of `values`; they are in /enums and in the OpenAPI document. */
  readonly isEnumeration?: true
  /** What records are counted by: few values, or the days of times; absent for kinds with too many values. */
  readonly counted?: 'values' | 'days'
  /** True for enumerations whose values are the names of all events. They are known when the catalog is compiled. */
  readonly holdsEvents?: true

  /** Only for secrets: rows have them sealed, and audit lines do not have them. */
  readonly secret?: Secret

  /** True for fields that only sub-records can have. */
  readonly needsOwner?: true

  /** Reports mistakes in the options of a field, regardless of its record type. */
  mistakes?(field: Field): readonly string[]
  /**
   * Reports the mistake in a value that conditions compare the field with; null if there is none. Not called for null and
   * placeholders. Default: any text is valid.
   */
  mistakeInTest?(value: unknown, field: Tested): string | null

  /** The column form of values; null for kinds whose values are in other tables, or in the column of another field. */
  readonly column: Column | null
  /** Reading of input; null for kinds that callers cannot write. */
  readonly input: Input | null
  /** Filtering of lists; null if the values cannot be compared. */
  readonly filter: Filter | null
  /** The form of values in responses. Default: the value as in rows. */
  readonly answer?: Answer
  readonly document: Documented
}

/** How values become secrets. */
export interface Secret {
  /** True if the response to the save that makes a secret shows it, and no other one. */
  readonly isShownOnce?: true
  /**
   * Seals a value that was read from a body; not called for null.
   *
   * @param before the value that the row has, null for none
   */
  seal(given: Json, before: Json, tools: SealTools): Sealed | Refusal
}

/** What sealing needs. */
export interface SealTools {
  readonly fieldSeal: Seal
  readonly randomBytes: (count: number) => Buffer
}

/** The value in the form of rows, and the secret if it was made here. */
export interface Sealed {
  readonly value: Json
  readonly shownOnce?: string
}

/** The options of a field that limit its values. */
export type Tested = Pick<Field, 'values' | 'keywords'>

export interface Column {
  form(field: Pick<Field, 'max' | 'keywords'>): ColumnForm
  /** Converts a cell to the value of a row; not called for null. */
  decode(cell: unknown): Json
  /**
   * The refusal of a value that is not in the form of rows, the one that `decode` returns; null if it is. Rules and hooks set
   * values in this form. Lengths, bounds and lists of values are in `input.check`. Not called for null.
   */
  refuse(value: unknown, field: RecordField): Refusal | null
  /** Converts a value of a row to a cell for every database; not called for null. */
  encode(value: Exclude<Json, null>): string | number
}

/** Description of a column for the table check and drafts of migrations. */
export interface ColumnForm {
  /** The method that creates it, in `migrations/tools.ts`. */
  readonly method: string
  /** Suitable types of MySQL and MariaDB; the first one is that of our migrations. */
  readonly types: readonly string[]
  /** Minimum length in characters; 0 if the type has none. */
  readonly length: number
  /** The method takes the length: `table.string('name', 40)`. */
  readonly isSized?: true
  /** SQLite must compare and sort the values as numbers. */
  readonly isNumber?: true
}

export interface Input {
  /**
   * Reads a value of a caller in any accepted spelling. Not called for blank values, which clear the field.
   *
   * @param zone IANA zone for times without offset
   */
  read(value: unknown, zone: string, field: RecordField): Read
  /** True if a blank text is read like any other: only null clears the field. */
  readonly onlyNullClears?: true
  /** The value of a field that is cleared. Default: null. */
  cleared?(field: RecordField): Json
  /**
   * The JSON schema that values must meet after they were read; absent for references and sub-records, which are checked
   * against records.
   */
  check?(field: RecordField): object
  /** Converts a cell of an import file to the value for the body. Default: its text, without the blanks around it. */
  cell?(text: string, field: RecordField): Json
}

export interface Filter {
  /**
   * Reads the text of a query parameter; null if it is not a value of the field.
   *
   * @param zone IANA zone for times without offset
   */
  read(text: string, field: RecordField, zone: string): Scalar
  /** True if the values have an order that filters may use: `<`, `>=`. */
  readonly isOrdered?: true
  /** True if one filter may list several values. */
  readonly takesSets?: true
  /** Message for a filter that lists several values without `takesSets`. Default: one that names the operator. */
  refuseSet?(name: string): string
}

export interface Answer {
  /** Shows the cell of a column at once, in place of the value of a row. Called once per shape. */
  showCell?(field: RecordField): (cell: unknown, context: WriteContext) => Json
  /** Converts the value of a row for responses. Called once per shape; null if responses contain it as in rows. */
  show?(field: RecordField): Show | null
  /** Writes fields other than a single value of one column. Called once per shape. */
  writer?(field: RecordField, builder: FieldShapeBuilder): Writer
}
export type Show = (value: Json, context: WriteContext) => Json

/** The schemas of the OpenAPI document: the one form of a value that clients should use. */
export interface Documented {
  /** A value in a response, apart from null. */
  shown(field: RecordField, catalog: Catalog): JsonSchema
  /** A value of a caller, apart from null. Default: the same as `shown`. */
  sent?(field: RecordField, catalog: Catalog, creating: boolean): JsonSchema
  /** Addition to the description of a value of a caller, with a leading blank. */
  hint?(field: RecordField): string
  /** The schema in responses if the record type of the field is absent. */
  readonly absent?: JsonSchema
  /** Responses never contain null for it, or callers cannot send null. */
  readonly neverNull?: 'shown' | 'sent'
}

/** The record type of a field, or undefined if it is absent. */
export function recordOf(field: RecordField, catalog: Catalog): RecordType | undefined {
  return catalog.types.get(field.record ?? '')
}
