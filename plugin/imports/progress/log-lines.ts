/** The log of an import, line by line. */
import type { Knex } from 'knex'
import { chunksOf } from '../../core/chunks.js'
import { instantOf } from '../../core/clock.js'
import type { Storage } from '../../storage/database/connections.js'
import { dateOfTimestamp, timestampOf } from '../../storage/database/timestamps.js'
import { oneLine } from './one-line.js'

/** Short forms of INFORMATION, WARNING, ERROR and FATAL. */
export type Level = 'info' | 'warning' | 'error' | 'fatal'

export interface LogLine {
  readonly level: Level
  readonly line: number
  readonly text: string
}

const LEVELS = { info: 'INFORMATION', warning: 'WARNING', error: 'ERROR', fatal: 'FATAL' } as const
/** Maximum number of characters of a log line: lines repeat values of cells, which may be long. */
const MAX_TEXT_LENGTH = 1000
/** Rows per insert, and lines per page. */
const BATCH = 500

/** Creates a log line without line breaks and of limited length. */
export function logLine(level: Level, line: number, text: string): LogLine {
  return { level, line, text: oneLine(text, MAX_TEXT_LENGTH) }
}

/** Compares what belongs to lines of the file, for its order. */
export function byLine(a: { readonly line: number }, b: { readonly line: number }): number {
  return a.line - b.line
}

/** Formats a line for the log file: `<ISO datetime> <LEVEL> line <n>: <text>` (behaviour: Import rows). */
export function formatLogLine({ at, level, line, text }: LogLine & { readonly at: Date }): string {
  return `${instantOf(at)} ${LEVELS[level]} line ${line}: ${text}\n`
}

/** Adds lines to the log of an import. */
export async function insertLogLines(
  storage: Storage,
  db: Knex,
  importId: number,
  at: Date,
  lines: readonly LogLine[],
): Promise<void> {
  const rows = lines.map((line) => ({ import_id: importId, at: timestampOf(at), ...line }))
  for (const some of chunksOf(rows, BATCH)) await db(storage.table('import_log_lines')).insert([...some])
}

/** Reads the lines of a log in order, in pages. */
export async function* logLinesOf(storage: Storage, importId: number): AsyncGenerator<LogLine & { readonly at: Date }> {
  for (let last = 0; ; ) {
    const rows = await storage
      .knex(storage.table('import_log_lines'))
      .where({ import_id: importId })
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH)
      .select('id', 'level', 'line', 'text', 'at')
    for (const { level, line, text, at } of rows) yield { level, line: Number(line), text, at: dateOfTimestamp(at) }
    if (rows.length < BATCH) return
    last = Number(rows.at(-1)?.id)
  }
}
