import { createHash } from 'node:crypto'
import { type Connection, createConnection } from 'mysql2/promise'
import { type Failure, StartupError } from './startup-errors.js'

/** Creates the database in the URL, if it does not exist and the user has the right. @throws StartupError */
export async function makeDatabase(address: string): Promise<void> {
  const url = new URL(address)
  const name = nameIn(url)
  if (name === '')
    throw new StartupError('MYSQL_URL must name a database.', 'Add one at its end: mysql://user:password@host:3306/itsm')
  if (await exists(url)) return
  const server = await connectTo(url)
  try {
    await server.query('CREATE DATABASE IF NOT EXISTS ?? CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci', [name])
  } catch (error) {
    throw new StartupError(
      `The database '${name}' does not exist and cannot be created: ${(error as Error).message}`,
      `As an administrator: CREATE DATABASE \`${name}\`; GRANT ALL ON \`${name}\`.* TO …`,
      { cause: error },
    )
  } finally {
    await server.end()
  }
}

/** Seconds, 24 days: the longest idle time of a connection that every server accepts. */
const IDLE = 2_147_483

/**
 * Locks a database against other desks until the returned function is called or the connection ends, as it does with the
 * process. A second desk has another secret, and would replace the API tokens of the first.
 *
 * @throws StartupError if another desk uses the database
 */
export async function lockDatabase(address: string): Promise<() => Promise<void>> {
  const url = new URL(address)
  const name = nameIn(url)
  const server = await connectTo(url)
  // If the server stops, the lock is lost; the desk itself reports that.
  server.on('error', () => {})
  const lock = `itsm_desk_${createHash('sha256').update(name).digest('hex').slice(0, 32)}`
  await server.query('SET SESSION wait_timeout = ?', [IDLE])
  const [rows] = await server.query('SELECT GET_LOCK(?, 0) AS taken', [lock])
  if ((rows as { taken: number | null }[])[0]?.taken === 1) return () => server.end().catch(() => {})
  await server.end()
  throw new StartupError(
    `A desk is already running on the database '${name}' of MYSQL_URL.`,
    'Use that one or stop it, or name another database in MYSQL_URL for a second desk',
  )
}

async function exists(url: URL): Promise<boolean> {
  try {
    await (await createConnection(url.href)).end()
    return true
  } catch (error) {
    if ((error as Failure).code === 'ER_BAD_DB_ERROR') return false
    throw connectionError(error, url)
  }
}

/** Connects to a server without selecting a database. */
async function connectTo(url: URL): Promise<Connection> {
  const server = new URL(url)
  server.pathname = '/'
  try {
    return await createConnection(server.href)
  } catch (error) {
    throw connectionError(error, url)
  }
}

function connectionError(error: unknown, url: URL): StartupError {
  const { code = '', message } = error as Failure
  const [user, name] = [decodeURIComponent(url.username), nameIn(url)]
  const server = `${url.hostname}:${url.port || 3306}`
  const hint = 'Correct MYSQL_URL, or unset it to use the embedded database'
  const cause = { cause: error }
  if (code === 'ENOTFOUND')
    return new StartupError(`MYSQL_URL contains the host ${url.hostname}, which does not exist (${code}).`, hint, cause)
  if (code === 'EAI_AGAIN')
    return new StartupError(
      `The host ${url.hostname} of MYSQL_URL could not be resolved (${code}).`,
      'Check the network, or unset MYSQL_URL to use the embedded database',
      cause,
    )
  if (code === 'ECONNREFUSED')
    return new StartupError(
      `No server listens at ${server}, the address in MYSQL_URL (${code}).`,
      'Start MySQL or MariaDB there, correct MYSQL_URL, or unset it to use the embedded database',
      cause,
    )
  if (['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET', 'PROTOCOL_CONNECTION_LOST'].includes(code))
    return new StartupError(
      `No MySQL server responds at ${server}, the address in MYSQL_URL (${code}).`,
      'Check that the server runs and accepts this machine, correct MYSQL_URL, or unset it to use the embedded database',
      cause,
    )
  if (code === 'ER_DBACCESS_DENIED_ERROR')
    return new StartupError(
      `The database '${name}' does not exist, or the user '${user}' may not use it.`,
      `As an administrator: CREATE DATABASE IF NOT EXISTS \`${name}\`; GRANT ALL ON \`${name}\`.* TO '${user}'`,
      cause,
    )
  if (code.startsWith('ER_ACCESS_DENIED'))
    return new StartupError(
      `The server at ${server} does not accept the user '${user}' ${url.password ? 'with this password' : 'without a password'}.`,
      'Correct user and password in MYSQL_URL, or unset it to use the embedded database',
      cause,
    )
  return new StartupError(`Connecting to ${server}, the address in MYSQL_URL, failed: ${message || code}`, hint, cause)
}

function nameIn(url: URL): string {
  return decodeURIComponent(url.pathname.slice(1))
}
