/** Puts the rooms together on one page; the only file that knows them all. */
import { randomUUID } from 'node:crypto'
import { createAccess } from './access/access.js'
import type { Accounts } from './access/accounts.js'
import { createSignIn } from './access/sign-in.js'
import { checkHookNames } from './check-hooks.js'
import { createAskHost } from './core/ask-host.js'
import { SHARED_LISTS } from './core/words/shared-lists.js'
import { createEvents } from './events/events.js'
import { createFiles } from './files/files.js'
import { ENDPOINT_PATHS } from './http/endpoint-paths.js'
import { createHttp, type Http } from './http/http.js'
import { createImports } from './imports/imports.js'
import { createJobs } from './jobs/agenda.js'
import { defineJobs } from './jobs/define-jobs.js'
import { defineHandOn } from './jobs/hand-on.js'
import { RUN_IMPORT } from './jobs/run-import.js'
import { createTimerWakes } from './jobs/run-timers.js'
import type { HostApi } from './operations/host-api.js'
import { createOperations } from './operations/index.js'
import type { PluginOptions } from './options.js'
import { records } from './records/index.js'
import { type Catalog, compile } from './schema/compile/compile.js'
import { readOptions } from './settings.js'
import { openStorage } from './storage/connections.js'
import { databaseFault } from './storage/faults.js'
import { createLeases } from './storage/leases.js'
import { sharedLimitStore } from './storage/limit-store.js'
import type { Models } from './storage/models.js'
import { createTables } from './storage/tables.js'
import { createDeliveries } from './webhooks/deliveries.js'

/** What a host gets. `app` is to be mounted: `host.use(mount('/api', itsm.app))`; `middleware` is the same for /v1. */
export interface Plugin extends Http, HostApi {
  /** Every record type, compiled. */
  readonly catalog: Catalog
  /** Objection models of the record tables, bound to this plugin's database; for reading. Writes belong to `as`. */
  readonly models: Models
  /** Accounts and their trust relations; who calls this maintains the installation. */
  readonly accounts: Pick<Accounts, 'put' | 'trust' | 'find'>
  /** Brings the tables up to date; never runs on its own. Returns the names of the migrations that ran. */
  migrate(): Promise<readonly string[]>
  /** Forgets what this process remembers of rows for some seconds: for hosts that restore the tables from a copy. */
  forget(): void
  /** Checks connections and tables, then starts the jobs. @throws InvalidSetup with all differences and a migration draft */
  start(): Promise<void>
  /** Stops taking work, drains, closes only what is ours. May be called twice. */
  stop(): Promise<void>
}

/**
 * Makes a plugin, without any I/O.
 *
 * @throws InvalidOptions, InvalidDefinition with all mistakes at once
 */
export function createPlugin(options: PluginOptions): Plugin {
  const settings = readOptions(options)
  const { accountAddress, baseUrl, clock, log, secret, sendMail, takeOverAfterMs, words } = settings
  const definitions = [...records, ...settings.catalog.records]
  const catalog = compile(definitions, settings.catalog.extend, SHARED_LISTS, ENDPOINT_PATHS)
  checkHookNames(settings, catalog)

  const ask = createAskHost(settings.hookMs)
  const { database, tablePrefix, statementMs, migrations } = settings.storage
  const storage = openStorage(database, tablePrefix, statementMs)
  const tables = createTables({ storage, catalog, migrations })
  const { queries, writer } = tables
  const shared = { storage, catalog, clock, log, words, randomId: randomUUID }
  const access = createAccess({ ...shared, queries, ask, secret, ...settings.access })

  const leases = createLeases(shared)
  const jobs = createJobs({ log, ...settings.jobs })
  const deliveries = createDeliveries({
    ...{ ...shared, leases, sendMail, baseUrl, accountAddress, lastsMs: takeOverAfterMs },
    ...{ visibleIn: access.visibleIn, readersOf: access.readersOf },
    ...settings.webhooks,
  })
  const events = createEvents({
    ...shared,
    leases,
    lastsMs: takeOverAfterMs,
    planDeliveries: deliveries.plan,
    ...settings.events,
  })
  const timerWakes = createTimerWakes({ jobs, clock })
  const handOn = defineHandOn({ jobs, log, deliveries, ...events })
  const files = createFiles({ ...shared, access, baseUrl, secret, ...settings.files })
  const { operations, permissions, createPerson, hostApi } = createOperations({
    ...{ ...shared, queries, writer, access, files, ask, handOn, timerWakes, afterwards: deliveries.afterwards },
    ...settings.operations,
  })
  const imports = createImports({
    ...{ ...shared, leases, queries, access, operations, sendMail, baseUrl, secret, lastsMs: takeOverAfterMs },
    wake: (id) => void jobs.wake(RUN_IMPORT, { id }),
  })
  defineJobs({
    ...{ ...shared, queries, operations, callers: access.callers, leases, timerWakes },
    ...{ jobs, handOn, imports, deliveries, files, takeOverAfterMs },
  })

  const signIn = createSignIn({ ...shared, access, ask, createPerson, ...settings.signIn })
  const http = createHttp({
    ...{ ...shared, access, signIn, operations, permissions, files, imports, deliveries, baseUrl, accountAddress },
    ...{ ...settings.http, databaseFault, openSharedLimits: sharedLimitStore(storage) },
  })
  return {
    ...{ ...http, ...hostApi, catalog, models: tables.models, accounts: access.accounts, migrate: tables.migrate },
    forget: () => storage.changes.tell(null),
    async start() {
      await tables.checkReady()
      await jobs.start()
    },
    async stop() {
      await jobs.stop()
      await deliveries.close()
      await storage.close()
    },
  }
}
