/** Creates the parts of the plugin and connects them; the only file that knows them all. */
import { randomBytes, randomUUID } from 'node:crypto'
import { createAccess } from './access/access.js'
import { createSignIn } from './access/sign-in/sign-in.js'
import { createAskHost } from './core/waiting/ask-host.js'
import { createMonitoring } from './event-submission/event-submission.js'
import { createEvents } from './events/events.js'
import { createFiles } from './files/files.js'
import { ENDPOINT_PATHS } from './http/endpoint-paths.js'
import { createHttp } from './http/http.js'
import { createImports } from './imports/imports.js'
import { defineJobs } from './jobs/define-jobs.js'
import { defineEventDispatch } from './jobs/dispatch-events.js'
import { createJobs } from './jobs/job-queue.js'
import { RUN_IMPORT } from './jobs/run-import.js'
import { createTimerWakes } from './jobs/run-timers.js'
import { createMailWakes } from './jobs/send-mails.js'
import { createMails } from './mails/mails.js'
import { createOperations } from './operations/index.js'
import { checkNames } from './options/check-names.js'
import type { PluginOptions } from './options.js'
import type { Plugin } from './plugin.js'
import { records } from './records/records.js'
import { compile, compileChecked } from './schema/compile/compile.js'
import { permissionsOf } from './schema/derive/permission-table.js'
import { readOptions } from './settings.js'
import { openStorage } from './storage/database/connections.js'
import { databaseFault } from './storage/database/faults.js'
import { createLeases } from './storage/queues/leases.js'
import { sharedLimitStore } from './storage/queues/limit-store.js'
import { createTables } from './storage/tables/tables.js'
import { createDeliveries } from './webhooks/webhooks.js'
import { SHARED_LISTS } from './words/shared-lists.js'

/**
 * Creates a plugin, without any I/O.
 *
 * @throws InvalidOptions, InvalidDefinition with all mistakes at once
 */
export function createPlugin(options: PluginOptions): Plugin {
  const settings = readOptions(options)
  const { accountAddress, baseUrl, clock, log, secret, sendMail, takeOverAfterMs, words } = settings
  const { records: more, extend } = settings.catalog
  const isOurs = more.length === 0 && extend.length === 0
  // A spec checks our own definitions, so that a start need not; what a host adds can make mistakes in both.
  const catalog = isOurs
    ? compileChecked(records, [], SHARED_LISTS)
    : compile([...records, ...more], extend, SHARED_LISTS, ENDPOINT_PATHS)
  checkNames(settings, catalog, options.words)

  const ask = createAskHost(settings.hookMs)
  const { database, tablePrefix, statementMs, migrations } = settings.storage
  const storage = openStorage(database, tablePrefix, statementMs)
  const leases = createLeases({ storage, clock, log, randomId: randomUUID })
  const shared = {
    ...{ accountAddress, ask, baseUrl, catalog, clock, leases, log, randomBytes, randomId: randomUUID },
    ...{ secret, sendMail, storage, takeOverAfterMs, words },
  }
  const tables = createTables({ ...shared, migrations })
  const jobs = createJobs({ log, ...settings.jobs })
  const timerWakes = createTimerWakes({ jobs, clock })
  const access = createAccess({ ...shared, ...tables, ...settings.access, expectTimer: timerWakes.expect })
  const files = createFiles({ ...shared, access, ...settings.files })

  const deliveries = createDeliveries({ ...shared, ...access, ...settings.webhooks })
  const events = createEvents({ ...shared, planDeliveries: deliveries.plan, ...settings.events })
  const eventDispatch = defineEventDispatch({ jobs, log, deliveries, ...events })
  const mails = createMails({ ...shared, ...access })
  const mailWakes = createMailWakes({ jobs })
  const { operations, once, permissions, personalTokens, oauthClients, credentialChanges, createPerson, hostApi, validators } =
    createOperations({
      ...{
        ...shared,
        ...tables,
        access,
        files,
        eventDispatch,
        timerWakes,
        mailWakes,
        afterWrite: new Map([...deliveries.afterWrite, ...access.tokens.afterWrite]),
      },
      submitEvent: (...event) => monitoring.submit(...event),
      ...settings.operations,
    })
  const monitoring = createMonitoring({ ...shared, ...tables, access, operations, validators })
  const wake = (id: number) => void jobs.wake(RUN_IMPORT, { id })
  const imports = createImports({ ...shared, ...tables, access, operations, wake })
  defineJobs({
    ...shared,
    ...tables,
    ...access,
    operations,
    jobs,
    eventDispatch,
    timerWakes,
    mails,
    mailWakes,
    imports,
    deliveries,
    files,
  })

  const signIn = createSignIn({ ...shared, access, createPerson, ...settings.signIn })
  const openSharedLimits = sharedLimitStore(storage)
  const { prepare, ...http } = createHttp({
    ...{ ...shared, access, signIn, operations, once, permissions, personalTokens, oauthClients },
    ...{ credentialChanges, files, imports, monitoring, deliveries },
    ...{ ...settings.http, databaseFault, openSharedLimits },
  })
  let stopping: Promise<void> | undefined
  const close = async () => {
    await jobs.stop()
    await deliveries.close()
    await Promise.all([access.tokens.finished(), access.clients.finished()])
    await storage.close()
  }
  return {
    ...{ ...http, ...hostApi, catalog },
    permissions: () => permissionsOf(catalog),
    ...{ models: tables.models, migrate: tables.migrate },
    forget: () => storage.changes.tell(null),
    async start() {
      if (!stopping) await tables.checkReady()
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
