/** Matches columns of a file with fields, and rows with records. */
import { lineOf } from '../../core/text/blank.js'
import { normalized } from '../../core/text/identity.js'
import { withoutEnd, withoutStart } from '../../core/text/trim.js'
import type { RecordType } from '../../schema/catalog.js'
import { oneLine } from '../progress/one-line.js'
import { ImportStopped } from '../progress/stopped.js'
import { type Column, idColumn } from './column.js'
import type { Layout } from './layouts.js'

/** The columns of one file. */
export interface Columns {
  /** The type of the records that the rows name. */
  readonly type: RecordType
  /** One per cell of the header; null for skipped columns. */
  readonly columns: readonly (Column | null)[]
  /** Headers without a field. */
  readonly unknown: readonly string[]
  /** The field whose column identifies records, in addition to ID and Source + Source ID. */
  readonly key: string | null
  /** True if new records come with their past: columns of fields of history are read, too. */
  readonly isHistory: boolean
}

/** The way in which a row identifies its record (spec, Batch import 4). */
export type Identity =
  | { readonly by: 'id'; readonly id: string }
  | { readonly by: 'source'; readonly source: string; readonly sourceID: string }
  | { readonly by: 'key'; readonly value: string }
  | { readonly by: 'nothing' }

/** Maximum number of columns, and of characters per header: far more than any type has. */
const MAX_COLUMNS = 1000
const MAX_HEADER_LENGTH = 255

/** Characters of a header row that a message repeats, and columns that it gives as examples. */
const [MAX_SHOWN, SHOWN_COLUMNS] = [60, 3]
const EVERYWHERE: ReadonlySet<string> = new Set(['id', 'source', 'sourceID', 'disabled'])

const SEMICOLON = ';'

/**
 * Reads the header row. Headers are compared without regard to case, surrounding blanks and quotation marks; `ID`, `Source` and
 * `Source ID` need no declaration. Read-only and ignored headers are skipped without a warning, but for the key: a value that
 * the service sets may identify the record.
 *
 * @param isHistory read-only fields of history are not skipped
 * @param line of the header
 * @throws ImportStopped for too many or too long headers, for one that occurs twice, and if no header is known
 */
export function matchHeaders(
  { also, type, known, ignored, key }: Layout,
  header: readonly string[],
  isHistory = false,
  line = 1,
): Columns {
  checkSize(header)
  const seen = new Set<string>()
  const unknown: string[] = []
  const columns = header.map((text, index): Column | null => {
    const name = nameOfHeader(text)
    const given = name.toLowerCase()
    const lower = also.get(given) ?? given
    if (lower === '') return null
    const own = known.get(lower) ?? (isOldId(lower, index, ignored) ? idColumn(name) : null)
    // Messages have the header as the file spells it.
    const column = own && lower !== given ? { ...own, header: name } : own
    const same = column?.kind === 'id' ? 'id' : lower
    if (seen.has(same)) throw new ImportStopped('duplicate_column', { column: name })
    seen.add(same)
    if (!column && !ignored.has(lower)) unknown.push(name)
    const isSkipped = column?.kind === 'field' && column.field.readOnly && !(isHistory && column.field.history)
    if (isSkipped && column.name !== key) return null
    return column
  })
  if (columns.every((column) => column === null)) {
    const text = oneLine(header.slice(0, MAX_COLUMNS).join(','), MAX_SHOWN)
    throw new ImportStopped('no_known_column', { line, text, columns: examplesOf(known) })
  }
  return { type, columns, unknown, key, isHistory }
}

/** Some headers of a type, other than those of every type. */
function examplesOf(known: Layout['known']): readonly string[] {
  const own = [...known.values()].filter(({ name }) => !EVERYWHERE.has(name)).map(({ header }) => header)
  return own.slice(0, SHOWN_COLUMNS)
}

/** What nobody sees in a header, such as a second byte order mark. */
const INVISIBLE = /\p{Cf}/gu

/** Returns a header without surrounding blanks and quotation marks, with one space in place of other blanks. */
export function nameOfHeader(text: string): string {
  const visible = text.replace(INVISIBLE, '').trim()
  return normalized(withoutEnd(withoutStart(visible, '"'), '"').trim().replace(/\s+/g, ' '))
}

/**
 * Returns the identity of a row: its ID; otherwise Source and Source ID if both have values; otherwise the key column of the
 * type. If one of them finds nothing, the next is not tried.
 */
export function identify(columns: Columns, cells: readonly string[]): Identity {
  const id = cellOf(columns, cells, (column) => column.kind === 'id')
  if (id) return { by: 'id', id }
  const source = cellOf(columns, cells, isField('source'))
  const sourceID = cellOf(columns, cells, isField('sourceID'))
  if (source && sourceID) return { by: 'source', source, sourceID }
  const value = columns.key === null ? '' : cellOf(columns, cells, isField(columns.key))
  return value ? { by: 'key', value } : { by: 'nothing' }
}

/** Returns the text, on one line, of the first cell whose column passes the test; empty if there is none. */
export function cellOf({ columns }: Columns, cells: readonly string[], meant: (column: Column) => boolean): string {
  const index = columns.findIndex((column) => column !== null && meant(column))
  return index < 0 ? '' : lineOf(cells[index] ?? '')
}

/** Creates a test for columns that fill this field of the record itself. */
export function isField(name: string): (column: Column) => boolean {
  return (column) => column.kind === 'field' && column.part === null && column.name === name
}

/** Returns the columns of the sub-records in a field, as if they were a file of their own with records of `type`. */
export function columnsOfPart({ columns, isHistory, unknown }: Columns, part: string, type: RecordType): Columns {
  const own = columns.map((column) => (column?.kind === 'field' && column.part === part ? { ...column, part: null } : null))
  return { type, columns: own, unknown, key: null, isHistory }
}

/** Returns the columns that identify the related records of rows, as if they were those of a file of their own. */
export function columnsOfRelated({ columns, isHistory, key, type, unknown }: Columns): Columns {
  const own = columns.map((column): Column | null =>
    column?.kind === 'related' ? { ...column, kind: 'field', part: null, shows: null } : null,
  )
  return { type, columns: own, unknown, key, isHistory }
}

function checkSize(header: readonly string[]): void {
  if (header.length > MAX_COLUMNS) throw new ImportStopped('too_many_columns', { count: header.length, max: MAX_COLUMNS })
  const long = header.findIndex((text) => text.length > MAX_HEADER_LENGTH)
  if (long < 0) return
  throw new ImportStopped('long_header', { column: long + 1, max: MAX_HEADER_LENGTH })
}

/** True for the header "<product> ID" of the first column, as in the oldest files. */
function isOldId(header: string, index: number, ignored: ReadonlySet<string>): boolean {
  return index === 0 && header.endsWith(' id') && !header.includes(SEMICOLON) && !ignored.has(header)
}
