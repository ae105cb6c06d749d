/** Prepares rows for the pipeline: their identity, references and values. */
import type { Call } from '../../core/call.js'
import { isBlank } from '../../core/text/blank.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import { inputNameOf } from '../../schema/derive/input-names.js'
import type { Json } from '../../schema/kinds/fields.js'
import { type Columns, cellOf, type Identity, identify, isField } from '../columns/match-columns.js'
import type { FileRow } from '../contract.js'
import { fieldValueOf, namingField, type Reference, referenceOf, textsOf } from './cells.js'
import { type FoundIds, keyOf, keyToken, sourceToken, tokenOf } from './lookups.js'

/** References of one cell, with the header for the failure text. */
interface CellReferences {
  readonly header: string
  /** Input name of the reference or of the links: `manager_id`, `member_ids`. */
  readonly input: string
  readonly isList: boolean
  readonly references: readonly Reference[]
}

export interface PreparedRow {
  readonly line: number
  readonly cells: readonly string[]
  readonly identity: Identity
  readonly cellReferences: readonly CellReferences[]
  /** Tokens by which other rows may find the record that this row creates or changes. */
  readonly provides: readonly string[]
}

/** Input of the pipeline for a row. */
export interface RowBody {
  readonly body: { readonly [field: string]: Json }
  /** References to records that do not exist: header and text of each. */
  readonly missing: readonly { readonly header: string; readonly value: string }[]
}

/** Reads a row as far as possible without the database. */
export function prepareRow(call: Call, catalog: Catalog, columns: Columns, row: FileRow): PreparedRow {
  const { cells } = row
  const identity = identify(columns, cells)
  const cellReferences = columns.columns.flatMap((column, index): CellReferences[] => {
    const cell = cells[index]
    if (column === null || column.kind === 'id' || column.kind === 'flag' || cell === undefined) return []
    if (column.kind === 'link') {
      const references = textsOf(cell).map((text) => referenceOf(call, catalog, column.link.record, text))
      return [{ header: column.header, input: inputNameOf(columns.type, column.name), isList: true, references }]
    }
    const { kind, name, record } = column.field
    if (kind !== 'ref' || !record || isBlank(cell)) return []
    const references = [referenceOf(call, catalog, record, cell)]
    return [{ header: column.header, input: `${name}_id`, isList: false, references }]
  })
  return { line: row.line, cells, identity, cellReferences, provides: providedBy(catalog, columns, cells, identity) }
}

/** Returns the token of a reference to a record of the imported type, as rows provide it. */
function nameToken(value: string): string {
  return `name ${value.toLowerCase()}`
}

/** Returns references of a row to records of its type and account that were not found: an earlier row may create them. */
export function openReferences(type: RecordType, row: PreparedRow, found: FoundIds): readonly string[] {
  return row.cellReferences
    .flatMap((cell) => cell.references)
    .filter((reference) => reference.type === type.name && reference.accountId === null && !found.has(keyOf(reference)))
    .map((reference) => nameToken(reference.value))
}

/**
 * Creates the body of a row. A missing column or cell does not change its field. An empty cell clears its field; in a new
 * record it means the default, as if it were missing (spec, Batch import 3; behaviour: Import files). Read-only fields are
 * skipped: a column of one identifies the record. Empty source cells clear the source only if the record was found by its key
 * column; otherwise they are ignored.
 */
export function bodyOf(row: PreparedRow, columns: Columns, id: number | null, found: FoundIds): RowBody {
  const body: { [field: string]: Json } = {}
  for (const [index, column] of columns.columns.entries()) {
    const cell = row.cells[index]
    if (column?.kind !== 'field' || column.field.readOnly || cell === undefined) continue
    const { name, kind } = column.field
    const empty = isBlank(cell)
    if (empty && id === null) continue
    if (empty && (name === 'source' || name === 'sourceID') && row.identity.by !== 'key') continue
    if (kind !== 'ref') body[name] = fieldValueOf(column.field, cell)
    else if (empty) body[`${name}_id`] = null
  }
  const missing: { header: string; value: string }[] = []
  for (const { header, input, isList, references } of row.cellReferences) {
    const ids: number[] = []
    for (const reference of references) {
      const id = found.get(keyOf(reference))
      if (id === undefined) missing.push({ header, value: textOf(reference) })
      else if (!ids.includes(id)) ids.push(id)
    }
    if (isList) body[input] = ids
    else if (ids[0] !== undefined) body[input] = ids[0]
  }
  return { body, missing }
}

function providedBy(catalog: Catalog, columns: Columns, cells: readonly string[], identity: Identity): readonly string[] {
  const cell = (field: string) => cellOf(columns, cells, isField(field))
  const [source, sourceID] = [cell('source'), cell('sourceID')]
  const key = columns.key === null ? '' : cell(columns.key)
  const name = cell(namingField(catalog, columns.type.name))
  const token = tokenOf(identity)
  return [
    ...(token === null ? [] : [token]),
    ...(source && sourceID ? [sourceToken(source, sourceID)] : []),
    ...(key ? [keyToken(key)] : []),
    ...(name ? [nameToken(name)] : []),
  ]
}

function textOf({ value, accountId }: Reference): string {
  return accountId === null ? value : `${value} @${accountId}`
}
