/** What a host says to `createPlugin`: the options and their defaults. `check-options.ts` looks for mistakes in them. */
import type { AgendaBackend } from 'agenda'
import type { Migration } from '../migrations/tools.js'
import type { ScopeHook } from './access/ask-scope.js'
import type { Authorize } from './access/decide.js'
import type { PersonKey } from './access/people.js'
import type { HostPerson, Provision } from './access/recognize.js'
import type { ByCredentials } from './access/sign-in-sources.js'
import type { Clock } from './core/clock.js'
import type { Log } from './core/log.js'
import type { SendMail } from './core/mail.js'
import type { ExtraWords } from './core/words/index.js'
import type { Listener } from './events/listeners.js'
import type { FileStore } from './files/store.js'
import type { RateLimitOptions } from './http/rate-limits.js'
import type { Context } from './http/state.js'
import type { LentDb } from './jobs/store.js'
import type { BeforeHook } from './operations/deps.js'
import type { Definition } from './schema/define-record.js'
import type { Extension } from './schema/extend-record.js'
import type { LentKnex } from './storage/lent-knex.js'
import type { DeliveryFetch } from './webhooks/safe-request.js'

export interface PluginOptions {
  /** The address at which clients reach the interface; ends with /v1. Jobs make links too, and have no request to read it from. */
  readonly baseUrl: string
  /** At least 32 characters, the same in all processes and for the life of the database: signs addresses, guards API tokens. */
  readonly secret: string
  /** A knex of the host (MySQL, MariaDB, or `embeddedDatabase`), or the address of a database for a pool of our own. */
  readonly database:
    | { readonly knex: LentKnex }
    | { readonly url: string; readonly pool?: { readonly min?: number; readonly max?: number } }
  /** A MongoDB database of the host, or its address. Without it (and without `jobs.backend`) jobs wait in memory. */
  readonly mongo?: { readonly db: LentDb } | { readonly url: string }
  readonly jobs?: {
    /** Any AgendaBackend in the place of `mongo`; it is never closed by us. */
    readonly backend?: 'memory' | AgendaBackend
    /** False: this process only answers calls, others work. Default true. */
    readonly work?: boolean
    /** Milliseconds that `stop()` waits for running jobs. Default 30,000. */
    readonly drainForMs?: number
    /** Milliseconds after which the work of a process that died is taken over. Default 60,000. */
    readonly takeOverAfterMs?: number
    /** MongoDB collection of our own. Default itsm_jobs. */
    readonly collection?: string
  }
  readonly timeouts?: {
    /** Milliseconds that a call of the interface may take, after which it is answered with 504. Default 20,000. */
    readonly callMs?: number
    /** Milliseconds that the database may take for the answer to one statement. Default 15,000. */
    readonly statementMs?: number
    /**
     * Milliseconds that a hook may take: those of `people`, `authorize` and `scope`. Less than `callMs`. Default 10,000, and at most
     * half of `callMs`.
     */
    readonly hookMs?: number
  }
  /** What the names of our tables start with. Default itsm_. */
  readonly tablePrefix?: string
  /** Answers calls that did not come over HTTPS; for development. Default false. */
  readonly allowInsecure?: boolean
  /** Prefixes of our request headers; all are read. Default ['X-SVC-']. */
  readonly headerPrefixes?: readonly string[]
  readonly people?: {
    /** Who has these credentials; null for nobody. Default: our own people with their passwords and API tokens. */
    readonly byCredentials?: ByCredentials
    /** Who has this id at the host; for `as('…')`. */
    readonly byId?: (id: string) => Promise<PersonKey | null>
    /** Who is signed in at the host, by its own session; asked for requests without credentials. */
    readonly signedIn?: (ctx: Context) => Promise<HostPerson | null>
    /**
     * Says what the record of a person is to hold who is signed in for the first time; null refuses. Asked when `signedIn` or
     * `byCredentials` answers an e-mail address that nobody has, disabled people included.
     */
    readonly provision?: Provision
  }
  /** Record types of the host. */
  readonly records?: readonly Definition[]
  /** Additions to record types. */
  readonly extend?: readonly Extension[]
  /** Migrations of the host for its own record types; they run after ours. */
  readonly migrations?: readonly Migration[]
  /** Hooks by `<type>.save`: run in the transaction, after rules have filled in values and before they check, and may refuse. */
  readonly before?: { readonly [name: string]: readonly BeforeHook[] }
  /** Listeners by event name: called after commit, at least once. */
  readonly on?: { readonly [event: string]: readonly Listener[] }
  /** The last word on what a call may do; `decide()` gives our own answer. */
  readonly authorize?: Authorize
  /** The last word on which records a call sees. */
  readonly scope?: ScopeHook
  /** Sends a mail. Without it mails are logged and lost. */
  readonly sendMail?: SendMail
  readonly clock?: Clock
  readonly log?: Log
  readonly rateLimit?: RateLimitOptions & {
    /** `database` lets several processes agree. Default memory. */
    readonly store?: 'memory' | 'database'
  }
  readonly signIn?: {
    /** Wrong passwords, and as many wrong tokens, that one address may send in a quarter of an hour. Default 50. */
    readonly failuresPerAddress?: number
  }
  /** Attachments and pictures. */
  readonly files?: {
    /** Keeps the bytes elsewhere than in the database, which is the default; what is there already is handed over within a day. */
    readonly store?: FileStore
    /** Bytes of the largest file. Default 20,971,520, which is 20 MB. */
    readonly sizeLimit?: number
    /** Endings of file names that are taken, without the dot: ['pdf', 'png']. Default: all. */
    readonly allowedExtensions?: readonly string[]
    /** Milliseconds for which the URL of an attachment works at least; it works twice as long at most. Default 3,600,000. */
    readonly urlLifetimeMs?: number
  }
  readonly webhooks?: {
    /** Lets webhooks reach private and loopback addresses; for development. Default false. */
    readonly allowPrivateAddresses?: boolean
    /** Networks that webhooks may reach although they are not public: ['10.1.0.0/16', 'fd00::/8']. Default: none. */
    readonly allowNetworks?: readonly string[]
    /**
     * Sends deliveries in our place, for example through a proxy: `(url, init) => fetch(url, { ...init, dispatcher })`. It then
     * decides which addresses names lead to; addresses in figures are judged by us all the same.
     */
    readonly fetch?: DeliveryFetch
    /** Milliseconds that a receiver may take (spec: 10,000). */
    readonly timeoutMs?: number
    /** Default: koa-itsm/<version> (<address of the OpenAPI document>). */
    readonly userAgent?: string
  }
  /** Address of an account in the user interface, for webhooks. Default: https://<account>.<host of baseUrl>. */
  readonly accountAddress?: (accountId: string) => string
  /** Words for more languages, fields and values. */
  readonly words?: ExtraWords
}
