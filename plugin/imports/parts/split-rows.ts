/** Splits the rows of a file of sub-records by kind: the cells of a contact, the cells of an address. */
import type { Call } from '../../core/call.js'
import { isBlank } from '../../core/text/blank.js'
import type { Catalog, RecordField } from '../../schema/catalog.js'
import { fieldValueOf } from '../columns/cells.js'
import { partTypeOf } from '../columns/layouts.js'
import { type Columns, cellOf, columnsOfPart } from '../columns/match-columns.js'
import type { FileRow } from '../contract.js'
import { prepareRow } from '../rows/prepare.js'
import type { PreparedRow } from '../rows/prepared-row.js'
import type { OwnedRow, PartFile } from './find-owners.js'
import type { OwnerRows } from './group-by-owner.js'

/** The sub-records in one field of the record, with their columns in the file. */
export interface PartKind {
  /** The field of the record that shows them; null if none does. */
  readonly field: RecordField | null
  /** Columns of the sub-records. */
  readonly columns: Columns
  /** Columns of the table by which a row finds its stored sub-record. */
  readonly key: readonly string[]
  /** The field that marks sub-records that files replace; null if there is none. */
  readonly flag: RecordField | null
}

/** A row that has not been refused so far. */
export interface PartRow {
  readonly row: FileRow
  /** True if this row and the other flagged rows replace the stored sub-records. */
  readonly isFlagged: boolean
  readonly given: readonly { readonly kind: PartKind; readonly prepared: PreparedRow }[]
}

/** The sub-records in the rows of one record. */
export interface PartGroup {
  readonly ownerId: number
  readonly rows: readonly PartRow[]
  /** All rows of the record, refused ones included. */
  readonly all: readonly FileRow[]
  readonly isDoubtful: boolean
}

/** Returns the kinds of sub-records with columns in the file. Other kinds are not changed (spec, Batch import 3). */
export function kindsOfParts(catalog: Catalog, { description, columns }: PartFile): readonly PartKind[] {
  return Object.entries(description.parts).flatMap(([name, { key }]): PartKind[] => {
    const field = columns.type.fields.get(name) ?? null
    const type = partTypeOf(catalog, columns.type, name)
    if (!type) return []
    const own = columnsOfPart(columns, name, type)
    if (own.columns.every((column) => column === null)) return []
    const flag = type.fields.get(description.replaces?.field ?? '') ?? null
    // With its time or author, a sub-record of the past is another one than an earlier one with the same key.
    const isPast = own.isHistory && own.columns.some((column) => column?.kind === 'field' && column.field.history)
    return [{ field, columns: own, key: isPast ? [] : key.map((one) => type.fields.get(one)?.column ?? one), flag }]
  })
}

/** Returns the sub-records in the rows of a record; null if none of its rows can be saved. */
export function groupOf(
  call: Call,
  catalog: Catalog,
  file: PartFile,
  kinds: readonly PartKind[],
  { isDoubtful, isRepeated, owned, ownerId }: OwnerRows,
): PartGroup | null {
  if (ownerId === null || isRepeated) return null
  const own = owned.filter((one) => one.ownerId === ownerId)
  const sound = own.filter(({ refusal }) => refusal === null)
  const rows = sound.map((one) => partRowOf(call, catalog, file, kinds, one))
  return { ownerId, isDoubtful, rows, all: own.map(({ row }) => row) }
}

function partRowOf(call: Call, catalog: Catalog, file: PartFile, kinds: readonly PartKind[], owned: OwnedRow): PartRow {
  const { relatedId, row } = owned
  const { relates } = file.description
  const listed = relates && relatedId !== null ? { [`${relates.field}_id`]: relatedId } : {}
  const flag = kinds.find((kind) => kind.flag)?.flag ?? null
  const cell = cellOf(file.columns, row.cells, ({ kind }) => kind === 'flag')
  return {
    row,
    isFlagged: flag !== null && fieldValueOf(flag, cell) === true,
    given: kinds
      .filter(({ columns }) => columns.columns.some((column, index) => column !== null && !isBlank(row.cells[index])))
      .map((kind) => ({ kind, prepared: { ...prepareRow(call, catalog, kind.columns, row), listed } })),
  }
}
