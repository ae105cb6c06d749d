/** Log lines of refused rows: the record, the reason, and the values that caused it. */
import type { Call } from '../../core/call.js'
import type { Params, Violation } from '../../core/errors.js'
import { isBlank } from '../../core/text/blank.js'
import type { SaveOutcome } from '../../operations/contract.js'
import type { RecordType } from '../../schema/catalog.js'
import { rootOf } from '../../words/languages.js'
import { inOneLine, quoted, withColon } from '../../words/quotes.js'
import { messageOf } from '../../words/violations.js'
import type { WordBook } from '../../words/words.js'
import { type Columns, cellOf, identify, isField } from '../columns/match-columns.js'
import type { FileRow, Refused } from '../contract.js'
import type { FailedRow } from '../progress/failed-rows.js'
import { type LogLine, logLine } from '../progress/log-lines.js'
import { oneLine } from '../progress/one-line.js'
import { codeOfError } from '../progress/stopped.js'
import type { Missing } from './prepared-row.js'

/** Reason for which a row is refused. */
export interface Refusal {
  /** One message, or several with semicolons between. */
  readonly text: string
  /** Values after the text: `Time Zone "Mars"`. */
  readonly values: readonly string[]
  /** Header of the column at fault; empty if there is none in the file. */
  readonly header: string
}

/** What the pipeline answers for a row that it did not save. */
export type Unsaved = Extract<SaveOutcome, { readonly outcome: 'refused' | 'denied' }>
/** The texts that reasons are made of. */
export type RefusalWords = Pick<WordBook, 'sentence' | 'fieldLabel'>

/** Maximum number of characters of a value in a log line. */
const MAX_VALUE_LENGTH = 60
/** Columns whose cells name other records. */
const CONNECTING: readonly string[] = ['link', 'children', 'names', 'order']
/** Maximum number of missing records in the text of a row. */
const MAX_NAMED = 10

/** Creates a log line of level error: `person "ann@x": Time zone is not included in the list (Time Zone "Mars")`. */
export function refusalLine(
  words: RefusalWords,
  call: Call,
  columns: Columns,
  row: FileRow,
  { text, values }: Refusal,
): LogLine {
  const name = recordName(words, call, columns, row.cells)
  const reason = `${text}${values.length > 0 ? ` (${values.join(', ')})` : ''}`
  return logLine('error', row.line, name === '' ? reason : withColon(call.language, name, reason))
}

/** Names the record as the row does: `person "ann@x"`, `site ID 12`, `team Source "sap" Source ID "1"`; else empty. */
function recordName(words: RefusalWords, { language }: Call, columns: Columns, cells: readonly string[]): string {
  const { type } = columns
  const labelOf = (field: string) => words.fieldLabel(language, type.name, field)
  const shown = (value: string) => quoted(language, shownValue(value))
  const noun = nounOf(words, language, type.name)
  const identity = identify(columns, cells)
  switch (identity.by) {
    case 'id':
      return `${noun} ID ${shownValue(identity.id)}`
    case 'source':
      return `${noun} ${labelOf('source')} ${shown(identity.source)} ${labelOf('sourceID')} ${shown(identity.sourceID)}`
    case 'key':
      return `${noun} ${shown(identity.value)}`
    case 'nothing': {
      const title = type.title === null ? '' : cellOf(columns, cells, isField(type.title))
      return title && `${noun} ${shown(title)}`
    }
  }
}

/**
 * Returns the noun for records of a type inside a line: in lower case in English, in other languages the label of references to
 * the type.
 */
export function nounOf(words: RefusalWords, language: string, typeName: string): string {
  return rootOf(language) === 'en' ? typeName.replaceAll('_', ' ') : words.fieldLabel(language, typeName, typeName)
}

/** Returns the row for the file of failures. Without a refusal it was saved, but has to be imported together with another one. */
export function failedRow({ cells, line }: FileRow, refusal: Refusal | null): FailedRow {
  return { line, cells, field: refusal?.header ?? '', reason: refusal?.text ?? '' }
}

/** Reports a row that could not be saved, from its violations or from the code of a message. */
export function refusedRow(
  words: RefusalWords,
  call: Call,
  columns: Columns,
  row: FileRow,
  reason: readonly Violation[] | string,
): Refused {
  const refusal = typeof reason === 'string' ? reasonOf(words, call, reason) : refusalOf(words, call, columns, row, reason)
  return { line: refusalLine(words, call, columns, row, refusal), failed: failedRow(row, refusal) }
}

/** Returns the reason with the code of a message. @param label of the column at fault, if there is one: its header */
export function reasonOf(words: RefusalWords, { language }: Call, code: string, label = '', params: Params = {}): Refusal {
  return { text: words.sentence(language, code, label, params), values: [], header: label }
}

/** True if the pipeline did not save a row. */
export function isUnsaved(saved: SaveOutcome): saved is Unsaved {
  return saved.outcome === 'refused' || saved.outcome === 'denied'
}

/** The place, from 1, of the sub-record at fault in its list; 0 if it is not one of a list. */
export function placeInList(unsaved: Unsaved): number {
  const [first] = unsaved.outcome === 'refused' ? unsaved.violations : []
  return Number(first?.[2]?.['place'] ?? 0)
}

/** Returns the reason for which the pipeline did not save a record that is no row of the file. */
export function textOfUnsaved(words: RefusalWords, { language }: Call, type: RecordType, unsaved: Unsaved): string {
  return unsaved.outcome === 'denied'
    ? words.sentence(language, codeOfError(unsaved.error), '')
    : unsaved.violations.map((violation) => messageOf(words, language, type.name, violation)).join('; ')
}

/** Returns the reason for which the pipeline did not save a row. */
export function refusalOfUnsaved(words: RefusalWords, call: Call, columns: Columns, row: FileRow, unsaved: Unsaved): Refusal {
  return unsaved.outcome === 'denied'
    ? reasonOf(words, call, codeOfError(unsaved.error))
    : refusalOf(words, call, columns, row, unsaved.violations)
}

/** Returns the messages of violations, with the cells that caused them. */
function refusalOf(
  words: RefusalWords,
  call: Call,
  columns: Columns,
  { cells }: FileRow,
  violations: readonly Violation[],
): Refusal {
  const sentences = violations.map((violation) => messageOf(words, call.language, columns.type.name, violation))
  const at = [...new Set(violations.map((violation) => columnOf(columns, violation)))].filter((index) => index >= 0)
  return {
    text: inOneLine(call.language, sentences),
    values: at.flatMap((index) => shownCell(call.language, columns, cells, index)),
    header: columns.columns[at[0] ?? -1]?.header ?? '',
  }
}

/** Returns the messages about records that could not be found, or that were not the only ones; they contain the values. */
export function missingOf(
  words: RefusalWords,
  call: Call,
  missing: readonly { readonly header: string; readonly value: string; readonly isAmbiguous?: true }[],
): Refusal {
  const sentences = missing.slice(0, MAX_NAMED).map(({ header, isAmbiguous, value }) => {
    const code = isAmbiguous ? 'ambiguous_name' : 'could_not_be_found'
    return words.sentence(call.language, code, header, { value: shownValue(value) })
  })
  const more = missing.length - sentences.length
  const text = inOneLine(call.language, [...sentences, ...(more > 0 ? [`… (${more})`] : [])])
  return { text, values: [], header: missing[0]?.header ?? '' }
}

/**
 * Returns the messages about records that could not be found, and about other cells with wrong values. What the row lacks is not
 * told: much of it would come from the records that it names. Nor are further rows of the same record.
 */
export function refusalOfMissing(
  words: RefusalWords,
  call: Call,
  columns: Columns,
  row: FileRow,
  missing: readonly Missing[],
  unsaved: Unsaved,
): Refusal {
  const first = missingOf(words, call, missing)
  const known = new Set(missing.map(({ field }) => field))
  const isOther = (violation: Violation) =>
    !known.has(violation[0]) && violation[2]?.['place'] === undefined && !isBlank(row.cells[columnOf(columns, violation)])
  const others = unsaved.outcome === 'refused' ? unsaved.violations.filter(isOther) : []
  if (others.length === 0) return first
  const { text, values } = refusalOf(words, call, columns, row, others)
  return { text: inOneLine(call.language, [first.text, text]), values, header: first.header }
}

/** Returns a value of the file, short and on one line. */
export function shownValue(value: string): string {
  return oneLine(value, MAX_VALUE_LENGTH)
}

/** Returns `Time Zone "Mars"`; empty for an empty cell. */
function shownCell(language: string, columns: Columns, cells: readonly string[], index: number): readonly string[] {
  const value = shownValue(cells[index] ?? '')
  return value === '' ? [] : [`${columns.columns[index]?.header ?? ''} ${quoted(language, value)}`]
}

/**
 * The index of the column of the field or link at fault, else of the field of an only sub-record; for a sub-record of a list, of
 * the field of that. -1 if the file has none.
 */
function columnOf({ columns, type }: Columns, [name, , params]: Violation): number {
  const isInPart = (isMeant: (part: string) => boolean) =>
    columns.findIndex((one) => one?.kind === 'field' && one.name === name && one.part !== null && isMeant(one.part))
  if (params?.['place'] !== undefined) return isInPart((part) => part === type.import?.rows?.field)
  const own = columns.findIndex(
    (column) => column !== null && (CONNECTING.includes(column.kind) ? column.name === name : isField(name)(column)),
  )
  return own >= 0 ? own : isInPart((part) => type.fields.get(part)?.kind === 'part')
}
