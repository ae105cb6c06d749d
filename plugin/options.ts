/** What a host says to `createPlugin`: the options, their defaults, and a check that lists every mistake at once. */
import type { AgendaBackend } from 'agenda'
import type { Knex } from 'knex'
import type { Db } from 'mongodb'
import type { Migration } from '../migrations/tools.js'
import type { HostCredentials } from './access/authenticate.js'
import type { Authorize } from './access/decide.js'
import type { PersonKey } from './access/people.js'
import type { ScopeHook } from './access/scope.js'
import type { Clock } from './core/clock.js'
import { InvalidOptions } from './core/errors.js'
import type { Log } from './core/log.js'
import type { ExtraWords } from './core/words/index.js'
import type { Listener } from './events/listeners.js'
import type { RateLimitOptions } from './http/rate-limits.js'
import type { Context } from './http/state.js'
import type { BeforeHook } from './operations/parts.js'
import type { Definition, Extension } from './schema/define-record.js'
import type { RuleBook } from './schema/define-rule.js'

export interface Mail {
  readonly to: readonly string[]
  readonly subject: string
  /** Plain text. */
  readonly text: string
}

export interface PluginOptions {
  /** The address at which clients reach the interface; ends with /v1. Jobs make links too, and have no request to read it from. */
  readonly baseUrl: string
  /** At least 32 characters, the same in all processes and for the life of the database: signs addresses, guards API tokens. */
  readonly secret: string
  /** A knex of the host (MySQL, MariaDB, or `embeddedDatabase`), or the address of a database for a pool of our own. */
  readonly mysql:
    | { readonly knex: Knex }
    | { readonly url: string; readonly pool?: { readonly min?: number; readonly max?: number } }
  /** A MongoDB database of the host, or its address. Without it (and without `jobs.backend`) jobs wait in memory. */
  readonly mongo?: { readonly db: Db } | { readonly url: string }
  readonly jobs?: {
    /** Any AgendaBackend in the place of `mongo`; it is never closed by us. */
    readonly backend?: 'memory' | AgendaBackend
    /** False: this process only answers calls, others work. Default true. */
    readonly work?: boolean
    /** Milliseconds that `stop()` waits for running jobs. Default 30,000. */
    readonly drainFor?: number
    /** Milliseconds after which the work of a process that died is taken over. Default 60,000. */
    readonly takeOverAfter?: number
    /** MongoDB collection of our own. Default itsm_jobs. */
    readonly collection?: string
  }
  /** What the names of our tables start with. Default itsm_. */
  readonly tablePrefix?: string
  /** Answers calls that did not come over HTTPS; for development. Default false. */
  readonly allowInsecure?: boolean
  /** Prefixes of our request headers; all are read. Default ['X-SVC-']. */
  readonly headerPrefixes?: readonly string[]
  readonly people?: {
    /** Who has these credentials; null for nobody. Default: our own people with their passwords and API tokens. */
    readonly byCredentials?: (credentials: HostCredentials) => Promise<PersonKey | null>
    /** Who has this id at the host; for `as('…')`. */
    readonly byId?: (id: string) => Promise<PersonKey | null>
    /** Who is signed in at the host, by its own session; asked for requests without credentials. */
    readonly signedIn?: (ctx: Context) => Promise<PersonKey | null>
  }
  /** Record types of the host. */
  readonly records?: readonly Definition[]
  /** Additions to record types. */
  readonly extend?: readonly Extension[]
  /** Rules that the host's definitions name. */
  readonly rules?: RuleBook
  /** Migrations of the host for its own record types; they run after ours. */
  readonly migrations?: readonly Migration[]
  /** Hooks by `<type>.save`: run in the transaction, after our rules, and may refuse. */
  readonly before?: { readonly [name: string]: readonly BeforeHook[] }
  /** Listeners by event name: called after commit, at least once. */
  readonly on?: { readonly [event: string]: readonly Listener[] }
  /** The last word on what a call may do; `decide()` gives our own answer. */
  readonly authorize?: Authorize
  /** The last word on which records a call sees. */
  readonly scope?: ScopeHook
  /** Sends a mail. Without it mails are logged and lost. */
  readonly sendMail?: (mail: Mail) => Promise<void>
  readonly clock?: Clock
  readonly log?: Log
  readonly rateLimit?: RateLimitOptions & {
    /** `database` lets several processes agree. Default memory. */
    readonly store?: 'memory' | 'database'
  }
  readonly signIn?: {
    /** Wrong credentials that one address may send in a quarter of an hour. Default 50. */
    readonly failuresPerAddress?: number
  }
  readonly webhooks?: {
    /** Lets webhooks reach private and loopback addresses; for development. Default false. */
    readonly allowPrivateAddresses?: boolean
    /** Milliseconds that a receiver may take (spec: 10,000). */
    readonly timeout?: number
    readonly userAgent?: string
  }
  /** Address of an account in the user interface, for webhooks. Default: https://<account>.<host of baseUrl>. */
  readonly accountAddress?: (accountId: string) => string
  /** Words for more languages, fields and values. */
  readonly words?: ExtraWords
}

/** What each option must be; a name that is not here is refused. */
const KINDS: { readonly [name in keyof Required<PluginOptions>]: 'string' | 'boolean' | 'object' | 'array' | 'function' } = {
  baseUrl: 'string',
  secret: 'string',
  mysql: 'object',
  mongo: 'object',
  jobs: 'object',
  tablePrefix: 'string',
  allowInsecure: 'boolean',
  headerPrefixes: 'array',
  people: 'object',
  records: 'array',
  extend: 'array',
  rules: 'object',
  migrations: 'array',
  before: 'object',
  on: 'object',
  authorize: 'function',
  scope: 'function',
  sendMail: 'function',
  clock: 'object',
  log: 'object',
  rateLimit: 'object',
  signIn: 'object',
  webhooks: 'object',
  accountAddress: 'function',
  words: 'object',
}

/** Names inside of options that are groups. */
const GROUPS: { readonly [group: string]: { readonly [name: string]: string } } = {
  mysql: { knex: 'function', url: 'string', pool: 'object' },
  mongo: { db: 'object', url: 'string' },
  jobs: { backend: 'string or object', work: 'boolean', drainFor: 'number', takeOverAfter: 'number', collection: 'string' },
  people: { byCredentials: 'function', byId: 'function', signedIn: 'function' },
  rateLimit: { perHour: 'number', burst: 'number or boolean', burstSeconds: 'number', store: 'string' },
  signIn: { failuresPerAddress: 'number' },
  webhooks: { allowPrivateAddresses: 'boolean', timeout: 'number', userAgent: 'string' },
}

/** Fills an object that must not be empty of these methods. */
const METHODS: { readonly [name: string]: readonly string[] } = { clock: ['now'], log: ['debug', 'info', 'warn', 'error'] }

/**
 * Checks everything that can be checked without I/O and without the definitions.
 *
 * @throws InvalidOptions with all mistakes
 */
export function checkOptions(options: PluginOptions): void {
  if (typeof options !== 'object' || options === null) throw new InvalidOptions(['the options must be an object'])
  const mistakes = [...namesAndKinds('', options, KINDS)]
  for (const [group, names] of Object.entries(GROUPS)) {
    const value = (options as unknown as Record<string, unknown>)[group]
    if (typeof value === 'object' && value !== null) mistakes.push(...namesAndKinds(`${group}.`, value, names))
  }
  for (const [name, methods] of Object.entries(METHODS)) {
    const value = (options as unknown as Record<string, Record<string, unknown> | undefined>)[name]
    for (const method of methods) {
      if (value && typeof value[method] !== 'function') mistakes.push(`${name}.${method}: must be a function`)
    }
  }
  mistakes.push(...mistakesInValues(options))
  if (mistakes.length > 0) throw new InvalidOptions(mistakes)
}

function namesAndKinds(path: string, given: object, kinds: { readonly [name: string]: string }): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const kind = kinds[name]
    if (kind === undefined) {
      const near = nearest(name, Object.keys(kinds))
      return [`${path}${name}: there is no such option${near ? `; did you mean '${near}'?` : ''}`]
    }
    const fits = kind
      .split(' or ')
      .some((one) => (one === 'array' ? Array.isArray(value) : typeof value === one && value !== null))
    return value === undefined || fits ? [] : [`${path}${name}: must be ${kind === 'array' ? 'an array' : `a ${kind}`}`]
  })
}

function mistakesInValues(options: PluginOptions): string[] {
  const mistakes: string[] = []
  const { baseUrl, secret, mysql, tablePrefix, headerPrefixes, jobs, mongo, rateLimit } = options
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl))
    mistakes.push("baseUrl: must be an address, 'https://desk.example/v1'")
  else {
    if (!/\/v1$/.test(baseUrl)) mistakes.push("baseUrl: must end with '/v1', without a slash behind it")
    if (!options.allowInsecure && !baseUrl.startsWith('https:'))
      mistakes.push('baseUrl: must be https, unless allowInsecure is set')
  }
  if (typeof secret !== 'string' || secret.length < 32) mistakes.push('secret: must be a text of at least 32 characters')
  if (!mysql || ('knex' in mysql ? 1 : 0) + ('url' in mysql ? 1 : 0) !== 1) {
    mistakes.push('mysql: must say either knex or url')
  }
  if (mongo && ('db' in mongo ? 1 : 0) + ('url' in mongo ? 1 : 0) !== 1) mistakes.push('mongo: must say either db or url')
  if (mongo && jobs?.backend !== undefined) mistakes.push('jobs.backend: leave it away when mongo is given')
  if (typeof jobs?.backend === 'string' && jobs.backend !== 'memory')
    mistakes.push("jobs.backend: must be 'memory' or an AgendaBackend")
  if (tablePrefix !== undefined && !/^[a-z0-9_]{0,20}$/.test(tablePrefix)) {
    mistakes.push('tablePrefix: must be at most 20 lower-case letters, digits and underscores')
  }
  for (const prefix of Array.isArray(headerPrefixes) ? headerPrefixes : []) {
    if (!/^[A-Za-z0-9-]+-$/.test(String(prefix)))
      mistakes.push(`headerPrefixes: '${prefix}' is not letters, digits and hyphens with a hyphen at its end`)
  }
  if (headerPrefixes?.length === 0) mistakes.push('headerPrefixes: needs at least one prefix')
  for (const [name, value] of [
    ['jobs.drainFor', jobs?.drainFor],
    ['rateLimit.perHour', rateLimit?.perHour],
  ] as const) {
    if (value !== undefined && !(value >= 0)) mistakes.push(`${name}: must not be negative`)
  }
  if (rateLimit?.store !== undefined && !['memory', 'database'].includes(rateLimit.store)) {
    mistakes.push("rateLimit.store: must be 'memory' or 'database'")
  }
  return mistakes
}

/** The known name that is at most two letters away. */
function nearest(name: string, known: readonly string[]): string | undefined {
  return known.find((other) => distance(name.toLowerCase(), other.toLowerCase()) <= 2)
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
