/** Classifies database errors by their number or code. Wrapped errors (Objection's, a hook's) are searched, too. */
import { ItsmError, TimedOut, Unavailable } from '../../core/errors.js'
import { uniqueKeyName } from '../../schema/derive/expected-tables.js'

interface Fault {
  readonly code?: unknown
  readonly errno?: unknown
  readonly fatal?: unknown
  readonly name?: unknown
  readonly message?: unknown
  readonly cause?: unknown
  readonly nativeError?: unknown
}

/** The database did not respond to a statement in time. The connection is closed; the statement may have been executed. */
export class StatementTimeout extends Error {
  override readonly name = 'StatementTimeout'

  constructor(milliseconds: number) {
    super(`The database did not respond within ${milliseconds} ms`)
  }
}

/**
 * A statement that was given up because the time of its call is over. An error of its own: knex writes the SQL into the message
 * of what a statement throws, and the reason of a signal is one object that others throw, too.
 */
export class StatementEnded extends Error {
  override readonly name = 'StatementEnded'

  constructor(cause: unknown) {
    super('The time of the call is over', { cause })
  }
}

/** No connection could be acquired: the server is down, the pool is full, or the plugin has been stopped. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection'
}

const DUPLICATE = new Set<unknown>([1062, 1586])
/** Deadlock, lock wait timeout, MariaDB's "record has changed since last read", and the certification of MySQL's groups. */
const CONFLICT = new Set<unknown>([1213, 1205, 1020, 3101])
const CONFLICT_CODES = new Set<unknown>(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_CHECKREAD'])
/** Conflicts after which a server rolls the whole transaction back; a lock wait ends only its statement. */
const ROLLED_BACK = new Set<unknown>([1213, 1020, 3101])
/** The server accepts no writes: by an option, in a transaction, or in a mode for upgrades. */
const READ_ONLY = new Set<unknown>([1290, 1792, 1836])
/** The connection is closed: shutdown, killed (1927 on MariaDB, 3169 on MySQL), idle for too long. */
const LOST = new Set<unknown>([1053, 1927, 3169, 4031])
const LOST_CODES = new Set<unknown>(['ECONNRESET', 'EPIPE', 'PROTOCOL_CONNECTION_LOST'])
/** Too many connections (1040, 1203, 1226 of one user), a node outside of its cluster (1047), a killed query, a full disk. */
const AWAY = new Set<unknown>([1040, 1203, 1226, 1047, 1317, 1021, 1114, ...READ_ONLY, ...LOST])
const AWAY_CODES = new Set<unknown>([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'SQLITE_READONLY',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  ...LOST_CODES,
])
/** The server itself ended a statement that took too long: MariaDB, MySQL. */
const LATE = new Set<unknown>([1969, 3024])
/**
 * The values caused the error: null, duplicate, foreign key, out of range, wrong type, too long, against a check, not JSON, not
 * in the character set, too big for a row or for a packet.
 */
const OF_DATA = new Set<unknown>([
  ...[1048, 1364, 1169, 1216, 1217, 1451, 1452, 1264, 1265, 1292, 1366, 1411, 1441, 1690, 1406, 3819, 4025, 3140, 3141],
  ...[1300, 3988, 1118, 1153, 1301, ...DUPLICATE],
])
/** The machine has run out of disk space, memory or file handles. No record caused that. */
const EXHAUSTED_CODES = new Set<unknown>(['ENOSPC', 'EMFILE', 'ENFILE', 'ENOMEM', 'EIO'])

/** True if a row with the same key exists. */
export function isDuplicate(error: unknown): boolean {
  return faultsIn(error).some(isDuplicateFault)
}

/**
 * Name of the unique key that a duplicate violates (`uniqueKeyName` creates those of our tables). On SQLite it is built from
 * the reported columns. `PRIMARY` for the primary key, null if the error is not a duplicate.
 */
export function duplicateKeyName(error: unknown): string | null {
  const faults = faultsIn(error)
  const fault = faults.find(isDuplicateFault)
  if (!fault) return null
  if (faults.some(({ code }) => code === 'SQLITE_CONSTRAINT_PRIMARYKEY')) return 'PRIMARY'
  const text = String(fault.message)
  // MySQL writes 'table.key', MariaDB 'key'; neither returns it in a field of its own.
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

/** True if the work lost against another transaction, and may succeed when it is repeated from its beginning. */
export function isDeadlock(error: unknown): boolean {
  return faultsIn(error).some(
    ({ errno, code }) => CONFLICT.has(errno) || CONFLICT_CODES.has(code) || String(code).startsWith('SQLITE_BUSY'),
  )
}

/** True if the server has rolled the whole transaction back: statements after it are in none. */
export function isRolledBack(error: unknown): boolean {
  return faultsIn(error).some(({ errno, code }) => ROLLED_BACK.has(errno) || code === 'ER_LOCK_DEADLOCK')
}

/** True if the database cannot be reached or written to, or no connection is available. Not caused by the request. */
export function isConnectionFault(error: unknown): boolean {
  return faultsIn(error).some(
    (fault) =>
      AWAY.has(fault.errno) ||
      AWAY_CODES.has(fault.code) ||
      fault.fatal === true ||
      fault instanceof NoConnection ||
      fault.name === 'KnexTimeoutError',
  )
}

/** True if the connection was dead, so that no statement on it has returned. */
export function isLostConnection(error: unknown): boolean {
  return faultsIn(error).some(({ errno, code }) => LOST.has(errno) || LOST_CODES.has(code))
}

/** True if the server accepts no writes: another one may be the primary by now, so a new connection is worth a try. */
export function isReadOnly(error: unknown): boolean {
  return faultsIn(error).some(({ errno }) => READ_ONLY.has(errno))
}

/** True if a statement took too long, by our timer or by the server's, or if the time of its call was over. */
export function isTimeout(error: unknown): boolean {
  return faultsIn(error).some(
    (fault) => fault instanceof StatementTimeout || fault instanceof StatementEnded || LATE.has(fault.errno),
  )
}

/** The error for callers when the database failed: 504 or 503; null for any other error. */
export function databaseFault(error: unknown): ItsmError | null {
  if (isTimeout(error)) return new TimedOut(error)
  return isConnectionFault(error) || isDeadlock(error) ? new Unavailable(error) : null
}

/**
 * True if the database, the network or the machine failed, with a known or an unknown error number. False if the database
 * refused the data, and for bugs: repeating the work later would fail again.
 */
export function isOutage(error: unknown): boolean {
  const faults = faultsIn(error)
  if (faults.some((fault) => OF_DATA.has(fault.errno) || /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/.test(String(fault.code)))) {
    return false
  }
  return databaseFault(error) !== null || faults.some(isOfService)
}

function isOfService(fault: Fault): boolean {
  if (fault instanceof ItsmError) return fault.status > 500
  // Error numbers of the operating system are negative.
  const isOfServer = typeof fault.errno === 'number' && fault.errno > 0
  return isOfServer || EXHAUSTED_CODES.has(fault.code) || /^(ER|SQLITE|PROTOCOL)_/.test(String(fault.code))
}

function isDuplicateFault({ errno, code, message }: Fault): boolean {
  if (DUPLICATE.has(errno)) return true
  // SQLite has one code for all constraints when its extended codes are off.
  return String(code).startsWith('SQLITE_CONSTRAINT') && String(message).includes('UNIQUE constraint failed')
}

/** The error and the errors that it wraps, outermost first. */
function faultsIn(error: unknown): Fault[] {
  const found: Fault[] = []
  let next: unknown = error
  while (typeof next === 'object' && next !== null && !found.includes(next)) {
    found.push(next)
    next = (next as Fault).nativeError ?? (next as Fault).cause
  }
  return found
}
