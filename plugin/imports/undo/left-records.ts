/** Tells which records an undo has left as they are: lines of its log, and rows of its list. */
import type { Call } from '../../core/call.js'
import type { Catalog } from '../../schema/catalog.js'
import { PERSON } from '../../schema/language/built-in-types.js'
import { withColon } from '../../words/quotes.js'
import type { FailedRow } from '../progress/failed-rows.js'
import { type LogLine, logLine } from '../progress/log-lines.js'
import { nounOf, shownValue } from '../rows/refusals.js'
import type { LeftReason, LeftRecord, UndoDeps } from './contract.js'

/** Columns of the list; Line, Field and Reason follow. */
export const LEFT_HEADERS = ['Record Type', 'ID', 'Name', 'Changed By', 'Changed At'] as const

/** The lines and rows for records. @param after the last line of the undo so far: each record has one of the next lines */
export async function tellLeft(
  deps: Pick<UndoDeps, 'catalog' | 'queries' | 'words'>,
  call: Call,
  left: readonly LeftRecord[],
  after: number,
): Promise<{ readonly lines: readonly LogLine[]; readonly failed: readonly FailedRow[] }> {
  const names = await namesOf(deps, call, left)
  const told = left.map((record, index) => {
    const line = after + index + 1
    const { reason, recordId, row, type } = record
    const title = type.title !== null && type.columns.has(type.title) ? String(row?.[type.title] ?? '') : ''
    const by = 'byId' in reason ? (names.get(reason.byId ?? 0) ?? reason.by) : ''
    const at = 'byId' in reason ? reason.at : ''
    const text = textOf(deps, call, reason, by)
    const noun = nounOf(deps.words, call.language, type.name)
    const shown = `${noun} ID ${recordId}${title === '' ? '' : ` (${shownValue(title)})`}`
    return {
      line: logLine('error', line, withColon(call.language, shown, text)),
      failed: { line, cells: [type.name, String(recordId), title, by, at], field: '', reason: text },
    }
  })
  return { lines: told.map(({ line }) => line), failed: told.map(({ failed }) => failed) }
}

function textOf({ words }: Pick<UndoDeps, 'words'>, { language }: Call, reason: LeftReason, by: string): string {
  switch (reason.code) {
    case 'undo_changed_since':
      return by === ''
        ? words.sentence(language, 'undo_changed', '')
        : words.sentence(language, 'undo_changed_since', '', { by, at: reason.at })
    case 'undo_in_use':
      return words.sentence(language, 'undo_in_use', '', { by: nounOf(words, language, reason.byType) })
    case 'undo_gone':
      return words.sentence(language, 'undo_gone', '')
    case 'undo_refused':
      return reason.text
  }
}

/** The names of those who have changed the records. One query. */
async function namesOf(
  { catalog, queries }: { readonly catalog: Catalog; readonly queries: UndoDeps['queries'] },
  call: Call,
  left: readonly LeftRecord[],
): Promise<ReadonlyMap<number, string>> {
  const ids = left.flatMap(({ reason }) => ('byId' in reason ? (reason.byId ?? []) : []))
  if (ids.length === 0) return new Map()
  const where = { path: ['id'], op: 'in', values: [...new Set(ids)] } as const
  const cells = await queries.cells(call, { type: catalog.type(PERSON), where }, [['id'], ['name']])
  return new Map(cells.map(([id, name]) => [Number(id), String(name)]))
}
