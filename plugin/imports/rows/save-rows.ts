/** Saves a chunk of rows through the pipeline, in the transaction of the call. */
import type { Call } from '../../core/call.js'
import type { RecordType } from '../../schema/compile/compile.js'
import type { Columns } from '../columns/match-columns.js'
import type { ImportDeps } from '../deps.js'
import type { FileRow } from '../file/parse.js'
import { type LogLine, logLine } from '../progress/log-lines.js'
import { NO_RESULTS, type Results } from '../progress/results.js'
import { codeOfError } from '../progress/stopped.js'
import { type FoundIds, findRecords, findReferences, tokenOf } from './lookups.js'
import { bodyOf, openReferences, type PreparedRow, prepareRow, type RowBody } from './prepare.js'
import { missingOf, type Refusal, refusalLine, refusalOf, shownValue } from './refusals.js'

export interface RowChunkReport {
  readonly results: Results
  /** In the order of the rows. */
  readonly lines: readonly LogLine[]
}

type Deps = Pick<ImportDeps, 'storage' | 'scope' | 'catalog' | 'operations' | 'words'>

interface Work extends RowBody {
  readonly row: PreparedRow
  readonly id: number | null
}

/**
 * Saves the rows. Refused rows count as failures and change nothing. A row that depends on an earlier row of the chunk (same
 * record, or a reference to a record that it creates) is saved after it: the chunk is split before that row.
 */
export async function saveRows(
  deps: Deps,
  call: Call,
  type: RecordType,
  columns: Columns,
  rows: readonly FileRow[],
): Promise<RowChunkReport> {
  const results: { -readonly [C in keyof Results]: Results[C] } = { ...NO_RESULTS }
  const lines: LogLine[] = []
  const fail = (row: FileRow, refusal: Refusal | string) => {
    results.failures++
    const said = typeof refusal === 'string' ? { text: sentence(refusal), values: [] } : refusal
    lines.push(refusalLine(deps, call, type, columns, row, said))
  }
  const sentence = (code: string, params = {}) => deps.words.sentence(call.language, code, '', params)

  const prepared: PreparedRow[] = []
  for (const row of rows) {
    if (row.malformed) fail(row, 'malformed_row')
    else if (row.cells.length > columns.columns.length) fail(row, 'surplus_cells')
    else prepared.push(prepareRow(call, deps.catalog, type, columns, row))
  }

  let lookup = await lookUp(deps, call, type, columns, prepared)
  /** Tokens of earlier rows of this chunk: lookups that were made before these rows are out of date. */
  const earlier = new Set<string>()
  let batch: Work[] = []
  let inBatch = new Set<string>()

  async function finishBatch(): Promise<void> {
    const works = batch
    batch = []
    inBatch = new Set()
    const items = works.map(({ id, body }) => ({ id, body }))
    const outcomes = works.length === 0 ? [] : await deps.operations.saveAll(call, type.name, items)
    for (const [index, { row }] of works.entries()) {
      const saved = outcomes[index]
      if (!saved) throw new Error('The pipeline returned fewer outcomes than there were rows')
      if (saved.outcome === 'refused') fail(row, refusalOf(deps, call, type, columns, row, saved.violations))
      else if (saved.outcome === 'denied') fail(row, codeOfError(saved.error))
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
      lookup = new Map([...lookup, ...(await lookUp(deps, call, type, columns, [row]))])
      id = idOf(row, lookup)
      if (id !== null && inBatch.has(`record ${id}`)) await finishBatch()
    }
    const work = { row, id, ...bodyOf(row, columns, id, lookup) }
    if (work.missing.length > 0) {
      fail(row, missingOf(deps, call, work.missing))
      continue
    }
    if (id === null && row.identity.by === 'id') {
      const warning = sentence('unknown_id', { id: shownValue(row.identity.id) })
      lines.push(logLine('warning', row.line, warning))
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

/** Finds the records of the identities and references of the rows, in one map. */
async function lookUp(
  deps: Deps,
  call: Call,
  type: RecordType,
  columns: Columns,
  rows: readonly PreparedRow[],
): Promise<FoundIds> {
  const records = await findRecords(
    deps,
    call,
    type,
    columns.key,
    rows.map((row) => row.identity),
  )
  const references = rows.flatMap((row) => row.cellReferences.flatMap((cell) => cell.references))
  return new Map([...records, ...(await findReferences(deps.operations, call, references))])
}

function idOf(row: PreparedRow, lookup: FoundIds): number | null {
  return lookup.get(tokenOf(row.identity) ?? '') ?? null
}
