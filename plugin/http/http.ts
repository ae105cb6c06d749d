import type Koa from 'koa'
import type { Middleware } from 'koa'
import type { Access } from '../access/access.js'
import type { SignIn } from '../access/sign-in/sign-in.js'
import type { Clock } from '../core/clock.js'
import type { Traffic } from '../core/waiting/traffic.js'
import type { DeliveryLog } from '../deliveries/log/delivery-log.js'
import type { EventSubmission } from '../event-submission/event-submission.js'
import type { Exports } from '../exports/exports.js'
import type { Feed } from '../feed/feed.js'
import type { Files } from '../files/files.js'
import type { Health } from '../health/health.js'
import type { Imports } from '../imports/imports.js'
import type { CredentialChanges } from '../operations/people/credential-changes.js'
import type { OAuthClients } from '../operations/people/oauth-clients.js'
import type { Webhooks } from '../webhooks/webhooks.js'
import { createApp, createMiddleware } from './app.js'
import type { Context } from './contract.js'
import type { HttpDeps } from './deps.js'
import { account } from './endpoints/account.js'
import { deliveries } from './endpoints/account-deliveries.js'
import { attachments } from './endpoints/attachments.js'
import { docs } from './endpoints/docs.js'
import { duration } from './endpoints/duration.js'
import { events } from './endpoints/events.js'
import { exports as exportEndpoints } from './endpoints/export.js'
import { feed } from './endpoints/follow-feed.js'
import { healthPaths } from './endpoints/health-paths.js'
import { type HostEndpointsDeps, hostEndpoints } from './endpoints/host-endpoints.js'
import { imports as importEndpoints } from './endpoints/import.js'
import { importEntries } from './endpoints/import-entries.js'
import { oauthClients } from './endpoints/oauth-clients.js'
import { oauthToken } from './endpoints/oauth-token.js'
import { satisfaction } from './endpoints/satisfaction.js'
import { session } from './endpoints/session.js'
import { type SystemDeps, system } from './endpoints/system.js'
import { telephone } from './endpoints/telephone.js'
import { webhookDeliveries } from './endpoints/webhook-deliveries.js'
import { webhookSecret } from './endpoints/webhook-secret.js'
import { webhookTest } from './endpoints/webhook-test.js'
import { createRateLimits, type OpenLimitStore, type RateLimitSettings } from './rate-limits.js'
import { type FindSignedIn, findSignedIn, type SignedInDeps } from './signed-in.js'

export { ENDPOINT_PATHS } from './endpoint-paths.js'
export { mistakesInEndpoints } from './endpoints/host-endpoints.js'

/** Passed on from other folders unchanged. */
type Shared =
  | 'observer'
  | 'catalog'
  | 'operations'
  | 'once'
  | 'allowances'
  | 'counting'
  | 'permissions'
  | 'personalTokens'
  | 'words'
  | 'log'
  | 'databaseFault'
type Options = 'logRequests' | 'baseUrl' | 'allowInsecure' | 'headerPrefixes' | 'callMs'

/** Dependencies of the API. */
export interface CreateHttpDeps extends Pick<HttpDeps, Shared | Options> {
  readonly clock: Clock
  readonly access: Pick<Access, 'accounts' | 'callers' | 'credentials' | 'people'>
  readonly credentialChanges: Pick<CredentialChanges, 'resetApiToken'>
  readonly signIn: SignIn<Context>
  readonly files: Files
  readonly exports: Exports
  readonly feed: Feed
  readonly imports: Imports
  readonly eventSubmission: EventSubmission
  readonly oauthClients: OAuthClients
  readonly traffic: Traffic
  readonly webhooks: Webhooks
  readonly deliveryLog: DeliveryLog
  readonly health: Health
  readonly jobs: SystemDeps['jobs']
  /** True if health is a path of the API. */
  readonly healthPaths: boolean
  readonly accountAddress: (accountId: string) => string
  /** True to serve the documents of the package. */
  readonly docs: boolean
  readonly rateLimit: RateLimitSettings
  readonly localApi: SignedInDeps['localApi']
  /** Answers paths beside the API, such as the console. */
  readonly pages: Middleware | undefined
  /** Endpoints of the host. */
  readonly hostEndpoints: HostEndpointsDeps['hostEndpoints']
  /** Store of the counters of calls. */
  readonly countIn: 'memory' | 'database'
  /** Counters that several processes share; undefined if one process is enough, which counts in memory. */
  readonly openSharedLimits: OpenLimitStore | undefined
}

/** The API in both of its forms. */
export interface Http {
  /** The API as an application, to be mounted: `host.use(mount('/api', itsm.app))`. */
  readonly app: Koa
  /** The API as a middleware: `host.use(itsm.middleware)`. Paths outside of /v1 continue to the host. */
  readonly middleware: Middleware
  /**
   * Who calls a route of your own, by the sign-in of the plugin: passwords, tokens, and your hooks. Null if nobody is signed in.
   *
   * @throws Unauthenticated for wrong credentials, TooManyRequests after too many of them
   */
  readonly signedIn: FindSignedIn
  /** Prepares in the background what the first calls would have to wait for. */
  prepare(): void
}

/** Creates the API, with the endpoints that belong to no record type. */
export function createHttp(given: CreateHttpDeps): Http {
  const { access, signIn, clock, operations, files, imports, eventSubmission, webhooks } = given
  const { accountAddress, baseUrl, headerPrefixes } = given
  const { accounts, callers, credentials, people } = access
  const preparations: (() => Promise<unknown>)[] = []
  const deps: HttpDeps = {
    ...given,
    ...signIn,
    callers,
    apiTokens: { show: credentials.show, resetApiToken: given.credentialChanges.resetApiToken },
    rateLimits: createRateLimits(given.rateLimit, clock, given.countIn === 'database' ? given.openSharedLimits : undefined),
    uploadForm: files.form,
    afterStart: (work) => void preparations.push(work),
    endpoints: [
      ...attachments({ files, baseUrl, headerPrefixes }),
      ...importEndpoints({ imports, headerPrefixes }),
      ...importEntries({ imports, baseUrl }),
      ...exportEndpoints({ exports: given.exports }),
      ...feed({ ...given, ...signIn, callers }),
      ...deliveries(given),
      ...webhookDeliveries(given),
      ...webhookTest({ operations, webhooks }),
      ...webhookSecret({ operations, log: given.log }),
      ...duration({ operations }),
      ...satisfaction({ operations }),
      ...events({ eventSubmission }),
      ...telephone({ operations, baseUrl }),
      ...account({ operations, accounts, people, accountAddress }),
      ...system(given),
      ...hostEndpoints({ ...given, callers }),
      ...(given.healthPaths ? healthPaths(given) : []),
      ...(given.docs ? docs(given) : []),
      ...(signIn.oauth ? [oauthToken({ oauth: signIn.oauth }), ...oauthClients(given)] : []),
      ...(signIn.sessions ? session({ baseUrl, headerPrefixes, sessions: signIn.sessions }) : []),
    ],
  }
  const middleware = beside(given.pages, createMiddleware(deps))
  return {
    app: createApp(deps, middleware),
    middleware,
    signedIn: findSignedIn({ ...given, ...signIn, callers }),
    prepare() {
      // What fails here fails again for the call that needs it, which says so.
      for (const prepare of preparations) prepare().catch(() => undefined)
    },
  }
}

/** The API, and pages beside it. */
function beside(pages: Middleware | undefined, api: Middleware): Middleware {
  return pages ? (ctx, next) => pages(ctx, async () => void (await api(ctx, next))) : api
}
