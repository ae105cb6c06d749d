/** Options of `createPlugin` and their defaults. `check-options.ts` checks them. */
import type { AgendaBackend } from 'agenda'
import type { Migration } from '../migrations/tools.js'
import type { PersonKey } from './access/people/people.js'
import type { ScopeHook } from './access/sight/ask-scope.js'
import type { Authorize } from './access/sight/decide.js'
import type { HostPerson, Provision } from './access/sign-in/recognize-person.js'
import type { ByCredentials } from './access/sign-in/sign-in-sources.js'
import type { Clock } from './core/clock.js'
import type { Log } from './core/log.js'
import type { Listener } from './events/listeners.js'
import type { FileStore } from './files/store.js'
import type { RateLimitOptions } from './http/rate-limits.js'
import type { Context } from './http/state.js'
import type { LentDb } from './jobs/agenda-store.js'
import type { BeforeHook } from './operations/deps.js'
import type { Definition } from './schema/language/define-record.js'
import type { Extension } from './schema/language/extend-record.js'
import type { LentKnex } from './storage/lent-knex.js'
import type { DeliveryFetch } from './webhooks/safe-request.js'
import type { SendMail } from './words/mails/mail.js'
import type { ExtraWords } from './words/words.js'

export interface PluginOptions {
  /** Base URL of the API for clients; ends with `/v1`. Jobs build links as well, and have no request to read it from. */
  readonly baseUrl: string
  /** At least 32 characters, the same in all processes and for the life of the database: signs URLs, protects API tokens. */
  readonly secret: string
  /** A knex of the host (MySQL, MariaDB, or `embeddedDatabase`), or the URL of a database for a pool of the plugin. */
  readonly database:
    | { readonly knex: LentKnex }
    | { readonly url: string; readonly pool?: { readonly min?: number; readonly max?: number } }
  /** A MongoDB database of the host, or its URL. Without it (and without `jobs.backend`) jobs are stored in memory. */
  readonly mongo?: { readonly db: LentDb } | { readonly url: string }
  readonly jobs?: {
    /** Any AgendaBackend in place of `mongo`; the plugin never closes it. */
    readonly backend?: 'memory' | AgendaBackend
    /** False: this process only serves requests, others run the jobs. Default true. */
    readonly work?: boolean
    /** Milliseconds that `stop()` waits for running jobs. Default 30,000. */
    readonly drainForMs?: number
    /** Milliseconds after which the work of a process that died is taken over; at least 1000. Default 60,000. */
    readonly takeOverAfterMs?: number
    /** MongoDB collection for the plugin alone. Default itsm_jobs. */
    readonly collection?: string
  }
  readonly timeouts?: {
    /** Milliseconds that a request may take; then the response is 504. Default 20,000. */
    readonly callMs?: number
    /** Milliseconds that the database may take for one statement. Default 15,000. */
    readonly statementMs?: number
    /**
     * Milliseconds that a hook may take: those of `people`, `authorize` and `scope`. Less than `callMs`. Default 10,000, and at
     * most half of `callMs`.
     */
    readonly hookMs?: number
  }
  /** Prefix of the names of our tables. Default itsm_. */
  readonly tablePrefix?: string
  /** Accepts requests without HTTPS; for development. Default false. */
  readonly allowInsecure?: boolean
  /** Prefixes of our request headers; all are accepted. Default ['X-SVC-']. */
  readonly headerPrefixes?: readonly string[]
  readonly people?: {
    /** Finds the person with these credentials; null for none. Default: the plugin's own people, passwords and API tokens. */
    readonly byCredentials?: ByCredentials
    /** Finds the person with this id of the host; for `as('…')`. */
    readonly byId?: (id: string) => Promise<PersonKey | null>
    /** Finds the person who is signed in at the host, by its own session; called for requests without credentials. */
    readonly signedIn?: (ctx: Context) => Promise<HostPerson | null>
    /**
     * Returns the fields for the record of a person who signs in for the first time; null refuses. Called if `signedIn` or
     * `byCredentials` returns an e-mail address that no person has, disabled people included.
     */
    readonly provision?: Provision
  }
  /** Record types of the host. */
  readonly records?: readonly Definition[]
  /** Additions to record types. */
  readonly extend?: readonly Extension[]
  /** Migrations of the host for its own record types; they run after ours. */
  readonly migrations?: readonly Migration[]
  /** Hooks by `<type>.save`: run in the transaction, after rules have set values and before they check, and may refuse. */
  readonly before?: { readonly [name: string]: readonly BeforeHook[] }
  /** Listeners by event name: called after commit, at least once. */
  readonly on?: { readonly [event: string]: readonly Listener[] }
  /** Decides what a call may do; `decide()` returns the plugin's own decision. */
  readonly authorize?: Authorize
  /** Decides which records a call can see. */
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
    /** Wrong passwords, and as many wrong tokens, that one IP address may send per quarter of an hour. Default 50. */
    readonly failuresPerAddress?: number
  }
  /**
   * Lets programs get access tokens by OAuth 2 client credentials, at `POST /oauth/token`; `{}` for the defaults. Default: off, and
   * access tokens from before are refused.
   */
  readonly oauth?: {
    /** Milliseconds for which an access token works, from 60,000 to 86,400,000. Default 3,600,000, which is an hour. */
    readonly tokenLifetimeMs?: number
  }
  /** Attachments and pictures. */
  readonly files?: {
    /** Stores the bytes outside of the database, which is the default. Existing bytes are moved to the store within a day. */
    readonly store?: FileStore
    /** Maximum bytes of a file. Default 20,971,520, which is 20 MB. */
    readonly sizeLimit?: number
    /** Accepted file extensions, without the dot: ['pdf', 'png']. Default: all. */
    readonly allowedExtensions?: readonly string[]
    /** Minimum milliseconds for which the URL of an attachment works; the maximum is twice as long. Default 3,600,000. */
    readonly urlLifetimeMs?: number
  }
  readonly webhooks?: {
    /** Lets webhooks reach private and loopback addresses; for development. Default false. */
    readonly allowPrivateAddresses?: boolean
    /** Networks that webhooks may reach although they are not public: ['10.1.0.0/16', 'fd00::/8']. Default: none. */
    readonly allowNetworks?: readonly string[]
    /**
     * Sends deliveries in place of the plugin, for example through a proxy:
     * `(url, init) => fetch(url, { ...init, dispatcher })`. It then resolves host names itself; IP addresses in URLs are still
     * checked by the plugin.
     */
    readonly fetch?: DeliveryFetch
    /** Milliseconds that a receiver may take (spec: 10,000). */
    readonly timeoutMs?: number
    /** Default: koa-itsm/<version> (<URL of the OpenAPI document>). */
    readonly userAgent?: string
  }
  /** URL of an account in the user interface, for webhooks. Default: https://<account>.<host of baseUrl>. */
  readonly accountAddress?: (accountId: string) => string
  /** Labels and messages for more languages, fields and values. */
  readonly words?: ExtraWords
}
