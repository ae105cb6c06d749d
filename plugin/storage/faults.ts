/** What a database error means, by its number or code. Wrapped errors (Objection's, a hook's) are looked into. */
import { uniqueKeyName } from '../schema/derive/tables.js'

interface Fault {
  readonly code?: unknown
  readonly errno?: unknown
  readonly fatal?: unknown
  readonly name?: unknown
  readonly message?: unknown
  readonly cause?: unknown
  readonly nativeError?: unknown
}

const DUPLICATE = new Set<unknown>([1062, 1586])
/** Deadlock, lock wait timeout, and MariaDB's "record has changed since last read". */
const CONFLICT = new Set<unknown>([1213, 1205, 1020])
const CONFLICT_CODES = new Set<unknown>(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_CHECKREAD'])
/** Too many connections (1040, 1203), server is shutting down (1053), connection killed (1927 on MariaDB, 3169 on MySQL). */
const AWAY = new Set<unknown>([1040, 1203, 1053, 1927, 3169])
const AWAY_CODES = new Set<unknown>([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
])

/** True when a row with the same key is already there. */
export function isDuplicate(error: unknown): boolean {
  return faultsIn(error).some(isDuplicateFault)
}

/**
 * The unique key that a duplicate violates by its name (`uniqueKeyName` makes those of our tables). On SQLite the name is
 * put together from the columns that are reported. `PRIMARY` for the primary key, null when the error is no duplicate.
 */
export function duplicateKeyName(error: unknown): string | null {
  const faults = faultsIn(error)
  const fault = faults.find(isDuplicateFault)
  if (!fault) return null
  if (faults.some(({ code }) => code === 'SQLITE_CONSTRAINT_PRIMARYKEY')) return 'PRIMARY'
  const text = String(fault.message)
  // MySQL writes 'table.key', MariaDB 'key'; neither gives it in a field of its own.
  const key = /for key '(?:[^']*\.)?([^'.]+)'/.exec(text)?.[1]
  if (key) return key
  const columns = /UNIQUE constraint failed: (.+)/.exec(text)?.[1]?.split(', ') ?? []
  const table = columns[0]?.split('.')[0]
  if (!table) return null
  return uniqueKeyName(
    table,
    columns.map((column) => column.split('.')[1] ?? column),
  )
}

/** True when the work lost against another transaction, and may succeed when it is done again from its beginning. */
export function isDeadlock(error: unknown): boolean {
  return faultsIn(error).some(
    ({ errno, code }) => CONFLICT.has(errno) || CONFLICT_CODES.has(code) || String(code).startsWith('SQLITE_BUSY'),
  )
}

/** True when the database cannot be reached, or has no connection left: the fault of nobody's request. */
export function isConnectionFault(error: unknown): boolean {
  return faultsIn(error).some(
    ({ errno, code, fatal, name }) => AWAY.has(errno) || AWAY_CODES.has(code) || fatal === true || name === 'KnexTimeoutError',
  )
}

function isDuplicateFault({ errno, code, message }: Fault): boolean {
  if (DUPLICATE.has(errno)) return true
  // SQLite has one code for all constraints when its extended codes are off.
  return String(code).startsWith('SQLITE_CONSTRAINT') && String(message).includes('UNIQUE constraint failed')
}

/** The error and what it wraps, outermost first. */
function faultsIn(error: unknown): Fault[] {
  const found: Fault[] = []
  let next: unknown = error
  while (typeof next === 'object' && next !== null && !found.includes(next)) {
    found.push(next)
    next = (next as Fault).nativeError ?? (next as Fault).cause
  }
  return found
}
