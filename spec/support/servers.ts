/**
 * Finds database servers for the specs: one that an environment variable names, else a throwaway instance of a server program
 * of this machine, in its own folder. Needs no rights and no configuration.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { accessSync, constants, existsSync, mkdtempSync, openSync, rmSync, statfsSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'

export interface Server {
  readonly url: string
  /** Description for the report. */
  readonly about: string
  stop(): Promise<void>
}

/** A server, or the reason for its absence. */
export type Found = Server | { readonly url: null; readonly about: string }

/** Milliseconds that a server may take to respond, and to end. */
const START_WITHIN = 60_000
const STOP_WITHIN = 15_000

/** The folder in which Linux keeps files in memory, and its required free bytes: several times what a run has used. */
const MEMORY_FOLDER = '/dev/shm'
const ENOUGH_MEMORY = 4 * 1024 ** 3

/** MYSQL_URL; else `mariadbd` or `mysqld`; else, for root on Debian and its relatives, MariaDB's two core packages. */
export async function findMysql(): Promise<Found> {
  const given = process.env['MYSQL_URL']
  if (given) return lent(given, 'MYSQL_URL')
  const program = programNamed('mariadbd', 'mysqld') ?? (installMariadb() ? programNamed('mariadbd') : null)
  if (!program) return { url: null, about: 'no MYSQL_URL, and neither mariadbd nor mysqld on the PATH' }
  return startMysql(program)
}

/** OTHER_MYSQL_URL: a second server, for specs that depend on the dialect. */
export function findOtherMysql(): Found {
  const given = process.env['OTHER_MYSQL_URL']
  return given ? lent(given, 'OTHER_MYSQL_URL') : { url: null, about: 'no OTHER_MYSQL_URL' }
}

/** CLUSTER_URLS: the writable nodes of one cluster, separated by commas, for the specs that need several. */
export function findCluster(): { readonly urls: readonly string[]; readonly about: string } {
  const urls = (process.env['CLUSTER_URLS'] ?? '').split(',').filter((url) => url !== '')
  return { urls, about: urls.length > 0 ? `CLUSTER_URLS (${urls.length} nodes)` : 'skipped, no CLUSTER_URLS' }
}

/** Drops the databases whose names begin with the prefix: those of processes that died. */
export async function dropDatabases(url: string, prefix: string): Promise<void> {
  const server = await createConnection(url)
  try {
    const [rows] = await server.query('show databases')
    for (const row of rows as object[]) {
      const [name] = Object.values(row) as string[]
      if (name?.startsWith(prefix)) await server.query('drop database ??', [name])
    }
  } finally {
    await server.end()
  }
}

/** MONGODB_URL; else `mongod`. */
export async function findMongo(): Promise<Found> {
  const given = process.env['MONGODB_URL']
  if (given) return lent(given, 'MONGODB_URL')
  const program = programNamed('mongod')
  if (!program) return { url: null, about: 'no MONGODB_URL, and no mongod on the PATH' }
  const folder = newFolder()
  const port = await freePort()
  const args = ['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket']
  return start({ program, args, folder, port, url: `mongodb://127.0.0.1:${port}/`, about: versionOf(program) })
}

function lent(url: string, variable: string): Server {
  const { host } = new URL(url)
  return { url, about: `${variable} (${host})`, stop: async () => {} }
}

async function startMysql(program: string): Promise<Server> {
  const about = versionOf(program)
  const isMariadb = /mariadb/i.test(about)
  const folder = newFolder()
  const asRoot = isRoot() ? ['--user=root'] : []
  const place = ['--no-defaults', ...asRoot, `--datadir=${join(folder, 'data')}`]
  const log = openSync(join(folder, 'install.log'), 'w')
  if (isMariadb) {
    const install = programNamed('mariadb-install-db', 'mysql_install_db')
    if (!install) throw new Error(`${program} exists, but not mariadb-install-db`)
    const options = ['--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve']
    execFileSync(install, [...place, ...options], { stdio: ['ignore', log, log] })
  } else {
    execFileSync(program, [...place, '--initialize-insecure'], { stdio: ['ignore', log, log] })
  }
  const port = await freePort()
  const args = [
    ...place,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${join(folder, 's.sock')}`,
    `--pid-file=${join(folder, 'pid')}`,
    '--character-set-server=utf8mb4',
    // Other defaults than those of our tables, and another time zone: nothing may depend on the server's settings.
    '--collation-server=utf8mb4_general_ci',
    '--default-time-zone=+05:30',
    '--skip-name-resolve',
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-doublewrite=0',
    '--sync-binlog=0',
    '--innodb-buffer-pool-size=64M',
    '--max-allowed-packet=64M',
    '--performance-schema=OFF',
    ...(isMariadb ? ['--innodb-log-file-size=32M'] : ['--mysqlx=OFF', '--skip-log-bin']),
  ]
  return start({ program, args, folder, port, url: `mysql://root@127.0.0.1:${port}`, about })
}

interface Start {
  readonly program: string
  readonly args: readonly string[]
  readonly folder: string
  readonly port: number
  readonly url: string
  readonly about: string
}

async function start({ program, args, folder, port, url, about }: Start): Promise<Server> {
  const log = openSync(join(folder, 'server.log'), 'w')
  // Detached, so that an interrupt of the terminal reaches the specs first, and the server only when it is stopped.
  const child = spawn(program, args, { detached: true, stdio: ['ignore', log, log] })
  const last = () => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', last)
  const deadline = Date.now() + START_WITHIN
  while (!(await answers(port))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      process.removeListener('exit', last)
      child.kill('SIGKILL')
      throw new Error(`${program} did not start; its log is ${join(folder, 'server.log')}`)
    }
    await sleep(50)
  }
  return {
    url,
    about,
    stop: async () => {
      process.removeListener('exit', last)
      await end(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const waiting = new AbortController()
  const late = sleep(STOP_WITHIN, undefined, { signal: waiting.signal }).then(
    () => child.kill('SIGKILL'),
    () => {},
  )
  await ended
  waiting.abort()
  await late
}

/**
 * In memory if there is room: creating a hundred tables takes a server half the time there, and none of it has to survive the
 * run. Otherwise a temporary folder; paths of sockets must be short (about 100 characters), and some systems have a long name
 * for it.
 */
function newFolder(): string {
  if (hasRoom(MEMORY_FOLDER)) return mkdtempSync(join(MEMORY_FOLDER, 'itsm-'))
  const base = tmpdir().length > 60 && existsSync('/tmp') ? '/tmp' : tmpdir()
  return mkdtempSync(join(base, 'itsm-'))
}

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= ENOUGH_MEMORY
  } catch {
    return false
  }
}

/** The path of the first program that exists. Servers often are in folders that only root has in its PATH. */
function programNamed(...names: readonly string[]): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const more = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin', '/usr/local/mysql/bin', '/usr/libexec']
  for (const name of names) {
    for (const folder of [...folders, ...more]) {
      const path = join(folder || '.', name)
      if (isExecutable(path)) return path
    }
  }
  return null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

function installMariadb(): boolean {
  if (process.platform !== 'linux' || !isRoot() || !programNamed('apt-get')) return false
  const packages = ['mariadb-server-core', 'mariadb-client-core']
  const apt = (...args: readonly string[]) =>
    execFileSync('apt-get', ['-qq', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  try {
    apt('install', '-y', '--no-install-recommends', ...packages)
    return true
  } catch {
    // The package lists may be missing or old.
  }
  try {
    apt('update')
    apt('install', '-y', '--no-install-recommends', ...packages)
    return true
  } catch {
    return false
  }
}

function versionOf(program: string): string {
  const first = execFileSync(program, ['--version'], { encoding: 'utf8' }).split('\n')[0] ?? program
  return first.replace(/^\S*\//, '').trim()
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('No free port')
  return address.port
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    return await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
  } finally {
    socket.destroy()
  }
}
