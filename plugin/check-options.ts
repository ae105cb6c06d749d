/** Checks the options of `createPlugin`, and lists all mistakes at once: their names and kinds here, the values in `check-values.ts`. */
import { mistakesInValues } from './check-values.js'
import { InvalidOptions } from './core/errors.js'
import { mistakeInLevel } from './core/log.js'
import { suggestion } from './core/text/nearest.js'
import type { PluginOptions } from './options.js'
import { mistakesInMigrations } from './storage/tables/check-migrations.js'

/** Kind of each option; other names are refused. A group is an object with named options. */
const KINDS: {
  readonly [name in keyof Required<PluginOptions>]: 'string' | 'boolean' | 'object' | 'group' | 'array' | 'function'
} = {
  baseUrl: 'string',
  secret: 'string',
  database: 'group',
  mongo: 'group',
  jobs: 'group',
  timeouts: 'group',
  tablePrefix: 'string',
  allowInsecure: 'boolean',
  headerPrefixes: 'array',
  people: 'group',
  records: 'array',
  extend: 'array',
  migrations: 'array',
  before: 'group',
  on: 'group',
  authorize: 'function',
  scope: 'function',
  sendMail: 'function',
  clock: 'object',
  log: 'object',
  rateLimit: 'group',
  signIn: 'group',
  oauth: 'group',
  files: 'group',
  webhooks: 'group',
  accountAddress: 'function',
  words: 'group',
}

/** Kinds of the options within groups. */
const GROUPS: { readonly [group: string]: { readonly [name: string]: string } } = {
  database: { knex: 'function', url: 'string', pool: 'group' },
  mongo: { db: 'object', url: 'string' },
  jobs: { backend: 'string or object', work: 'boolean', drainForMs: 'number', takeOverAfterMs: 'number', collection: 'string' },
  timeouts: { callMs: 'number', statementMs: 'number', hookMs: 'number' },
  people: { byCredentials: 'function', byId: 'function', signedIn: 'function', provision: 'function' },
  rateLimit: { perHour: 'number', burst: 'number or boolean', burstMs: 'number', store: 'string' },
  signIn: { failuresPerAddress: 'number' },
  oauth: { tokenLifetimeMs: 'number' },
  files: { store: 'object', sizeLimit: 'number', allowedExtensions: 'array', urlLifetimeMs: 'number' },
  webhooks: {
    allowPrivateAddresses: 'boolean',
    allowNetworks: 'array',
    fetch: 'function',
    timeoutMs: 'number',
    userAgent: 'string',
  },
}

/** New names of options, for old names that are not similar to them. */
const RENAMED: { readonly [name: string]: string } = {
  mysql: 'database',
  rules: 'records, whose definitions hold rules',
  'files.addressesLast': 'files.urlLifetimeMs, in milliseconds',
  'rateLimit.burstSeconds': 'rateLimit.burstMs, in milliseconds',
}

/** Methods that these objects must have. */
const METHODS: { readonly [name: string]: readonly string[] } = { clock: ['now'], log: ['debug', 'info', 'warn', 'error'] }

/**
 * Checks everything that can be checked without I/O and without the definitions.
 *
 * @throws InvalidOptions with all mistakes
 */
export function checkOptions(options: PluginOptions): void {
  if (!isGroup(options)) throw new InvalidOptions(['the options must be an object'])
  const mistakes = [...namesAndKinds('', options, KINDS)]
  for (const [group, names] of Object.entries(GROUPS)) {
    const value = (options as unknown as Record<string, unknown>)[group]
    if (isGroup(value)) mistakes.push(...namesAndKinds(`${group}.`, value as object, names))
  }
  for (const [name, methods] of Object.entries(METHODS)) {
    const value = (options as unknown as Record<string, Record<string, unknown> | undefined>)[name]
    for (const method of methods) {
      if (value && typeof value[method] !== 'function') mistakes.push(`${name}.${method}: must be a function`)
    }
  }
  mistakes.push(...mistakesInValues(options), ...mistakesInMigrations(options.migrations))
  const level = options.log === undefined ? mistakeInLevel() : null
  if (level !== null) mistakes.push(level)
  if (mistakes.length > 0) throw new InvalidOptions(mistakes)
}

function namesAndKinds(path: string, given: object, kinds: { readonly [name: string]: string }): string[] {
  const mistakes: string[] = []
  // Inherited options are read like own ones.
  for (const name in given) {
    const value = (given as { readonly [name: string]: unknown })[name]
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (kind === undefined) {
      if (Object.hasOwn(given, name)) mistakes.push(`${path}${name}: there is no such option${hint(path, name, kinds)}`)
      continue
    }
    const fits = kind.split(' or ').some((one) => isOfKind(value, one))
    if (value !== undefined && !fits) mistakes.push(`${path}${name}: must be ${nounOf(kind, value)}`)
  }
  return mistakes
}

function hint(path: string, name: string, kinds: { readonly [name: string]: string }): string {
  const key = `${path}${name}`
  return Object.hasOwn(RENAMED, key) ? `; it is called ${RENAMED[key]}` : suggestion(name, Object.keys(kinds))
}

function nounOf(kind: string, value: unknown): string {
  if (kind === 'group') return typeof value === 'object' && value !== null ? 'a plain object' : 'an object'
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`
}

function isOfKind(value: unknown, kind: string): boolean {
  if (kind === 'array') return Array.isArray(value)
  if (kind === 'group') return isGroup(value)
  return typeof value === kind && value !== null
}

/** True for objects with named options. Refuses lists, maps and dates: their content would be ignored. */
function isGroup(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return ['[object Object]', '[object Module]'].includes(Object.prototype.toString.call(value))
}
