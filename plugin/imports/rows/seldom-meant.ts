/** Warnings about values that are taken as they are, but seldom meant so (behaviour: Import rows). */
import type { Call } from '../../core/call.js'
import { isBlank } from '../../core/text/blank.js'
import { isSame, normalized } from '../../core/text/identity.js'
import type { RecordType } from '../../schema/catalog.js'
import { kindOf } from '../../schema/kinds/kinds.js'
import { readBoolean } from '../../schema/kinds/values/read-values.js'
import type { Queries } from '../../storage/records/query.js'
import type { Column } from '../columns/column.js'
import { type Columns, cellOf, isField } from '../columns/match-columns.js'
import type { FileRow } from '../contract.js'
import { type LogLine, logLine } from '../progress/log-lines.js'
import type { PreparedRow } from './prepared-row.js'
import { type RefusalWords, shownValue } from './refusals.js'

/** The accepted spellings of false. */
const FALSE_WORDS: ReadonlySet<string> = new Set(['0', 'f', 'n', 'false', 'no', 'off'])

/** Warns of cells that are read as false, although they are no spelling of it: `ja`, `VRAI`, `x`. */
export function readAsFalse(words: RefusalWords, { language }: Call, { columns }: Columns, row: FileRow): readonly LogLine[] {
  return columns.flatMap((column, index): LogLine[] => {
    const cell = row.cells[index]
    if (column === null || !isTrueOrFalse(column) || isBlank(cell) || cell === undefined) return []
    if (readBoolean(cell) || FALSE_WORDS.has(cell.trim().toLowerCase())) return []
    const text = words.sentence(language, 'read_as_false', column.header, { value: shownValue(cell) })
    return [logLine('warning', row.line, text)]
  })
}

function isTrueOrFalse(column: Column): boolean {
  return (
    column.kind === 'role' ||
    column.kind === 'flag' ||
    (column.kind === 'field' && kindOf(column.field).defaults === 'boolean' && !column.field.onlyWords)
  )
}

/** Warns of a row that gives its record another name than an earlier row of the file, on the line `earlier`. */
export function otherName(words: RefusalWords, { language }: Call, columns: Columns, row: FileRow, earlier: number): LogLine {
  const { title } = columns.type
  const label = words.fieldLabel(language, columns.type.name, title ?? '')
  const value = shownValue(cellOf(columns, row.cells, isField(title ?? '')))
  return logLine('warning', row.line, words.sentence(language, 'other_name', label, { value, earlier }))
}

/**
 * Warns of rows whose ID is that of a record with another key, such as an e-mail address, or another source: files of other tools
 * have numbers of their own. At most one query.
 *
 * @param idOf the id of the record of a row
 */
export async function otherThanStored(
  { queries, words }: { readonly queries: Pick<Queries, 'cells'>; readonly words: RefusalWords },
  call: Call,
  columns: Columns,
  rows: readonly PreparedRow[],
  idOf: (row: PreparedRow) => number | null,
): Promise<readonly LogLine[]> {
  const { type } = columns
  const fields = comparedFields(columns)
  const byId = rows.filter(({ cells, identity }) => identity.by === 'id' && fields.some((field) => isGiven(cells, field)))
  const ids = [...new Set(byId.flatMap((row) => idOf(row) ?? []))]
  if (ids.length === 0) return []
  const where = { path: ['id'], op: 'in', values: ids } as const
  const cells = await queries.cells(call, { type, where }, [['id'], ...fields.map((field) => [field])])
  const stored = new Map(cells.map(([id, ...values]) => [Number(id), values]))
  return byId.flatMap((row): LogLine[] => {
    const values = stored.get(idOf(row) ?? 0)
    const other = fields.find((field, index) => {
      return values && isGiven(row.cells, field) && !isAlike(type, field, textIn(row.cells, field), String(values[index] ?? ''))
    })
    if (other === undefined) return []
    const label = words.fieldLabel(call.language, type.name, other)
    const params = { id: String(idOf(row)), value: shownValue(textIn(row.cells, other)) }
    return [logLine('warning', row.line, words.sentence(call.language, 'other_than_stored', label, params))]
  })

  function textIn(cells: readonly string[], field: string): string {
    return cellOf(columns, cells, isField(field))
  }

  function isGiven(cells: readonly string[], field: string): boolean {
    return textIn(cells, field) !== ''
  }
}

/** What identifies a record besides its ID, as far as the file has it. */
function comparedFields({ columns, key, type }: Columns): readonly string[] {
  const fields = [...(key === null ? [] : [key]), 'source', 'sourceID'].filter((field) => type.fields.has(field))
  return fields.filter((field) => columns.some((column) => column !== null && isField(field)(column)))
}

/** Source and Source ID count exactly, addresses and other keys without regard to case. */
function isAlike({ import: files }: RecordType, field: string, given: string, stored: string): boolean {
  const [one, other] = [normalized(given.trim()), normalized(stored)]
  return field === files?.key ? isSame(one, other) : one === other
}
