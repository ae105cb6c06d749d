/** Creates the parts of the plugin and connects them; the only file that knows them all. Their map is `docs/architecture.md`. */
import { randomBytes, randomUUID } from 'node:crypto'
import { createAccess } from './access/access.js'
import { createSignIn } from './access/sign-in/sign-in.js'
import { createAskHost } from './core/waiting/ask-host.js'
import { createEventSubmission } from './event-submission/event-submission.js'
import { createEvents } from './events/events.js'
import { createExports } from './exports/exports.js'
import { createFeed } from './feed/feed.js'
import { createFiles } from './files/files.js'
import { createHttp, ENDPOINT_PATHS } from './http/http.js'
import { createImports } from './imports/imports.js'
import { createJobs } from './jobs/jobs.js'
import { createMails } from './mails/mails.js'
import { createOperations } from './operations/operations.js'
import { checkNames, type PluginOptions, readOptions } from './options/options.js'
import type { Plugin } from './plugin.js'
import { records } from './records/records.js'
import { createCatalog, permissionsOf } from './schema/schema.js'
import { createStorage } from './storage/storage.js'
import { createDeliveries } from './webhooks/webhooks.js'

/**
 * Creates a plugin, without any I/O.
 *
 * @throws InvalidOptions, InvalidDefinition with all mistakes at once
 */
export function createPlugin(options: PluginOptions): Plugin {
  const settings = readOptions(options)
  const { accountAddress, baseUrl, clock, log, secret, sendMail, takeOverAfterMs, words } = settings
  const randomId = randomUUID
  const catalog = createCatalog(records, settings.catalog, ENDPOINT_PATHS)
  checkNames(settings, catalog, options.words)

  const { models, migrate, check, checkReady, ...stored } = createStorage({
    catalog,
    clock,
    log,
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
    randomBytes,
    randomId,
    secret,
    sendMail,
    takeOverAfterMs,
    words,
    ...stored,
  }
  const { wakes, wakeExport, wakeImport, ...jobs } = createJobs({ clock, log, ...settings.jobs })
  const access = createAccess({ ...shared, ...settings.access, expectTimer: wakes.timerWakes.expect })
  const files = createFiles({ ...shared, access, ...settings.files })

  const wakeDispatch = (names: readonly string[]) => eventDispatch.wakeDispatch(names)
  const deliveries = createDeliveries({ ...shared, ...access, wakeDispatch, ...settings.webhooks })
  const events = createEvents({ ...shared, planDeliveries: deliveries.plan, ...settings.events })
  const eventDispatch = jobs.defineEventDispatch({ ...events, deliveries })
  const mails = createMails({ ...shared, ...access })
  const { operations, feedReading, fileReading, hostApi, validators, createPerson, ...ofPeople } = createOperations({
    ...shared,
    ...wakes,
    access,
    eventDispatch,
    files,
    afterWrite: new Map([...deliveries.afterWrite, ...access.tokens.afterWrite]),
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
    ...settings.imports,
  })
  const exports = createExports({ ...shared, ...ofPeople, access, fileReading, operations, wake: wakeExport })
  const feed = createFeed({ ...shared, feedReading })
  jobs.define({ ...shared, ...access, deliveries, eventDispatch, exports, files, imports, mails, operations })

  const signIn = createSignIn({ ...shared, access, createPerson, ...settings.signIn })
  const { prepare, ...http } = createHttp({
    ...shared,
    ...ofPeople,
    access,
    deliveries,
    files,
    exports,
    feed,
    imports,
    eventSubmission,
    operations,
    signIn,
    ...settings.http,
  })
  let stopping: Promise<void> | undefined
  const close = async () => {
    feed.close()
    await jobs.stop()
    await deliveries.close()
    await Promise.all([access.tokens.finished(), access.clients.finished()])
    await stored.storage.close()
  }
  return {
    ...http,
    ...hostApi,
    catalog,
    permissions: () => permissionsOf(catalog),
    models,
    migrate,
    check,
    forget: () => stored.storage.changes.tell(null),
    async start() {
      if (!stopping) await checkReady()
      // The host may stop the plugin while the tables are checked.
      if (stopping) throw new Error(STOPPED)
      await jobs.start()
      prepare()
    },
    stop() {
      stopping ??= close()
      return stopping
    },
  }
}

const STOPPED = 'The plugin has been stopped and cannot be started again: call createPlugin() for another one'
