/** Options of the host, checked and with all defaults, which are set here, but for pool sizes (`storage/connections.ts`). */
import type { Migration } from '../migrations/tools.js'
import type { ScopeHook } from './access/sight/ask-scope.js'
import type { Authorize } from './access/sight/decide.js'
import type { ById } from './access/sign-in/host-people.js'
import type { HostPerson, Provision } from './access/sign-in/recognize-person.js'
import type { ByCredentials } from './access/sign-in/sign-in-sources.js'
import { checkOptions } from './check-options.js'
import { type Clock, systemClock } from './core/clock.js'
import { MAX_FILE_BYTES } from './core/file-sizes.js'
import { defaultLog, type Log } from './core/log.js'
import { createReachable, type Reachable } from './core/public-address.js'
import { VERSION } from './core/version.js'
import { HOOK_WITHIN } from './core/waiting/ask-host.js'
import { CALL_WITHIN } from './core/waiting/in-time.js'
import type { Listeners } from './events/listeners.js'
import type { FileStore } from './files/store.js'
import type { RateLimitSettings } from './http/rate-limits.js'
import type { Context } from './http/state.js'
import type { JobBackend } from './jobs/agenda-store.js'
import type { BeforeHook } from './operations/deps.js'
import type { PluginOptions } from './options.js'
import type { Definition } from './schema/language/define-record.js'
import type { Extension } from './schema/language/extend-record.js'
import { STATEMENT_WITHIN, type StorageOptions } from './storage/database/connections.js'
import { accountAddresses } from './webhooks/account-addresses.js'
import type { DeliveryFetch } from './webhooks/safe-request.js'
import type { SendMail } from './words/mails/mail.js'
import { createWords, type WordBook } from './words/words.js'

/** Settings that several folders share, then a group per folder. Times are in milliseconds. */
export interface Settings {
  readonly baseUrl: string
  readonly secret: string
  readonly clock: Clock
  readonly log: Log
  readonly words: WordBook
  readonly sendMail: SendMail
  /** URL of an account in the user interface, without a slash at its end. */
  readonly accountAddress: (accountId: string) => string
  /** Maximum time of a hook of the host. */
  readonly hookMs: number
  /** Time after which another process takes over the work of one that has died. */
  readonly takeOverAfterMs: number
  readonly catalog: {
    readonly records: readonly Definition[]
    readonly extend: readonly Extension[]
  }
  readonly storage: {
    readonly database: StorageOptions
    readonly tablePrefix: string
    readonly statementMs: number
    readonly migrations: readonly Migration[]
  }
  readonly access: { readonly authorize: Authorize | undefined; readonly scope: ScopeHook | undefined }
  readonly signIn: {
    readonly byCredentials: ByCredentials | undefined
    readonly signedIn: ((ctx: Context) => Promise<HostPerson | null>) | undefined
    readonly provision: Provision | undefined
    readonly failuresPerAddress: number
    /** Undefined if OAuth clients are not offered. */
    readonly oauth: { readonly tokenLifetimeMs: number } | undefined
  }
  readonly operations: {
    /** The host's hooks by `<type>.save`. */
    readonly before: ReadonlyMap<string, readonly BeforeHook[]>
    readonly byId: ById | undefined
    /** True for network addresses that the plugin may send requests to. */
    readonly mayReach: Reachable
  }
  readonly events: { readonly on: Listeners }
  readonly files: {
    /** Stores the bytes outside of the database. */
    readonly store: FileStore | undefined
    readonly sizeLimit: number
    /** In lower case; empty if all are allowed. */
    readonly allowedExtensions: readonly string[]
    readonly urlLifetimeMs: number
  }
  readonly webhooks: {
    readonly allowPrivateAddresses: boolean
    readonly allowNetworks: readonly string[]
    readonly fetch: DeliveryFetch | undefined
    readonly timeoutMs: number
    readonly userAgent: string
  }
  readonly jobs: {
    readonly backend: JobBackend
    readonly collection: string
    readonly work: boolean
    readonly drainForMs: number
  }
  readonly http: {
    readonly allowInsecure: boolean
    readonly headerPrefixes: readonly string[]
    readonly callMs: number
    readonly rateLimit: RateLimitSettings
    /** Store of the counters of calls. */
    readonly countIn: 'memory' | 'database'
  }
}

/**
 * Checks the options and fills in the defaults. Does no I/O.
 *
 * @throws InvalidOptions with all mistakes that show without the definitions
 */
export function readOptions(options: PluginOptions): Settings {
  checkOptions(options)
  const { baseUrl, secret, clock = systemClock, log = defaultLog(), people = {}, mongo } = options
  const { files = {}, jobs = {}, oauth, rateLimit = {}, signIn = {}, timeouts = {}, webhooks = {} } = options
  const callMs = timeouts.callMs ?? CALL_WITHIN
  return {
    ...{ baseUrl, secret, clock, log },
    words: createWords(options.words),
    sendMail: options.sendMail ?? logMails(log),
    accountAddress: accountAddresses(baseUrl, log, options.accountAddress),
    hookMs: timeouts.hookMs ?? Math.min(HOOK_WITHIN, callMs / 2),
    takeOverAfterMs: jobs.takeOverAfterMs ?? 60_000,
    catalog: { records: options.records ?? [], extend: options.extend ?? [] },
    storage: {
      database: options.database,
      tablePrefix: options.tablePrefix ?? 'itsm_',
      statementMs: timeouts.statementMs ?? STATEMENT_WITHIN,
      migrations: options.migrations ?? [],
    },
    access: { authorize: options.authorize, scope: options.scope },
    signIn: {
      byCredentials: people.byCredentials,
      signedIn: people.signedIn,
      provision: people.provision,
      failuresPerAddress: signIn.failuresPerAddress ?? 50,
      oauth: oauth && { tokenLifetimeMs: oauth.tokenLifetimeMs ?? 3_600_000 },
    },
    operations: {
      before: new Map(Object.entries(options.before ?? {})),
      byId: people.byId,
      mayReach: webhooks.allowPrivateAddresses ? () => true : createReachable(webhooks.allowNetworks),
    },
    events: { on: options.on ?? {} },
    files: {
      store: files.store,
      sizeLimit: files.sizeLimit ?? MAX_FILE_BYTES,
      allowedExtensions: (files.allowedExtensions ?? []).map((extension) => extension.toLowerCase()),
      urlLifetimeMs: files.urlLifetimeMs ?? 3_600_000,
    },
    webhooks: {
      allowPrivateAddresses: webhooks.allowPrivateAddresses ?? false,
      allowNetworks: webhooks.allowNetworks ?? [],
      fetch: webhooks.fetch,
      timeoutMs: webhooks.timeoutMs ?? 10_000,
      userAgent: webhooks.userAgent ?? `koa-itsm/${VERSION} (${new URL(`${baseUrl}/openapi.json`).href})`,
    },
    jobs: {
      backend: jobs.backend ?? mongo ?? 'memory',
      collection: jobs.collection ?? 'itsm_jobs',
      work: jobs.work ?? true,
      drainForMs: jobs.drainForMs ?? 30_000,
    },
    http: {
      allowInsecure: options.allowInsecure ?? false,
      headerPrefixes: options.headerPrefixes ?? ['X-SVC-'],
      callMs,
      rateLimit: {
        perHour: rateLimit.perHour ?? 3600,
        burst: rateLimit.burst ?? 20,
        burstMs: rateLimit.burstMs ?? 2000,
      },
      countIn: rateLimit.store ?? 'memory',
    },
  }
}

/** Used without the option `sendMail`: mails are not sent, only logged. */
function logMails(log: Log): SendMail {
  return async ({ subject }) => log.warn({ subject }, 'No sendMail option: a mail was not sent')
}
