/** Log lines of refused rows: the record that the row is about, the reason, and the values that caused it. */
import type { Call } from '../core/call.js'
import { labelledField, type Violation } from '../core/errors.js'
import { rootOf } from '../core/words/languages.js'
import { inOneLine, quoted, withColon } from '../core/words/quotes.js'
import type { RecordType } from '../schema/compile/compile.js'
import type { ImportDeps } from './deps.js'
import { type LogLine, logLine } from './log-lines.js'
import { type Columns, cellOf, identify, isField } from './match.js'
import { oneLine } from './one-line.js'
import type { FileRow } from './parse.js'

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
export function refusalLine(
  deps: Pick<ImportDeps, 'words'>,
  call: Call,
  type: RecordType,
  columns: Columns,
  row: FileRow,
  { text, values }: Refusal,
): LogLine {
  const name = recordName(deps, call, type, columns, row.cells)
  const reason = `${text}${values.length > 0 ? ` (${values.join(', ')})` : ''}`
  return logLine('error', row.line, name === '' ? reason : withColon(call.language, name, reason))
}

/** The record as the row identifies it: `person "ann@x"`, `site ID 12`, `team Source "sap" Source ID "1"`; else empty. */
function recordName(
  { words }: Pick<ImportDeps, 'words'>,
  { language }: Call,
  type: RecordType,
  columns: Columns,
  cells: readonly string[],
): string {
  const labelOf = (field: string) => words.fieldLabel(language, type.name, field)
  const shown = (value: string) => quoted(language, shownValue(value))
  // English has small letters inside a line; in the other languages a type is called what references to it are called.
  const noun = rootOf(language) === 'en' ? type.name.replaceAll('_', ' ') : labelOf(type.name)
  const identity = identify(columns, cells)
  switch (identity.by) {
    case 'id':
      return `${noun} ID ${shownValue(identity.id)}`
    case 'source':
      return `${noun} ${labelOf('source')} ${shown(identity.source)} ${labelOf('sourceID')} ${shown(identity.sourceID)}`
    case 'key':
      return `${noun} ${shown(identity.value)}`
    case 'nothing': {
      const title = type.title === null ? '' : cellOf(columns.columns, cells, isField(type.title))
      return title && `${noun} ${shown(title)}`
    }
  }
}

/** The log line of a row that could not be saved: for what it violates, or with the sentence of a code. */
export function lineOfRefused(
  deps: Pick<ImportDeps, 'words'>,
  call: Call,
  type: RecordType,
  columns: Columns,
  row: FileRow,
  reason: readonly Violation[] | string,
): LogLine {
  const refusal =
    typeof reason === 'string'
      ? { text: deps.words.sentence(call.language, reason, ''), values: [] }
      : refusalOf(deps, call, type, columns, row, reason)
  return refusalLine(deps, call, type, columns, row, refusal)
}

/** The sentences of violations, with the cells that they are about. */
export function refusalOf(
  { words }: Pick<ImportDeps, 'words'>,
  call: Call,
  type: RecordType,
  columns: Columns,
  { cells }: Pick<FileRow, 'cells'>,
  violations: readonly Violation[],
): Refusal {
  const sentences = violations.map((violation) => {
    const [, code, params] = violation
    const labelled = labelledField(violation)
    const label = labelled && words.fieldLabel(call.language, type.name, labelled)
    return words.sentence(call.language, code, label, params)
  })
  const fields = [...new Set(violations.map(([field]) => field))]
  return {
    text: inOneLine(call.language, sentences),
    values: fields.flatMap((field) => shownCell(call.language, columns, cells, field)),
  }
}

/** The sentences about records that could not be found; they show the values themselves. */
export function missingOf(
  { words }: Pick<ImportDeps, 'words'>,
  call: Call,
  missing: readonly { readonly header: string; readonly value: string }[],
): Refusal {
  const sentences = missing.slice(0, MAX_NAMED).map(({ header, value }) => {
    return words.sentence(call.language, 'could_not_be_found', header, { value: shownValue(value) })
  })
  const more = missing.length - sentences.length
  return { text: inOneLine(call.language, [...sentences, ...(more > 0 ? [`… (${more})`] : [])]), values: [] }
}

/** A value of the file, short and on one line. */
export function shownValue(value: string): string {
  return oneLine(value, MAX_VALUE_LENGTH)
}

/** `Time Zone "Mars"`; nothing for a field without a column, and for an empty cell. */
function shownCell(language: string, { columns }: Columns, cells: readonly string[], name: string): readonly string[] {
  const index = columns.findIndex((column) =>
    column?.kind === 'link' ? column.name === name : column !== null && isField(name)(column),
  )
  const value = shownValue(cells[index] ?? '')
  return value === '' ? [] : [`${columns[index]?.header ?? name} ${quoted(language, value)}`]
}
