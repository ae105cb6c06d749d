/** Finds the records that the rows of a file of sub-records name. */
import type { Call } from '../../core/call.js'
import { isBlank, lineOf } from '../../core/text/blank.js'
import { isSame } from '../../core/text/identity.js'
import { AMBIGUOUS } from '../../operations/contract.js'
import type { Catalog } from '../../schema/catalog.js'
import type { NamedRecord, PartImport } from '../../schema/language/import-files.js'
import { type Reference, referenceOf } from '../columns/cells.js'
import type { Column } from '../columns/column.js'
import { type Columns, cellOf, columnsOfRelated, type Identity, identify, isField } from '../columns/match-columns.js'
import type { FileRow } from '../contract.js'
import { findRecords, findReferences, keyOf, type LookupDeps, tokenOf } from '../rows/lookups.js'
import { missingOf, type Refusal, type RefusalWords, reasonOf, shownValue } from '../rows/refusals.js'

/** A file of sub-records. */
export interface PartFile {
  readonly description: PartImport
  /** Columns of the records that have the sub-records. */
  readonly columns: Columns
}

/** The records that rows name by some of their columns. */
interface Naming {
  readonly columns: Columns
  readonly named: NamedRecord
  /** True if they may be records of trusted accounts. */
  readonly isOpen: boolean
}

/** A row with the record that it names. */
export interface OwnedRow {
  readonly row: FileRow
  /** Null if the row cannot be read, or names a record that does not exist. */
  readonly ownerId: number | null
  /** The record that the sub-record of the row refers to; null if rows have none, or it does not exist. */
  readonly relatedId: number | null
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
  { columns, description }: PartFile,
  rows: readonly FileRow[],
): Promise<readonly OwnedRow[]> {
  const { owner, relates, roles } = description
  // Roles may be those of people of another account.
  const owned = await findNamed(deps, call, { columns, named: owner, isOpen: roles !== undefined }, rows)
  if (!relates) return owned
  const naming = { columns: columnsOfRelated(columns), named: relates.to, isOpen: true }
  const related = await findNamed(deps, call, naming, rows)
  return owned.map((one, index) => {
    const { ownerId: relatedId = null, refusal = null } = related[index] ?? {}
    return { ...one, relatedId, refusal: one.refusal ?? refusal }
  })
}

async function findNamed(deps: OwnersDeps, call: Call, naming: Naming, rows: readonly FileRow[]): Promise<readonly OwnedRow[]> {
  const { columns, named } = naming
  const key = named.field
  const texts = rows.map(({ cells }) => {
    const text = cellOf(columns, cells, isField(key))
    const reference = text === '' ? null : referenceOf(call, deps.catalog, columns.type.name, text)
    return { text, reference: reference && { ...reference, field: key } }
  })
  const isAllowed = ({ accountId }: Reference) => accountId === null || naming.isOpen
  const references = texts.flatMap(({ reference }) => (reference && isAllowed(reference) ? [reference] : []))
  const byKey = await findReferences(deps.operations, call, references)
  const identities = rows.map(({ cells }) => identify(columns, cells))
  const others = identities.filter(({ by }) => by !== 'key')
  const found = await findRecords(deps, call, columns.type, null, others)

  return rows.map((row, index): OwnedRow => {
    const identity: Identity = identities[index] ?? { by: 'nothing' }
    const { text = '', reference = null } = texts[index] ?? {}
    const one = reference && isAllowed(reference) ? byKey.get(keyOf(reference)) : undefined
    const keyed = one || null
    const id = identity.by === 'key' ? keyed : (found.get(tokenOf(identity) ?? '') ?? null)
    const isAmbiguous = one === AMBIGUOUS
    const refusal = refusalOfRow(deps.words, call, naming, row, identity, { id, isAmbiguous, keyed, text })
    const isUnclear = row.malformed === true || (id !== null && text !== '' && keyed !== id)
    return { row, ownerId: isUnclear ? null : id, relatedId: null, refusal, isUnclear }
  })
}

function refusalOfRow(
  words: RefusalWords,
  call: Call,
  { columns, named: { header } }: Naming,
  row: FileRow,
  identity: Identity,
  {
    id,
    isAmbiguous,
    keyed,
    text,
  }: { readonly id: number | null; readonly isAmbiguous: boolean; readonly keyed: number | null; readonly text: string },
): Refusal | null {
  if (row.malformed) return reasonOf(words, call, 'malformed_row')
  const other = otherConstant(columns, row)
  if (other) return reasonOf(words, call, 'inclusion', other)
  if (identity.by === 'nothing') return reasonOf(words, call, 'blank', header)
  if (id === null) {
    const headerOf = (meant: (column: Column) => boolean) => columns.columns.find((one) => one !== null && meant(one))?.header
    const missing =
      identity.by === 'id'
        ? [headerOf(({ kind }) => kind === 'id'), identity.id]
        : identity.by === 'source'
          ? [headerOf(isField('sourceID')), identity.sourceID]
          : [header, text]
    const named = { header: missing[0] ?? '', value: missing[1] ?? '' }
    return missingOf(words, call, [isAmbiguous && identity.by === 'key' ? { ...named, isAmbiguous } : named])
  }
  if (text !== '' && keyed !== id) return reasonOf(words, call, 'other_record', header, { value: shownValue(text) })
  return row.cells.length > columns.columns.length ? reasonOf(words, call, 'surplus_cells') : null
}

/** The header of a column that should have the same text in each row, and has another one here. */
function otherConstant({ columns }: Columns, { cells }: FileRow): string | undefined {
  const isOther = (column: Columns['columns'][number], index: number) =>
    column?.kind === 'constant' && !isBlank(cells[index]) && !isSame(lineOf(cells[index] ?? ''), column.value)
  return columns.find(isOther)?.header
}
