/** Creates the parts of the plugin and connects them; the only file that knows them all. Their map is `docs/architecture.md`. */
import { randomBytes, randomUUID } from 'node:crypto'
import { createAccess } from './access/access.js'
import { createSignIn } from './access/sign-in/sign-in.js'
import { createConsole } from './console/console.js'
import { createAskHost } from './core/waiting/ask-host.js'
import { createTraffic } from './core/waiting/traffic.js'
import { createDeliveries } from './deliveries/deliveries.js'
import { createEventSubmission } from './event-submission/event-submission.js'
import { createEvents, createListenerChannel } from './events/events.js'
import { createExports } from './exports/exports.js'
import { createFeed } from './feed/feed.js'
import { createFiles } from './files/files.js'
import { createHealth } from './health/health.js'
import { createHttp, ENDPOINT_PATHS } from './http/http.js'
import { createImports } from './imports/imports.js'
import { createJobs, type JobQueue, readLateness } from './jobs/jobs.js'
import { createMailChannel } from './mails/mails.js'
import { createOperations } from './operations/operations.js'
import { checkNames, type PluginOptions, readOptions, type TypedOptions } from './options/options.js'
import type { Plugin } from './plugin.js'
import { type BuiltInRecords, records } from './records/records.js'
import { createCatalog, type Definition, type Extension, permissionsOf, type TypesOf } from './schema/schema.js'
import { createStorage } from './storage/storage.js'
import { createWebhooks } from './webhooks/webhooks.js'

/**
 * Creates a plugin, without any I/O. The compiler knows its record types, with those in `records` and the additions in `extend`: in
 * bodies, results, lists, hooks and listeners. As plain `Plugin`, it takes any names.
 *
 * ```ts
 * import { createPlugin } from 'koa-itsm'
 *
 * export const itsm = createPlugin({
 *   baseUrl: 'https://desk.example/v1',
 *   secret: process.env['ITSM_SECRET'] ?? '',
 *   database: { url: process.env['MYSQL_URL'] ?? 'sqlite::memory:' },
 * })
 * ```
 *
 * @throws InvalidOptions, InvalidDefinition with all mistakes at once
 */
export function createPlugin<
  const R extends readonly Definition[] = readonly [],
  const X extends readonly Extension[] = readonly [],
>(options: TypedOptions<BuiltInRecords, R, X>): Plugin<TypesOf<BuiltInRecords, R, X>> {
  return assemblePlugin(options as PluginOptions) as Plugin<TypesOf<BuiltInRecords, R, X>>
}

/** Creates a plugin whose jobs may run in another way; for `testing/`. @param queue default: Agenda */
export function assemblePlugin(options: PluginOptions, queue?: JobQueue): Plugin {
  const settings = readOptions(options)
  const { accountAddress, baseUrl, clock, log, observer, secret, sendMail, takeOverAfterMs, words } = settings
  const randomId = randomUUID
  const traffic = createTraffic()
  const catalog = createCatalog(records, settings.catalog, ENDPOINT_PATHS)
  checkNames(settings, catalog, options.words)

  const { models, migrate, check, checkReady, pendingMigrations, ...stored } = createStorage({
    catalog,
    clock,
    log,
    observer,
    randomId,
    ...settings.storage,
  })
  const ask = createAskHost(settings.hookMs)
  const shared = {
    accountAddress,
    ask,
    baseUrl,
    catalog,
    clock,
    log,
    observer,
    randomBytes,
    randomId,
    secret,
    sendMail,
    takeOverAfterMs,
    traffic,
    words,
    ...stored,
  }
  const { wakes, wakeExport, wakeImport, ...jobs } = createJobs({ clock, log, observer, queue, ...settings.jobs })
  const access = createAccess({ ...shared, ...settings.access, expectTimer: wakes.timerWakes.expect })
  const files = createFiles({ ...shared, access, ...settings.files })

  const wakeDispatch = (names: readonly string[]) => eventDispatch.wakeDispatch(names)
  const wakeMails = () => eventDispatch.wakeMails()
  const { channels: hostChannels, keepDays, on } = settings.events
  const keepsSent = keepDays > 0
  const webhooks = createWebhooks({
    ...shared,
    ...access,
    keepsSent,
    find: (...asked) => operations.find(...asked),
    wakeDispatch,
    wakeMails,
    ...settings.webhooks,
  })
  const mails = createMailChannel({ ...shared, ...access })
  // Those first that know without a query whether they want an event.
  const channels = [createListenerChannel({ log, on }), mails, webhooks.channel]
  const wakeDeliveries = (channel: string) => eventDispatch.wakeDeliveries(channel)
  const host = { ...shared, channels: hostChannels }
  const deliveries = createDeliveries({ ...shared, channels, host, keepDays, wakeDeliveries })
  const eventDispatch = jobs.defineEventDispatch({ ...createEvents({ ...shared, plan: deliveries.plan }), deliveries })
  const { operations, feedReading, fileReading, hostApi, localApi, validators, createPerson, ...ofPeople } = createOperations({
    ...shared,
    ...wakes,
    access,
    eventDispatch,
    files,
    afterWrite: new Map([...webhooks.afterWrite, ...access.afterWrite]),
    submitEvent: (...event) => eventSubmission.submit(...event),
    exportRows: (...asked) => exports.rows(...asked),
    ...settings.operations,
  })
  const eventSubmission = createEventSubmission({ ...shared, access, operations, validators })
  const imports = createImports({
    ...shared,
    ...ofPeople,
    access,
    operations,
    wake: wakeImport,
    wakeDispatch,
    wakeMails,
    ...settings.imports,
  })
  const exports = createExports({ ...shared, ...ofPeople, access, fileReading, operations, wake: wakeExport })
  const feed = createFeed({ ...shared, feedReading })
  jobs.define({ ...shared, ...access, deliveries, eventDispatch, exports, files, imports, operations })

  const signIn = createSignIn({ ...shared, access, createPerson, ...settings.signIn })
  let isStarted = false
  let stopping: Promise<void> | undefined
  const health = createHealth({
    ...shared,
    isRunning: () => isStarted && !stopping,
    pendingMigrations,
    readLateness: () => readLateness(shared),
    files,
    imports,
    jobs,
  })
  const { prepare, ...http } = createHttp({
    ...shared,
    ...ofPeople,
    access,
    health,
    jobs,
    localApi,
    webhooks,
    deliveryLog: deliveries.log,
    files,
    exports,
    feed,
    imports,
    eventSubmission,
    operations,
    signIn,
    pages: settings.console && createConsole({ ...shared, ...settings.http, ...settings.console }),
    ...settings.http,
  })
  const close = async () => {
    feed.close()
    await jobs.stop()
    await webhooks.close()
    await Promise.all([access.tokens.finished(), access.clients.finished(), access.sessions.finished()])
    await stored.storage.close()
  }
  return {
    ...http,
    ...hostApi,
    deliveries: deliveries.forHost({ ...access.callers, words, replays: webhooks.channel.name }),
    catalog,
    permissions: () => permissionsOf(catalog),
    models,
    migrate,
    check,
    health: health.look,
    forget: () => stored.storage.changes.tell(null),
    async start() {
      if (!stopping) await checkReady()
      // The host may stop the plugin while the tables are checked.
      if (stopping) throw new Error(STOPPED)
      await jobs.start()
      isStarted = true
      prepare()
    },
    stop() {
      stopping ??= close()
      return stopping
    },
  }
}

const STOPPED = 'The plugin has been stopped and cannot be started again: call createPlugin() for another one'
