import type { Log } from '../../plugin/core/log.js'

export interface LogEntry {
  readonly level: keyof Log
  readonly message: string
  readonly details: object
}

/** A log for specs that keeps what it is told. */
export function recordLog(): { log: Log; entries: LogEntry[]; of(level: keyof Log): LogEntry[] } {
  const entries: LogEntry[] = []
  const record = (level: keyof Log) => (details: object, message: string) => void entries.push({ level, message, details })
  const log: Log = { debug: record('debug'), info: record('info'), warn: record('warn'), error: record('error') }
  return { log, entries, of: (level) => entries.filter((entry) => entry.level === level) }
}
