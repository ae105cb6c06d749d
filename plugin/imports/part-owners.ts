/** Finds the records that the rows of a file of sub-records name, and keeps the rows of one record together. */
import type { Call } from '../core/call.js'
import type { RecordType } from '../schema/compile/compile.js'
import type { PartImport } from '../schema/language/define-record.js'
import { type Columns, cellOf, type Identity, identify, isField } from './columns/match-columns.js'
import type { ImportDeps } from './deps.js'
import type { FileRow } from './file/parse.js'
import type { Unit } from './plan.js'
import { ImportStopped } from './progress/stopped.js'
import { referenceOf } from './rows/cells.js'
import { findRecords, tokenOf } from './rows/lookups.js'
import { missingOf, type Refusal, shownValue } from './rows/refusals.js'

/** A file of sub-records. */
export interface PartFile {
  /** The type of the records that have the sub-records. */
  readonly record: RecordType
  readonly description: PartImport
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

/** The rows of one record, and rows between them that name none. */
export interface PartUnit extends Unit {
  readonly owned: readonly OwnedRow[]
  readonly ownerId: number | null
  /** True if the record had rows before, with other records between. */
  readonly isRepeated: boolean
  /** True if the record may have rows that could not be read: stored sub-records must then not be replaced. */
  readonly isDoubtful: boolean
}

type Deps = Pick<ImportDeps, 'storage' | 'scope' | 'catalog' | 'operations' | 'words'>

/** Rows that are looked up together. */
const BLOCK_ROWS = 500
/** Maximum number of rows per record: they are saved in one transaction, which must not be a whole file. */
const MAX_UNIT_ROWS = 500
/** Maximum number of consecutive rows with unknown records that do not end the rows of a record. */
const MAX_UNKNOWN_ROWS = 20

/**
 * Groups the rows into units, one per record. A row whose record does not exist does not end a unit: it may be meant for the
 * same record.
 *
 * @param after the last line that was saved before
 * @throws ImportStopped for more rows of one record than one transaction may have
 */
export async function* unitsOf(
  deps: Deps,
  call: Call,
  file: PartFile,
  rows: AsyncIterable<FileRow>,
  after: number,
): AsyncGenerator<PartUnit> {
  const seen = new Set<number>()
  let current: OwnedRow[] = []
  let ownerId: number | null = null
  let isDoubtful = false
  // Since the last row that names a record.
  let [wasUnclear, unknownRows] = [false, 0]

  const finish = (): PartUnit => {
    const unit: PartUnit = {
      rows: current.map(({ row }) => row),
      owned: current,
      ownerId,
      isRepeated: ownerId !== null && seen.has(ownerId),
      isDoubtful,
    }
    if (ownerId !== null) seen.add(ownerId)
    current = []
    ownerId = null
    isDoubtful = wasUnclear
    wasUnclear = false
    unknownRows = 0
    return unit
  }

  try {
    for await (const block of blocksOf(rows)) {
      for (const owned of await findOwners(deps, call, file, block)) {
        if (owned.row.line <= after) {
          if (owned.ownerId !== null) seen.add(owned.ownerId)
          // It may belong to the record of the next rows, as in a run that was not interrupted.
          isDoubtful = owned.ownerId === null && (isDoubtful || owned.isUnclear)
          continue
        }
        const isUnknown = owned.ownerId === null
        const isSame = !isUnknown && owned.ownerId === ownerId
        if (isSame && current.length >= MAX_UNIT_ROWS) {
          const [first] = current
          const line = first?.row.line ?? owned.row.line
          throw new ImportStopped('too_many_rows', { max: MAX_UNIT_ROWS, line }, line)
        }
        const isEnd = isUnknown ? ownerId === null || unknownRows >= MAX_UNKNOWN_ROWS : !isSame
        if (current.length > 0 && isEnd) yield finish()
        current.push(owned)
        ownerId ??= owned.ownerId
        if (isUnknown) {
          unknownRows++
          if (owned.isUnclear) isDoubtful = wasUnclear = true
        } else {
          // An unknown record between rows of another one is probably a misspelled name of that one.
          if (unknownRows > 0) isDoubtful = true
          wasUnclear = false
          unknownRows = 0
        }
      }
    }
  } catch (error) {
    // After any other error the import continues later with the whole unit.
    if (error instanceof ImportStopped && current.length > 0) {
      isDoubtful = true
      yield finish()
    }
    throw error
  }
  if (current.length > 0) yield finish()
}

/** Finds the records of rows, with a constant number of queries. */
async function findOwners(deps: Deps, call: Call, file: PartFile, rows: readonly FileRow[]): Promise<readonly OwnedRow[]> {
  const { record, description, columns } = file
  const key = description.owner.field
  const texts = rows.map(({ cells }) => {
    const text = cellOf(columns.columns, cells, isField(key))
    return { text, reference: text === '' ? null : referenceOf(call, deps.catalog, record.name, text) }
  })
  const values = texts.flatMap(({ reference }) => (reference && reference.accountId === null ? [reference.value] : []))
  const byKey = await deps.operations.findIds(call, record.name, key, [...new Set(values)])
  const identities = rows.map(({ cells }) => identify(columns, cells))
  const others = identities.filter(({ by }) => by !== 'key')
  const found = await findRecords(deps, call, record, null, others)

  return rows.map((row, index): OwnedRow => {
    const identity: Identity = identities[index] ?? { by: 'nothing' }
    const { text = '', reference = null } = texts[index] ?? {}
    const keyed = reference && reference.accountId === null ? (byKey.get(reference.value.toLowerCase()) ?? null) : null
    const id = identity.by === 'key' ? keyed : (found.get(tokenOf(identity) ?? '') ?? null)
    const refusal = refusalOfRow(deps, call, file, row, identity, { id, keyed, text })
    const isUnclear = row.malformed === true || (id !== null && text !== '' && keyed !== id)
    return { row, ownerId: isUnclear ? null : id, refusal, isUnclear }
  })
}

function refusalOfRow(
  deps: Deps,
  call: Call,
  { columns, description }: PartFile,
  row: FileRow,
  identity: Identity,
  { id, keyed, text }: { readonly id: number | null; readonly keyed: number | null; readonly text: string },
): Refusal | null {
  const say = (code: string, label = '', params = {}) => ({
    text: deps.words.sentence(call.language, code, label, params),
    values: [],
  })
  const { header } = description.owner
  if (row.malformed) return say('malformed_row')
  if (identity.by === 'nothing') return say('blank', header)
  if (id === null) {
    const missing =
      identity.by === 'id' ? ['ID', identity.id] : identity.by === 'source' ? ['Source ID', identity.sourceID] : [header, text]
    return missingOf(deps, call, [{ header: missing[0] ?? '', value: missing[1] ?? '' }])
  }
  if (text !== '' && keyed !== id) return say('other_record', header, { value: shownValue(text) })
  return row.cells.length > columns.columns.length ? say('surplus_cells') : null
}

/** Groups rows into blocks. Rows before a place that cannot be read are returned before the error. */
async function* blocksOf(rows: AsyncIterable<FileRow>): AsyncGenerator<readonly FileRow[]> {
  let block: FileRow[] = []
  try {
    for await (const row of rows) {
      block.push(row)
      if (block.length < BLOCK_ROWS) continue
      const full = block
      block = []
      yield full
    }
  } catch (error) {
    if (block.length > 0) yield block
    throw error
  }
  if (block.length > 0) yield block
}
