/** Finds the records that the rows of a file of sub-records name. */
import type { Call } from '../../core/call.js'
import { isBlank, lineOf } from '../../core/text/blank.js'
import { AMBIGUOUS } from '../../operations/contract.js'
import type { Catalog } from '../../schema/catalog.js'
import type { PartImport } from '../../schema/language/import-files.js'
import { referenceOf } from '../columns/cells.js'
import { type Columns, cellOf, type Identity, identify, isField } from '../columns/match-columns.js'
import type { FileRow } from '../contract.js'
import { findRecords, findReferences, keyOf, type LookupDeps, tokenOf } from '../rows/lookups.js'
import { missingOf, type Refusal, type RefusalWords, reasonOf, shownValue } from '../rows/refusals.js'

/** A file of sub-records. */
export interface PartFile {
  readonly description: PartImport
  /** Columns of the records that have the sub-records. */
  readonly columns: Columns
}

/** A row with the record that it names. */
export interface OwnedRow {
  readonly row: FileRow
  /** Null if the row cannot be read, or names a record that does not exist. */
  readonly ownerId: number | null
  /** Reason for which the row cannot be saved. */
  readonly refusal: Refusal | null
  /** True if the row may belong to the record before or after it. */
  readonly isUnclear: boolean
}

/** Dependencies of finding the records. */
export interface OwnersDeps extends LookupDeps {
  readonly catalog: Catalog
  readonly words: RefusalWords
}

/** Finds the records of rows, with a constant number of queries. */
export async function findOwners(
  deps: OwnersDeps,
  call: Call,
  file: PartFile,
  rows: readonly FileRow[],
): Promise<readonly OwnedRow[]> {
  const { description, columns } = file
  const key = description.owner.field
  const texts = rows.map(({ cells }) => {
    const text = cellOf(columns, cells, isField(key))
    const reference = text === '' ? null : referenceOf(call, deps.catalog, columns.type.name, text)
    return { text, reference: reference && { ...reference, field: key } }
  })
  const named = texts.flatMap(({ reference }) => (reference && reference.accountId === null ? [reference] : []))
  const byKey = await findReferences(deps.operations, call, named)
  const identities = rows.map(({ cells }) => identify(columns, cells))
  const others = identities.filter(({ by }) => by !== 'key')
  const found = await findRecords(deps, call, columns.type, null, others)

  return rows.map((row, index): OwnedRow => {
    const identity: Identity = identities[index] ?? { by: 'nothing' }
    const { text = '', reference = null } = texts[index] ?? {}
    const one = reference && reference.accountId === null ? byKey.get(keyOf(reference)) : undefined
    const keyed = one || null
    const id = identity.by === 'key' ? keyed : (found.get(tokenOf(identity) ?? '') ?? null)
    const isAmbiguous = one === AMBIGUOUS
    const refusal = refusalOfRow(deps.words, call, file, row, identity, { id, isAmbiguous, keyed, text })
    const isUnclear = row.malformed === true || (id !== null && text !== '' && keyed !== id)
    return { row, ownerId: isUnclear ? null : id, refusal, isUnclear }
  })
}

function refusalOfRow(
  words: RefusalWords,
  call: Call,
  { columns, description }: PartFile,
  row: FileRow,
  identity: Identity,
  {
    id,
    isAmbiguous,
    keyed,
    text,
  }: { readonly id: number | null; readonly isAmbiguous: boolean; readonly keyed: number | null; readonly text: string },
): Refusal | null {
  const { header } = description.owner
  if (row.malformed) return reasonOf(words, call, 'malformed_row')
  const other = otherConstant(columns, row)
  if (other) return reasonOf(words, call, 'inclusion', other)
  if (identity.by === 'nothing') return reasonOf(words, call, 'blank', header)
  if (id === null) {
    const missing =
      identity.by === 'id' ? ['ID', identity.id] : identity.by === 'source' ? ['Source ID', identity.sourceID] : [header, text]
    const named = { header: missing[0] ?? '', value: missing[1] ?? '' }
    return missingOf(words, call, [isAmbiguous && identity.by === 'key' ? { ...named, isAmbiguous } : named])
  }
  if (text !== '' && keyed !== id) return reasonOf(words, call, 'other_record', header, { value: shownValue(text) })
  return row.cells.length > columns.columns.length ? reasonOf(words, call, 'surplus_cells') : null
}

/** The header of a column that should have the same text in each row, and has another one here. */
function otherConstant({ columns }: Columns, { cells }: FileRow): string | undefined {
  const isOther = (column: Columns['columns'][number], index: number) =>
    column?.kind === 'constant' &&
    !isBlank(cells[index]) &&
    lineOf(cells[index] ?? '').toLowerCase() !== column.value.toLowerCase()
  return columns.find(isOther)?.header
}
