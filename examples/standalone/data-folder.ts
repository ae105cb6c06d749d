/** The data folder of the launcher: created if it does not exist, and used by one desk at a time. */
import { randomBytes } from 'node:crypto'
import { access, constants, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Failure, StartupError } from './startup-errors.js'

/** Location of a running desk, for a second start and for the demo. */
export interface Running {
  readonly baseUrl: string
  readonly pid: number
  readonly email: string | undefined
  readonly token: string | undefined
}

const ELSEWHERE = 'Choose a folder that you can write to: DATA_DIR=~/itsm npm start'
const MIN_SECRET = 32

/** Creates a folder that only its user can open. @throws StartupError if that is not possible, or the folder is not writable */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeWithParents(path)
  } catch (error) {
    throw new StartupError(`The data folder ${path} cannot be created (${codeOf(error)}).`, ELSEWHERE, { cause: error })
  }
  const found = await stat(path).catch(() => null)
  if (!found?.isDirectory()) throw new StartupError(`DATA_DIR must be a folder, and ${path} is not one.`, ELSEWHERE)
  await access(path, constants.W_OK | constants.X_OK).catch((error) => {
    throw notWritable(path, error)
  })
}

/** Node's own `recursive` never returns if a folder exists but accepts no subfolders, such as /proc. */
async function makeWithParents(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    const parent = dirname(path)
    const hasParent = parent === path || (await stat(parent).catch(() => null)) !== null
    if (codeOf(error) !== 'ENOENT' || hasParent) throw error
    await makeWithParents(parent)
    await mkdir(path, { mode: 0o700 })
  }
}

/** Returns the secret of a folder, created at the first call: tokens and URLs need the same secret. @throws StartupError */
export async function keptSecret(folder: string): Promise<string> {
  const path = join(folder, 'secret')
  try {
    if (!(await exists(path))) await makeSecret(path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw notWritable(folder, error)
  }
  const secret = await readFile(path, 'utf8').catch((error) => {
    throw new StartupError(`The secret in ${path} cannot be read (${codeOf(error)}).`, 'Let its owner start the desk', {
      cause: error,
    })
  })
  if (secret.trim().length >= MIN_SECRET) return secret.trim()
  throw new StartupError(
    `The secret in ${path} is damaged.`,
    'Put it back from a backup, or remove it: API tokens will be new ones',
  )
}

/**
 * Fails if a secret exists, so that two launchers cannot create two. Writes it in one step: another launcher may read it now.
 */
async function makeSecret(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  const secret = `${randomBytes(32).toString('hex')}\n`
  await writeFile(draft, secret, { flag: 'wx', mode: 0o600 })
  try {
    await link(draft, path).catch((error) => {
      // Some file systems, such as FAT, do not support links.
      if (codeOf(error) === 'EEXIST') throw error
      return writeFile(path, secret, { flag: 'wx', mode: 0o600 })
    })
  } finally {
    await rm(draft, { force: true })
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/**
 * Locks a folder against other desks until the returned function is called or the process ends, in whatever way. It is a lock
 * of SQLite: the operating system holds it for the process, so a killed process leaves no lock behind. Does nothing if the
 * package libsql is missing.
 *
 * @throws StartupError if another desk uses the folder
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const Database = loadLibsql()
  if (!Database) return () => {}
  const lock = openLock(folder, Database)
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (!codeOf(error).startsWith('SQLITE_BUSY')) throw notWritable(folder, error)
    throw inUse(folder, await readRunning(folder))
  }
  // A process that was killed has left this file.
  await rm(join(folder, 'running.json'), { force: true })
  return () => lock.close()
}

/** Records where the desk of a folder is running. */
export async function writeRunning(folder: string, running: Running): Promise<void> {
  await writeFile(join(folder, 'running.json'), JSON.stringify(running), { mode: 0o600 })
}

/** Returns what `writeRunning` wrote last; null if no desk runs, or it is still starting. */
export async function readRunning(folder: string): Promise<Running | null> {
  try {
    return JSON.parse(await readFile(join(folder, 'running.json'), 'utf8'))
  } catch {
    return null
  }
}

/** Removes the file of `writeRunning`. */
export async function forgetRunning(folder: string): Promise<void> {
  await rm(join(folder, 'running.json'), { force: true })
}

interface Lock {
  exec(sql: string): void
  close(): void
}

type OpenDatabase = new (path: string, options: { readonly timeout: number }) => Lock

function loadLibsql(): OpenDatabase | null {
  try {
    return createRequire(import.meta.url)('libsql') as OpenDatabase
  } catch {
    return null
  }
}

function openLock(folder: string, Database: OpenDatabase): Lock {
  try {
    return new Database(join(folder, 'lock'), { timeout: 0 })
  } catch (error) {
    throw notWritable(folder, error)
  }
}

function inUse(folder: string, running: Running | null): StartupError {
  const where = running ? `, at ${running.baseUrl} (process ${running.pid})` : ''
  const stop = running ? `stop it with Ctrl+C in its terminal (or kill ${running.pid})` : 'stop it'
  return new StartupError(
    `A desk is already running on the data in ${folder}${where}.`,
    `Use that one, or ${stop}. For a second desk: DATA_DIR=.data-2 PORT=3001 npm start`,
  )
}

function notWritable(folder: string, error: unknown): StartupError {
  return new StartupError(`Nothing can be written in the data folder ${folder} (${codeOf(error)}).`, ELSEWHERE, {
    cause: error,
  })
}

function codeOf(error: unknown): string {
  const { code, message } = Object(error) as Failure
  return code || message || String(error)
}
