/**
 * A kind of fields: all that general code has to know of it. Each kind is one file of this folder with one line in `index.ts`.
 * General code looks its kind up once, when something is compiled, and never for a value.
 */
import type { Params } from '../../core/errors.js'
import type { Catalog, RecordField, RecordType } from '../compile/compile.js'
import type { Scalar } from '../conditions.js'
import type { JsonSchema } from '../derive/openapi/names.js'
import type { WriteContext } from '../derive/shape.js'
import type { MakingField } from '../derive/shape-writers.js'
import type { Writer } from '../derive/writers.js'
import type { Field, Json } from '../field.js'

/** The code of the sentence that tells the caller what is wrong, and the values that the sentence needs. */
export interface Refusal {
  readonly refused: string
  readonly params?: Params
}

/** A value as rows hold it, or what is wrong with what the caller sent. */
export type Read = { readonly value: Json } | Refusal

export interface Kind {
  /** Options that are for fields of this kind, and not for fields of every kind. */
  readonly options: { readonly [option in keyof Field]?: true }
  /** JavaScript type of a default. Default: a text. */
  readonly defaults?: 'number' | 'boolean'
  /** True for texts: they are found and sorted without regard to case, and can be translated. */
  readonly isText?: true
  /** True for texts of several lines, which keep their line feeds and the blanks around them. */
  readonly isMultiline?: true
  /** True when the field has `values`, one of which it holds; they are in /enums and in the OpenAPI document. */
  readonly isEnumeration?: true
  /** True for enumerations whose values are the names of all events. They are known when the catalog is compiled. */
  readonly holdsEvents?: true

  /** True for fields that only sub-records can have. */
  readonly needsOwner?: true

  /** Reports what is wrong with the options of a field, whatever its record type. */
  mistakes?(field: Field): readonly string[]
  /**
   * Reports what is wrong with a value that conditions compare the field with; null when nothing is. Null and placeholders are
   * never asked for. Default: any text is fine.
   */
  mistakeInTest?(value: unknown, field: Tested): string | null

  /** How columns hold the values; null for kinds whose values are in other tables, or in the column of another field. */
  readonly column: Column | null
  /** How callers write values; null for kinds that callers do not write. */
  readonly input: Input | null
  /** How lists are filtered by the values; null where they cannot be compared. */
  readonly filter: Filter | null
  /** What answers show. Default: the value as rows hold it. */
  readonly answer?: Answer
  readonly document: Documented
}

/** The options of a field that say which values it can have. */
export type Tested = Pick<Field, 'values' | 'keywords'>

export interface Column {
  form(field: Pick<Field, 'max' | 'keywords'>): ColumnForm
  /** A cell as rows hold it; null is never asked for. */
  decode(cell: unknown): Json
  /** A value of a row as its column holds it on every database; null is never asked for. */
  encode(value: Exclude<Json, null>): string | number
}

/** What the table check and the draft of a migration say of a column. */
export interface ColumnForm {
  /** The method that makes it, in `migrations/tools.ts`. */
  readonly method: string
  /** Types of MySQL and MariaDB that can hold it; the first one is that of our migrations. */
  readonly types: readonly string[]
  /** Characters that it must hold; 0 when the type says everything. */
  readonly length: number
  /** The method takes the length: `table.string('name', 40)`. */
  readonly isSized?: true
  /** SQLite must compare and sort the values as numbers. */
  readonly isNumber?: true
}

export interface Input {
  /**
   * Reads a value of a caller in any accepted spelling. Blank values clear the field and do not come here.
   *
   * @param zone IANA zone for times without offset
   */
  read(value: unknown, zone: string, field: RecordField): Read
  /** The value of a field that is cleared. Default: null. */
  cleared?(field: RecordField): Json
  /** The JSON schema that values must meet after they were read; absent where records decide: references, sub-records. */
  check?(field: RecordField): object
  /** The value for the body that a cell of an import file stands for. Default: its text, without the blanks around it. */
  cell?(text: string, field: RecordField): Json
}

export interface Filter {
  /** The value that a text of a query parameter stands for; null when it is not a value of the field. */
  read(text: string, field: RecordField): Scalar
  /** True when the values have an order that filters may use: `<`, `>=`. */
  readonly isOrdered?: true
  /** True when one filter may name several values. */
  readonly takesSets?: true
  /** The sentence for a filter that names several values all the same. Default: one that names the operator. */
  refuseSet?(name: string): string
}

export interface Answer {
  /** Shows the value of a row. Called once per shape; null when answers show it as rows hold it. */
  show?(field: RecordField): Show | null
  /** Writes fields that are more than one value of one column. Called once per shape. */
  writer?(field: RecordField, making: MakingField): Writer
}
export type Show = (value: Json, context: WriteContext) => Json

/** The schemas of the OpenAPI document: the one form of a value that clients should use. */
export interface Documented {
  /** A value in an answer, apart from null. */
  shown(field: RecordField, catalog: Catalog): JsonSchema
  /** A value of a caller, apart from null. Default: as it is shown. */
  sent?(field: RecordField, catalog: Catalog, creating: boolean): JsonSchema
  /** What the description of a value of a caller says in addition, with a blank in front. */
  hint?(field: RecordField): string
  /** The schema in answers where the record type of the field is absent. */
  readonly absent?: JsonSchema
  /** Answers never have null in its place, or callers cannot send null. */
  readonly neverNull?: 'shown' | 'sent'
}

/** The record type of a field, or undefined where it is absent. */
export function recordOf(field: RecordField, catalog: Catalog): RecordType | undefined {
  return catalog.types.get(field.record ?? '')
}
