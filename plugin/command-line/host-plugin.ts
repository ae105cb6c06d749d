/** Opens the plugin of a host, or a plain one on a database, for commands that work on the tables. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from '../plugin.js'
import { reasonOf } from './client.js'
import type { Command, ExitCode, Options, Work } from './contract.js'
import { DatabaseFailed, UsageError } from './errors.js'

const OPTIONS: Options = {
  plugin: { type: 'string', short: 'p', value: 'FILE', about: 'module of the host that exports its plugin' },
  mysql: { type: 'string', value: 'URL', about: 'in place of --plugin, the database; MYSQL_URL hides its password' },
  'table-prefix': { type: 'string', value: 'TEXT', about: "prefix of the tables, without --plugin (default 'itsm_')" },
}
const NOTES = [
  'The module exports, as default or as itsm, what createPlugin() returned, or a function that returns it. It needs no server and',
  'no start(). A TypeScript module needs a loader: NODE_OPTIONS=--import=tsx. Without --plugin, record types, extensions and',
  'migrations of the host are unknown, so that this is for hosts without any.',
]

/** A command that works on the tables of a plugin. */
interface TableCommand extends Omit<Command, 'options' | 'run'> {
  run(work: Work, itsm: Plugin): Promise<ExitCode>
}

/** Adds options and notes about the plugin, and opens and closes it. */
export function withPlugin(command: TableCommand): Command {
  return {
    ...command,
    options: OPTIONS,
    notes: [...(command.notes ?? []), ...NOTES],
    async run(work) {
      if (work.names.length > 0) throw new UsageError(`There is nothing to name here: ${work.names.join(' ')}`)
      const itsm = await told(() => openPlugin(work))
      try {
        return await told(() => command.run(work, itsm))
      } finally {
        await itsm.stop().catch(() => {})
      }
    },
  }
}

/** @throws DatabaseFailed in place of any error that is none of ours */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UsageError) throw error
    const message = error instanceof Error ? error.message : ''
    throw new DatabaseFailed(withoutPasswords(message || reasonOf(error)))
  }
}

/** Passwords of all URLs in a text: `mysql://user:…@host`. */
export function withoutPasswords(text: string): string {
  return text.split(/(\s)/).map(withoutPassword).join('')
}

function withoutPassword(word: string): string {
  const scheme = word.indexOf('://')
  const [colon, at] = [word.indexOf(':', scheme + 3), word.lastIndexOf('@')]
  return scheme < 0 || colon < 0 || at < colon ? word : `${word.slice(0, colon + 1)}…${word.slice(at)}`
}

async function openPlugin({ given, surroundings }: Work): Promise<Plugin> {
  const { mysql = surroundings.env['MYSQL_URL'], plugin, 'table-prefix': tablePrefix } = given
  if (typeof plugin === 'string') {
    if (given['mysql'] !== undefined || tablePrefix !== undefined) {
      throw new UsageError('With --plugin, the module says which database and prefix it uses: omit --mysql and --table-prefix')
    }
    return pluginOf(resolve(surroundings.folder, plugin))
  }
  if (typeof mysql !== 'string' || mysql === '') {
    throw new UsageError('Give the plugin of the host with --plugin, or a database with --mysql or MYSQL_URL')
  }
  checkUrl(mysql)
  // Commands that call the API do without the plugin, which takes a while to load.
  const { createPlugin } = await import('../index.js')
  return createPlugin({
    // Nobody calls this plugin, and migrations store nothing that depends on them.
    baseUrl: 'https://localhost/v1',
    secret: 'no calls are answered and no tokens are made with it',
    database: { url: mysql, pool: { min: 0, max: 2 } },
    ...(typeof tablePrefix === 'string' && { tablePrefix }),
    jobs: { backend: 'memory', work: false },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  })
}

/** Mistakes do not show the URL, which has a password. @throws UsageError */
function checkUrl(url: string): void {
  if (!/^(mysql|mariadb):\/\//.test(url) || !URL.canParse(url)) {
    throw new UsageError('The database must look like mysql://user:password@host:3306/database. Others need --plugin')
  }
  try {
    decodeURIComponent(url)
  } catch {
    throw new UsageError('Write @ : / # % in the password of the database as %40 %3A %2F %23 %25')
  }
}

/** The plugin that a module exports. @throws UsageError */
async function pluginOf(path: string): Promise<Plugin> {
  if (!existsSync(path)) throw new UsageError(`There is no file ${path}`)
  const module = (await importModule(path)) as { readonly default?: unknown; readonly itsm?: unknown }
  for (const exported of [module.default, module.itsm]) {
    const made: unknown = typeof exported === 'function' ? await exported() : await exported
    if (isPlugin(made)) return made
  }
  throw new UsageError(`${path} must export a plugin of this version, made by createPlugin(), as default or as itsm`)
}

async function importModule(path: string): Promise<object> {
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    const isTypeScript = (error as NodeJS.ErrnoException).code === 'ERR_UNKNOWN_FILE_EXTENSION'
    const hint = isTypeScript ? '. A TypeScript module needs a loader: NODE_OPTIONS=--import=tsx' : ''
    throw new UsageError(withoutPasswords(`${path} could not be loaded: ${reasonOf(error)}${hint}`))
  }
}

function isPlugin(value: unknown): value is Plugin {
  const { check, migrate, stop } = Object(value) as Partial<Record<keyof Plugin, unknown>>
  return [check, migrate, stop].every((member) => typeof member === 'function')
}
