/** The room of the options: their table, its checks and defaults. `readOptions` makes of them what the other rooms get. */
import { createObserver } from '../core/observe.js'
import { createReachable } from '../core/public-address.js'
import type { JobBackend } from '../jobs/agenda-store.js'
import { accountAddresses } from '../webhooks/account-addresses.js'
import { createWords } from '../words/words.js'
import { hookOf, typesOf } from './by-type.js'
import { checkOptions } from './check-options.js'
import { fillOptions } from './fill-options.js'
import type { PluginOptions } from './table.js'

export { checkNames } from './check-names.js'
export type { PluginOptions } from './table.js'
export type { TypedOptions } from './typed-options.js'

/** Settings that several rooms share, then a group per room. Times are in milliseconds. */
export type Settings = ReturnType<typeof readOptions>

/**
 * Checks the options and fills in the defaults. Does no I/O.
 *
 * @throws InvalidOptions with all mistakes that show without the definitions
 */
export function readOptions(options: PluginOptions) {
  checkOptions(options)
  const { baseUrl, secret, clock, log, sendMail, database, mongo, people, webhooks, ...more } = fillOptions(options)
  const { store: countIn, ...rateLimit } = more.rateLimit
  const { takeOverAfterMs, ...jobs } = more.jobs
  const { callMs, hookMs, statementMs } = more.timeouts
  const { byId, ...signInHooks } = people
  const { healthPaths, logRequests } = more
  // People sign in at the console, unless the host has signed them in.
  const sessions = more.sessions ?? (more.console !== undefined && !people.signedIn)
  const backend: JobBackend = jobs.backend ?? mongo ?? 'memory'
  return {
    baseUrl,
    secret,
    clock,
    log,
    sendMail,
    observer: createObserver(more.observe, log),
    hookMs,
    takeOverAfterMs,
    words: createWords(more.words),
    /** URL of an account in the user interface, without a slash at its end. */
    accountAddress: accountAddresses(baseUrl, log, more.accountAddress),
    catalog: { records: more.records, extend: more.extend },
    storage: { database, tablePrefix: more.tablePrefix, statementMs, migrations: more.migrations },
    access: { authorize: hookOf(more.authorize), scope: hookOf(more.scope) },
    /** Record types that hooks are given for. */
    hooked: { authorize: typesOf(more.authorize), scope: typesOf(more.scope) },
    /** Settings of the console; undefined without it. */
    console: more.console && {
      ...more.console,
      signIn: { password: sessions, host: signInHooks.signedIn !== undefined },
      oauth: more.oauth !== undefined,
    },
    signIn: { ...signInHooks, ...more.signIn, oauth: more.oauth, sessions },
    operations: {
      /** The host's hooks by `<type>.save`. */
      before: new Map(Object.entries(more.before)),
      /** The host's hooks before the commit, by `<type>.save` and `<type>.remove`. */
      inTransaction: new Map(Object.entries(more.inTransaction)),
      byId,
      /** True for network addresses that the plugin may send requests to. */
      mayReach: webhooks.allowPrivateAddresses ? () => true : createReachable(webhooks.allowNetworks),
      warnAtPercent: more.targets.warnAtPercent,
    },
    events: { ...more.events, on: more.on, channels: more.channels },
    files: { ...more.files, allowedExtensions: more.files.allowedExtensions.map((extension) => extension.toLowerCase()) },
    webhooks,
    imports: more.imports,
    jobs: { ...jobs, backend },
    http: {
      allowInsecure: more.allowInsecure,
      headerPrefixes: more.headerPrefixes,
      callMs,
      docs: more.docs,
      rateLimit,
      countIn,
      healthPaths,
      logRequests,
      hostEndpoints: more.endpoints,
    },
  }
}
