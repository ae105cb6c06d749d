/** Brings a chunk of rows through the pipeline. Everything here happens in one transaction, that of the call. */
import type { Call } from '../core/call.js'
import type { Violation } from '../core/errors.js'
import type { RecordType } from '../schema/compile.js'
import { type LogLine, logLine } from './log-lines.js'
import { type FoundIds, findRecords, findReferences, tokenOf } from './lookups.js'
import type { Columns } from './match.js'
import type { FileRow } from './parse.js'
import type { ImportParts } from './parts.js'
import { bodyOf, openReferences, type PreparedRow, prepareRow, type RowBody } from './prepare.js'
import { NO_RESULTS, type Results } from './results.js'

export interface ChunkReport {
  readonly results: Results
  /** In the order of the rows. */
  readonly lines: readonly LogLine[]
}

/** Missing records that the failure text of a row names. */
const MOST_NAMED = 10

type Parts = Pick<ImportParts, 'storage' | 'catalog' | 'operations' | 'words'>

interface Work extends RowBody {
  readonly row: PreparedRow
  readonly id: number | null
}

/**
 * Stores the rows. Refused rows count as failures and leave no trace. Rows that depend on an earlier row of the chunk (they
 * are about the same record, or refer to one that it makes) are saved after it: the chunk is split before them.
 */
export async function saveRows(
  parts: Parts,
  call: Call,
  type: RecordType,
  columns: Columns,
  rows: readonly FileRow[],
): Promise<ChunkReport> {
  const results: { -readonly [C in keyof Results]: Results[C] } = { ...NO_RESULTS }
  const lines: LogLine[] = []
  const fail = (line: number, text: string) => {
    results.failures++
    lines.push(logLine('error', line, text))
  }
  const sentence = (code: string) => parts.words.sentence(call.language, code, '')

  const prepared: PreparedRow[] = []
  for (const row of rows) {
    if (row.malformed) fail(row.line, 'Text before or after quotation marks')
    else if (row.cells.length > columns.columns.length) fail(row.line, sentence('surplus_cells'))
    else prepared.push(prepareRow(call, parts.catalog, type, columns, row))
  }

  let lookup = await lookUp(parts, call, type, prepared)
  /** Tokens of the rows that came earlier in this chunk: what was looked up before them is out of date. */
  const earlier = new Set<string>()
  let batch: Work[] = []
  let inBatch = new Set<string>()

  async function finishBatch(): Promise<void> {
    const works = batch
    batch = []
    inBatch = new Set()
    const items = works.map(({ id, body }) => ({ id, body }))
    const outcomes = works.length === 0 ? [] : await parts.operations.saveAll(call, type.name, items)
    for (const [index, { row }] of works.entries()) {
      const saved = outcomes[index]
      if (!saved) throw new Error('The pipeline gave fewer outcomes than there were rows')
      if (saved.outcome === 'refused') fail(row.line, textOfViolations(parts, call, type, saved.violations))
      else if (saved.outcome === 'denied') fail(row.line, saved.error.message)
      else results[saved.outcome]++
    }
  }

  for (const row of prepared) {
    let id = idOf(row, lookup)
    const needs = (id: number | null) => [
      tokenOf(row.identity) ?? '',
      ...(id === null ? [] : [`record ${id}`]),
      ...openReferences(type, row, lookup),
    ]
    if (needs(id).some((token) => earlier.has(token))) {
      if (needs(id).some((token) => inBatch.has(token))) await finishBatch()
      lookup = new Map([...lookup, ...(await lookUp(parts, call, type, [row]))])
      id = idOf(row, lookup)
      if (id !== null && inBatch.has(`record ${id}`)) await finishBatch()
    }
    const work = { row, id, ...bodyOf(row, columns, id, lookup) }
    if (work.missing.length > 0) {
      fail(row.line, textOfMissing(parts, call, work.missing))
      continue
    }
    if (id === null && row.identity.by === 'id') {
      lines.push(logLine('warning', row.line, `ID ${cut(row.identity.id)} was not found; a new record is made`))
    }
    batch.push(work)
    for (const token of [...row.provides, ...(id === null ? [] : [`record ${id}`])]) {
      earlier.add(token)
      inBatch.add(token)
    }
  }
  await finishBatch()
  return { results, lines: lines.sort((a, b) => a.line - b.line) }
}

/** The sentences of a refused row, as one text. */
export function textOfViolations(
  { words }: Pick<Parts, 'words'>,
  call: Call,
  type: RecordType,
  violations: readonly Violation[],
): string {
  return violations
    .map(([field, code, params]) => {
      const label = field === 'base' ? '' : words.fieldLabel(call.language, type.name, field)
      return words.sentence(call.language, code, label, params)
    })
    .join('; ')
}

function textOfMissing({ words }: Pick<Parts, 'words'>, call: Call, missing: RowBody['missing']): string {
  return missing
    .slice(0, MOST_NAMED)
    .map(({ header, value }) => words.sentence(call.language, 'could_not_be_found', header, { value: cut(value) }))
    .join('; ')
}

/** What the identities and references of the rows mean, in one map. */
async function lookUp(parts: Parts, call: Call, type: RecordType, rows: readonly PreparedRow[]): Promise<FoundIds> {
  const records = await findRecords(
    parts.storage,
    call,
    type,
    rows.map((row) => row.identity),
  )
  const references = rows.flatMap((row) => row.cellReferences.flatMap((cell) => cell.references))
  return new Map([...records, ...(await findReferences(parts.operations, call, references))])
}

function idOf(row: PreparedRow, lookup: FoundIds): number | null {
  return lookup.get(tokenOf(row.identity) ?? '') ?? null
}

/** Values of cells may be long; a failure text shows their beginning. */
function cut(value: string): string {
  return value.length > 100 ? `${value.slice(0, 100)}…` : value
}
