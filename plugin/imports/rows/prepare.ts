/** Prepares rows for the pipeline: their identity, references and values. */
import type { Call } from '../../core/call.js'
import { isBlank } from '../../core/text/blank.js'
import { folded } from '../../core/text/identity.js'
import { AMBIGUOUS } from '../../operations/contract.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import { namingField, type Reference } from '../columns/cells.js'
import type { Column, Input } from '../columns/column.js'
import { partTypeOf } from '../columns/layouts.js'
import { type Columns, cellOf, columnsOfPart, type Identity, identify, isField } from '../columns/match-columns.js'
import type { FileRow } from '../contract.js'
import type { RecordGroup } from './adjacent-rows.js'
import { type FoundIds, keyOf, keyOfPart, keyToken, ownerKey, sourceToken, tokenOf } from './lookups.js'
import type { CellReferences, Missing, PreparedRow, RowBody } from './prepared-row.js'

/** Columns with the key that another system gave the record. */
const SOURCE: ReadonlySet<string> = new Set(['source', 'sourceID'])

/** Reads a row as far as possible without the database. */
export function prepareRow(call: Call, catalog: Catalog, columns: Columns, row: FileRow): PreparedRow {
  const { cells } = row
  const identity = identify(columns, cells)
  const cellReferences = columns.columns.flatMap((column, index): CellReferences[] => {
    const cell = cells[index]
    if (column === null || cell === undefined || isBlank(cell)) return []
    const references = ((columns.isHistory && column.ofHistory) || column).references(call, catalog, cell)
    return references.length > 0 ? [{ column, references }] : []
  })
  const provides = providedBy(catalog, columns, cells, identity)
  return { line: row.line, cells, identity, cellReferences, provides, rows: [row], listed: {}, listedRows: [], emptied: [] }
}

/** Reads the rows of one record. The first of them has its values. */
export function prepareGroup(call: Call, catalog: Catalog, columns: Columns, { rows }: RecordGroup): readonly PreparedRow[] {
  const { list, listedRows } = listedIn(call, catalog, columns, rows)
  return rows.slice(0, 1).map((first) => {
    const { body, emptied } = onlyPartsIn(call, catalog, columns, first)
    return { ...prepareRow(call, catalog, columns, first), rows, listed: { ...list, ...body }, listedRows, emptied }
  })
}

/** Returns what a cell of the row refers to. */
export function referencesIn({ cellReferences }: PreparedRow, column: Column): readonly Reference[] {
  return cellReferences.find((cell) => cell.column === column)?.references ?? []
}

/** Returns the token of a reference to a record of the imported type, as rows provide it. */
function nameToken(value: string): string {
  return `name ${folded(value)}`
}

/** Returns references of a row to records of its type and account that were not found: an earlier row may create them. */
export function openReferences(type: RecordType, row: PreparedRow, found: FoundIds): readonly string[] {
  return row.cellReferences
    .flatMap((cell) => cell.references)
    .filter((reference) => !found.has(keyOf(reference)))
    .flatMap((reference) => nameIn(type, reference) ?? [])
}

/** Returns the references of a row to records of its type and account, which other rows of the file may make. */
export function namesReferredTo(type: RecordType, row: PreparedRow): readonly string[] {
  return row.cellReferences.flatMap((cell) => cell.references).flatMap((reference) => nameIn(type, reference) ?? [])
}

/** Returns the name of a record that a row of a file may make: one of the type of the file, in the account of the import. */
function nameIn(type: RecordType, { accountId, type: referred, value }: Reference): string | null {
  return referred === type.name && accountId === null ? nameToken(value) : null
}

/** Returns the name that a row gives its record; null if it gives none. */
export function nameOf(catalog: Catalog, columns: Columns, cells: readonly string[]): string | null {
  const name = cellOf(columns, cells, isField(namingField(catalog, columns.type.name)))
  return name === '' ? null : nameToken(name)
}

/**
 * Creates the body of a row. A missing column or cell does not change its field. An empty cell clears its field; in a new
 * record it means the default, as if it were missing (spec, Batch import 3; behaviour: Import files). Read-only fields are
 * skipped: a column of one identifies the record. Empty source cells clear the source only if the record was found by its key
 * column; otherwise they are ignored. Columns with references that are missing are skipped.
 *
 * @param isPast true if the columns of history count: those of new records
 */
export function bodyOf(
  row: PreparedRow,
  columns: Columns,
  id: number | null,
  found: FoundIds,
  isPast = columns.isHistory && id === null,
): RowBody {
  const ids = new Map<Column, readonly number[]>()
  const missing: Missing[] = []
  for (const { column, references } of row.cellReferences) {
    // The authors of notes that are in no body do not matter.
    if (columns.isHistory && !isPast && column.ofHistory) continue
    const those = references.map((reference) => idOfReference(row, columns, id, found, reference))
    const unknown = references.filter((_, index) => !those[index])
    const { header, name: field } = column
    for (const one of unknown) {
      const isAmbiguous = found.get(keyOf(one)) === AMBIGUOUS
      const name = isAmbiguous ? null : nameIn(columns.type, one)
      missing.push({ header, field, value: textOf(one), name, ...(isAmbiguous && { isAmbiguous }) })
    }
    if (unknown.length === 0)
      ids.set(
        column,
        those.filter((id) => id !== undefined),
      )
  }
  const isMissing = new Set(missing.map(({ header }) => header))
  const inputs = columns.columns.map((column, index): Input => {
    const cell = row.cells[index]
    if (column === null || cell === undefined || isMissing.has(column.header)) return {}
    const isShut = column.kind === 'field' && column.field.readOnly && !(isPast && column.field.history)
    if (isShut || (column.kind === 'field' && column.part !== null)) return {}
    if (!isBlank(cell)) return ((isPast && column.ofHistory) || column).input(cell, ids.get(column) ?? [])
    const keeps =
      id === null ||
      (column.kind === 'field' && column.field.history && column.field.readOnly) ||
      (SOURCE.has(column.name) && row.identity.by !== 'key')
    return keeps ? {} : column.cleared
  })
  return { body: Object.assign({}, ...inputs, row.listed), missing }
}

function idOfReference(row: PreparedRow, columns: Columns, id: number | null, found: FoundIds, reference: Reference) {
  if (reference.within === undefined) return found.get(keyOf(reference))
  const owner = ownerIn(row, columns, id, found, reference)
  return owner === null ? undefined : found.get(keyOfPart(reference, owner))
}

/** The record that a referenced sub-record must belong to: the one that the row names, else the stored one; null without one. */
export function ownerIn(
  row: PreparedRow,
  { columns }: Columns,
  id: number | null,
  found: FoundIds,
  { within = '' }: Reference,
): number | null {
  const column = columns.find((one) => one !== null && isField(within)(one))
  const [named] = column ? referencesIn(row, column) : []
  if (named) return found.get(keyOf(named)) || null
  return id === null ? null : (found.get(ownerKey(within, id)) ?? null)
}

/**
 * Returns the sub-records of adjacent rows of one record, which replace the stored ones: one of each row that has a value for
 * them. Empty if the file has no columns for them.
 */
function listedIn(
  call: Call,
  catalog: Catalog,
  columns: Columns,
  rows: readonly FileRow[],
): { readonly list: Input; readonly listedRows: readonly FileRow[] } {
  const field = columns.type.import?.rows?.field
  const type = field === undefined ? undefined : partTypeOf(catalog, columns.type, field)
  if (field === undefined || !type) return { list: {}, listedRows: [] }
  const own = columnsOfPart(columns, field, type)
  const given = rows.filter(({ cells }) => own.columns.some((column, index) => column !== null && cells[index] !== undefined))
  if (given.length === 0) return { list: {}, listedRows: [] }
  const filled = given.filter(({ cells }) => own.columns.some((column, index) => column !== null && !isBlank(cells[index])))
  // As for an update: an empty cell is no value, not a default.
  const list = { [field]: filled.map((row) => bodyOf(prepareRow(call, catalog, own, row), own, 1, new Map()).body) }
  return { list, listedRows: filled }
}

/**
 * Returns the sub-records of fields that have only one. If all its cells are empty and it cannot be without one of them, it is
 * removed.
 */
function onlyPartsIn(
  call: Call,
  catalog: Catalog,
  columns: Columns,
  row: FileRow,
): { readonly body: Input; readonly emptied: readonly string[] } {
  const body: { [field: string]: Input | null } = {}
  const emptied: string[] = []
  for (const name of onlyPartsOf(columns)) {
    const type = partTypeOf(catalog, columns.type, name)
    if (!type) continue
    const own = columnsOfPart(columns, name, type)
    const given = own.columns.flatMap((column, index) => (column && row.cells[index] !== undefined ? [{ column, index }] : []))
    if (given.length === 0) continue
    const isEmpty = given.every(({ index }) => isBlank(row.cells[index]))
    const cannotBe = ({ column }: (typeof given)[number]) =>
      column.kind === 'field' && column.field.required === true && column.cleared[column.name] === null
    if (isEmpty) emptied.push(name)
    // As for an update: an empty cell is no value, not a default.
    const filled = bodyOf(prepareRow(call, catalog, own, row), own, 1, new Map()).body
    body[name] = isEmpty && given.some(cannotBe) ? null : filled
  }
  return { body, emptied }
}

/** The fields with only one sub-record that the file has columns for. */
function onlyPartsOf({ columns, type }: Columns): ReadonlySet<string> {
  const parts = columns.flatMap((column) => (column?.kind === 'field' && column.part !== null ? [column.part] : []))
  return new Set(parts.filter((name) => type.fields.get(name)?.kind === 'part'))
}

function providedBy(catalog: Catalog, columns: Columns, cells: readonly string[], identity: Identity): readonly string[] {
  const cell = (field: string) => cellOf(columns, cells, isField(field))
  const [source, sourceID] = [cell('source'), cell('sourceID')]
  const key = columns.key === null ? '' : cell(columns.key)
  const name = nameOf(catalog, columns, cells)
  const token = tokenOf(identity)
  return [
    ...(token === null ? [] : [token]),
    ...(source && sourceID ? [sourceToken(source, sourceID)] : []),
    ...(key ? [keyToken(key)] : []),
    ...(name === null ? [] : [name]),
  ]
}

function textOf({ value, accountId }: Reference): string {
  return accountId === null ? value : `${value} @${accountId}`
}
