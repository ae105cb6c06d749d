/** Log lines of refused rows: the record that the row is about, the reason, and the values that caused it. */
import type { Call } from '../core/call.js'
import type { Violation } from '../core/errors.js'
import type { RecordType } from '../schema/compile.js'
import { type LogLine, logLine } from './log-lines.js'
import { type Columns, cellOf, identify, isField } from './match.js'
import { oneLine } from './one-line.js'
import type { FileRow } from './parse.js'
import type { ImportParts } from './parts.js'

/** Why a row is refused. */
export interface Refusal {
  /** One sentence, or several with a semicolon between. */
  readonly text: string
  /** Values that follow the text: `Time Zone "Mars"`. */
  readonly values: readonly string[]
}

/** Characters of a value that a log line shows. */
const MAX_VALUE_LENGTH = 60
/** Missing records that the text of a row names. */
const MAX_NAMED = 10

/**
 * `person "ann@x": Time zone is not included in the list (Time Zone "Mars")`: a log line of level error.
 *
 * @param type the type of the record that the row identifies
 */
export function refusalLine(type: RecordType, columns: Columns, row: FileRow, { text, values }: Refusal): LogLine {
  const name = recordName(type, columns, row.cells)
  return logLine('error', row.line, `${name && `${name}: `}${text}${values.length > 0 ? ` (${values.join(', ')})` : ''}`)
}

/** The record as the row identifies it: `person "ann@x"`, `site ID 12`, `team Source "sap" Source ID "1"`; else empty. */
function recordName(type: RecordType, columns: Columns, cells: readonly string[]): string {
  const noun = type.name.replaceAll('_', ' ')
  const identity = identify(columns, cells)
  switch (identity.by) {
    case 'id':
      return `${noun} ID ${shownValue(identity.id)}`
    case 'source':
      return `${noun} Source ${quoted(identity.source)} Source ID ${quoted(identity.sourceID)}`
    case 'key':
      return `${noun} ${quoted(identity.value)}`
    case 'nothing': {
      const title = type.title === null ? '' : cellOf(columns.columns, cells, isField(type.title))
      return title && `${noun} ${quoted(title)}`
    }
  }
}

/** The log line of a row that could not be saved: for what it violates, or with a text. */
export function lineOfRefused(
  parts: Pick<ImportParts, 'words'>,
  call: Call,
  type: RecordType,
  columns: Columns,
  row: FileRow,
  reason: readonly Violation[] | string,
): LogLine {
  const refusal = typeof reason === 'string' ? { text: reason, values: [] } : refusalOf(parts, call, type, columns, row, reason)
  return refusalLine(type, columns, row, refusal)
}

/** The sentences of violations, with the cells that they are about. */
export function refusalOf(
  { words }: Pick<ImportParts, 'words'>,
  call: Call,
  type: RecordType,
  columns: Columns,
  { cells }: Pick<FileRow, 'cells'>,
  violations: readonly Violation[],
): Refusal {
  const sentences = violations.map(([field, code, params]) => {
    const label = field === 'base' ? '' : words.fieldLabel(call.language, type.name, field)
    return words.sentence(call.language, code, label, params)
  })
  const fields = [...new Set(violations.map(([field]) => field))]
  return { text: sentences.join('; '), values: fields.flatMap((field) => shownCell(columns, cells, field)) }
}

/** The sentences about records that could not be found; they show the values themselves. */
export function missingOf(
  { words }: Pick<ImportParts, 'words'>,
  call: Call,
  missing: readonly { readonly header: string; readonly value: string }[],
): Refusal {
  const sentences = missing.slice(0, MAX_NAMED).map(({ header, value }) => {
    return words.sentence(call.language, 'could_not_be_found', header, { value: shownValue(value) })
  })
  const more = missing.length - sentences.length
  return { text: [...sentences, ...(more > 0 ? [`… (${more})`] : [])].join('; '), values: [] }
}

/** A value of the file, short and on one line. */
export function shownValue(value: string): string {
  return oneLine(value, MAX_VALUE_LENGTH)
}

function quoted(value: string): string {
  return `"${shownValue(value)}"`
}

/** `Time Zone "Mars"`; nothing for a field without a column, and for an empty cell. */
function shownCell({ columns }: Columns, cells: readonly string[], name: string): readonly string[] {
  const index = columns.findIndex((column) =>
    column?.kind === 'link' ? column.name === name : column !== null && isField(name)(column),
  )
  const value = shownValue(cells[index] ?? '')
  return value === '' ? [] : [`${columns[index]?.header ?? name} "${value}"`]
}
