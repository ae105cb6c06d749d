/** Puts the parts together on one page; the only file that knows them all. */
import { randomUUID } from 'node:crypto'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import type { Accounts } from './access/accounts.js'
import { createAccounts } from './access/accounts.js'
import { createAuthenticator } from './access/authenticate.js'
import { createCallers } from './access/callers.js'
import { createCredentialStore } from './access/credentials.js'
import { createDecisions } from './access/decide.js'
import { createElsewhere } from './access/elsewhere.js'
import { type HostCredentialStore, hostCredentials } from './access/host-credentials.js'
import { accountNamed, type NamedPerson, personNamed, placeNamed, signedInAt } from './access/host-people.js'
import { mailReaders } from './access/mail-readers.js'
import type { People } from './access/people.js'
import { createRecognition } from './access/recognize.js'
import { rememberPeople } from './access/remembered-people.js'
import { createScope } from './access/scope.js'
import { createSecrets } from './access/secrets.js'
import { teamsOf } from './access/teams.js'
import { checkOptions } from './check-options.js'
import { createAskHost, HOOK_WITHIN } from './core/ask-host.js'
import { isBlank } from './core/blank.js'
import { systemClock } from './core/clock.js'
import { Forbidden, InvalidOptions, InvalidSetup } from './core/errors.js'
import { LARGEST_FILE } from './core/file-sizes.js'
import { CALL_WITHIN } from './core/in-time.js'
import { defaultLog } from './core/log.js'
import { VERSION } from './core/version.js'
import { createWords } from './core/words/index.js'
import { SHARED_LISTS } from './core/words/shared-lists.js'
import { createMomentWriter } from './core/zoned-time.js'
import { createListenerCalls } from './events/listeners.js'
import { createRelay } from './events/relay.js'
import { createFileAddresses } from './files/addresses.js'
import type { FileDeps } from './files/deps.js'
import { createFiles } from './files/files.js'
import { databaseBytes, hostBytes } from './files/store.js'
import type { Uploader } from './files/uploads.js'
import { createApp, createMiddleware } from './http/app.js'
import type { HttpDeps } from './http/deps.js'
import { ENDPOINT_PATHS } from './http/endpoint-paths.js'
import { account } from './http/endpoints/account.js'
import { attachments } from './http/endpoints/attachments.js'
import { imports as importEndpoints } from './http/endpoints/import.js'
import { satisfaction } from './http/endpoints/satisfaction.js'
import { telephone } from './http/endpoints/telephone.js'
import { webhookTest } from './http/endpoints/webhook-test.js'
import { createRateLimits } from './http/rate-limits.js'
import { createImports } from './imports/imports.js'
import { createJobs } from './jobs/agenda.js'
import { defineHandOn } from './jobs/hand-on.js'
import { defineRunImport, RUN_IMPORT } from './jobs/run-import.js'
import { sweep } from './jobs/sweep.js'
import { createPersonIn } from './operations/create-person.js'
import type { Afterwards, OperationDeps } from './operations/deps.js'
import { createGrant, type GrantRoles } from './operations/grant.js'
import { createOperations } from './operations/index.js'
import { createLocalApi, type LocalApi } from './operations/local-api.js'
import { createPermissions } from './operations/permissions.js'
import type { PluginOptions } from './options.js'
import { records } from './records/index.js'
import { createRules } from './rules/index.js'
import { PERSON, WEBHOOK } from './schema/built-in-types.js'
import { type Catalog, compile } from './schema/compile/compile.js'
import type { RuleBook } from './schema/define-rule.js'
import { compileValidators } from './schema/derive/validator.js'
import { openStorage, type Storage } from './storage/connections.js'
import { databaseFault } from './storage/faults.js'
import { createLeases } from './storage/leases.js'
import { createLimitStore, forgetLimits } from './storage/limit-store.js'
import { migrate, pendingMigrations } from './storage/migrate.js'
import { createModels, type Models } from './storage/models.js'
import { createQueries } from './storage/query.js'
import { checkTables } from './storage/table-check.js'
import { createWriter } from './storage/write.js'
import { accountAddresses } from './webhooks/account-addresses.js'
import { createDeliveries, type Deliveries } from './webhooks/deliveries.js'

export interface Plugin {
  /** The interface as an application, to be mounted: `host.use(mount('/api', itsm.app))`. */
  readonly app: Koa
  /** The same as a middleware: `host.use(itsm.middleware)`. Paths outside of /v1 go on to the host. */
  readonly middleware: Middleware
  /** Every record type, compiled. */
  readonly catalog: Catalog
  /** Objection models of the record tables, bound to this plugin's database; for reading. Writes belong to `as`. */
  readonly models: Models
  /** Accounts and their trust relations; who calls this maintains the installation. */
  readonly accounts: Pick<Accounts, 'put' | 'trust' | 'find'>
  /** Passwords and API tokens of our own people. */
  readonly credentials: HostCredentialStore
  /** Gives a person roles in an account, past all permissions: for the first administrator, and for seeds. */
  readonly grant: GrantRoles
  /** Brings the tables up to date; never runs on its own. Returns the names of the migrations that ran. */
  migrate(): Promise<readonly string[]>
  /** Forgets what this process remembers of rows for some seconds: for hosts that restore the tables from a copy. */
  forget(): void
  /** Checks connections and tables, then starts the jobs. @throws InvalidSetup with all differences and a migration draft */
  start(): Promise<void>
  /** Stops taking work, drains, closes only what is ours. May be called twice. */
  stop(): Promise<void>
  /**
   * Acts as a person: by id of the person record, by e-mail address, or by the host's own id when `people.byId` is given, which
   * is asked first. Of people with the same address that of `account` is meant.
   *
   * @throws TypeError for what cannot be a person or an account; operations throw a RangeError when there is no such person
   */
  as(person: NamedPerson, wishes?: { readonly account?: string }): LocalApi
  /** Acts as the service itself, past all permissions. The reason is for those who read the code later. @throws TypeError */
  asSystem(reason: string, account: string): LocalApi
}

/** How often rows are looked through for work that no job knows of, in milliseconds; oftener when work is taken over sooner. */
const SWEEP_EVERY = 15_000
const TAKE_OVER_AFTER = 60_000
const FORGET_EVERY = 24 * 3600_000
/** Seconds. */
const DOWNLOADS_LAST = 3600

/**
 * Makes a plugin, without any I/O.
 *
 * @throws InvalidOptions, InvalidDefinition with all mistakes at once
 */
export function createPlugin(options: PluginOptions): Plugin {
  checkOptions(options)
  const { baseUrl, clock = systemClock, log = defaultLog(), webhooks = {} } = options
  const words = createWords(options.words)
  const callTimeout = options.timeouts?.call ?? CALL_WITHIN
  const ask = createAskHost(options.timeouts?.hook ?? Math.min(HOOK_WITHIN, callTimeout / 2))
  const { allowPrivateAddresses = false, allowNetworks = [] } = webhooks
  const ours = createRules({ allowPrivateAddresses, allowNetworks })
  const catalog = compile(
    [...records, ...(options.records ?? [])],
    options.extend ?? [],
    { ...options.rules, ...ours },
    SHARED_LISTS,
    ENDPOINT_PATHS,
  )
  checkNames(options, catalog, ours)

  const storage = openStorage(options.database, options.tablePrefix ?? 'itsm_', options.timeouts?.statement)
  const models = createModels(storage, catalog)
  const secrets = createSecrets(options.secret)
  const accounts = createAccounts(storage, clock)
  const people = rememberPeople(storage, catalog.type(PERSON), clock)
  const callers = createCallers(accounts, people, clock)
  const credentials = createCredentialStore(storage, secrets, clock)
  const sendMail =
    options.sendMail ?? (async (mail) => log.warn({ subject: mail.subject }, 'No sendMail option: a mail was not sent'))
  const accountAddress = accountAddresses(baseUrl, log, options.accountAddress)
  const momentWriter = createMomentWriter()

  const takeOverAfter = options.jobs?.takeOverAfter ?? TAKE_OVER_AFTER
  const jobs = createJobs({
    backend: options.jobs?.backend ?? options.mongo ?? 'memory',
    log,
    ...(options.jobs?.collection ? { collection: options.jobs.collection } : {}),
    work: options.jobs?.work ?? true,
    drainFor: options.jobs?.drainFor ?? 30_000,
  })
  const queries = createQueries(storage, catalog)
  const deliveries = createDeliveries({
    visibleIn: createElsewhere({ storage, catalog, queries, clock, log, hook: options.scope, ask }),
    storage,
    catalog,
    clock,
    log,
    sendMail,
    baseUrl,
    accountAddress,
    words,
    readersOf: mailReaders(people, accounts),
    randomId: randomUUID,
    claimFor: takeOverAfter,
    userAgent: webhooks.userAgent ?? `koa-itsm/${VERSION} (${new URL(`${baseUrl}/openapi.json`).href})`,
    allowPrivateAddresses,
    allowNetworks,
    ...(webhooks.timeout ? { timeout: webhooks.timeout } : {}),
    ...(webhooks.fetch ? { fetch: webhooks.fetch } : {}),
  })
  const leases = createLeases({ storage, clock, log, randomId: randomUUID })
  const listeners = createListenerCalls({ storage, leases, clock, log, on: options.on ?? {}, lastsMs: takeOverAfter })
  const relay = createRelay({
    storage,
    leases,
    log,
    receivers: [deliveries.plan, listeners.plan],
    lastsMs: Math.min(5000, takeOverAfter),
  })

  const handOn = defineHandOn({ jobs, log, relay, deliveries, listeners })

  const fileParts: FileDeps = {
    ...{ storage, catalog, clock, log },
    addresses: createFileAddresses(baseUrl, options.secret, options.files?.addressesLast ?? DOWNLOADS_LAST),
    bytes: options.files?.store ? hostBytes(options.files.store) : databaseBytes(storage),
    sizeLimit: options.files?.sizeLimit ?? LARGEST_FILE,
    allowedExtensions: (options.files?.allowedExtensions ?? []).map((extension) => extension.toLowerCase()),
  }
  const files = createFiles(fileParts)

  const operationParts: OperationDeps = {
    catalog,
    storage,
    queries,
    writer: createWriter(storage, models),
    validators: compileValidators(catalog),
    decisions: createDecisions(options.authorize, (call) => teamsOf(storage, catalog, call, call.actor?.id ?? 0), ask),
    scope: createScope(storage, catalog, options.scope, ask),
    clock,
    accountNames: (call, ids) => accounts.names(call, ids),
    peopleWithRoles: (call, roles, match) => people.withRoles(call.account.id, roles, match),
    files: fileParts,
    writeMoment: momentWriter,
    before: new Map(Object.entries(options.before ?? {})),
    afterwards: new Map([[WEBHOOK, followWebhook(deliveries)]]),
    nudge: handOn.nudge,
    settleEvents: handOn.settle,
  }
  const operations = createOperations(operationParts)
  const imports = createImports({
    storage,
    catalog,
    operations,
    queries: operationParts.queries,
    callFor: async (row) => {
      const actor = await people.find({ id: row.personId })
      const wishes = { accountId: row.accountId, language: row.language, source: 'import', origin: 'import' as const }
      return callers.callFor(actor ? { actor } : null, wishes)
    },
    rolesIn: (accountId, personId) => people.rolesOf(personId, accountId),
    clock,
    log,
    sendMail: (mail) => sendMail({ ...mail, to: [mail.to] }),
    words,
    secret: options.secret,
    baseUrl,
    leaseFor: takeOverAfter,
    wake: (id) => void jobs.wake(RUN_IMPORT, { id }),
  })

  const permissions = createPermissions(operationParts, accounts, people, catalog.type(PERSON))
  const callIn = (account: string) => callers.systemCall('people.provision', account, 'host')
  const create = createPersonIn({ storage, operations, permissions, words, callIn })
  const recognize = createRecognition({ people, ask, log, clock, create, provision: options.people?.provision })
  // An embedded database has one process, whose memory is enough.
  const sharesLimits = options.rateLimit?.store === 'database' && storage.dialect === 'mysql'
  const headerPrefixes = options.headerPrefixes ?? ['X-SVC-']
  const httpParts: HttpDeps = {
    catalog,
    operations,
    authenticator: createAuthenticator({
      people,
      secrets,
      ask,
      recognize,
      ...(options.people?.byCredentials ? { byCredentials: options.people.byCredentials } : {}),
      failuresPerAddress: options.signIn?.failuresPerAddress ?? 50,
    }),
    callers,
    words,
    rateLimits: createRateLimits(options.rateLimit ?? {}, clock, sharesLimits ? createLimitStore(storage) : undefined),
    apiTokens: credentials,
    permissions,
    baseUrl,
    allowInsecure: options.allowInsecure ?? false,
    headerPrefixes,
    log,
    clock,
    databaseFault,
    callTimeout,
    uploadForm: files.form,
    ...(options.people?.signedIn ? { signedIn: signedInAt(ask, recognize, options.people.signedIn) } : {}),
    endpoints: [
      ...attachments({ files, baseUrl, headerPrefixes, mayUpload: mayUploadTo(people, callers) }),
      ...importEndpoints({ imports, headerPrefixes }),
      ...webhookTest({ operations, deliveries }),
      ...satisfaction({ operations }),
      ...telephone({ operations, baseUrl }),
      ...account({ operations, accounts, people, accountAddress }),
    ],
  }

  defineRunImport(jobs, imports)
  jobs.define('sweep', { concurrency: 1 }, () => sweep({ tasks: [handOn.wakeAll, () => imports.resumeAll()] }))
  jobs.define('forget', { concurrency: 1 }, () =>
    sweep({
      tasks: [
        async () => void (await deliveries.forgetDropped()),
        () => forgetLimits(storage, clock.now()),
        files.collectGarbage,
      ],
    }),
  )
  jobs.every('sweep', Math.min(SWEEP_EVERY, takeOverAfter))
  jobs.every('forget', FORGET_EVERY)

  const localParts = { operations, files, catalog, words }
  return {
    app: createApp(httpParts),
    middleware: createMiddleware(httpParts),
    catalog,
    models,
    accounts,
    credentials: hostCredentials(credentials, people),
    grant: createGrant({ people, accounts, callers, permissions }),
    migrate: () => migrate(storage, options.migrations),
    forget: () => storage.changes.tell(null),
    async start() {
      await checkReady(storage, catalog, options)
      await jobs.start()
    },
    async stop() {
      await jobs.stop()
      await deliveries.close()
      await storage.close()
    },
    as(key, wish) {
      const account = placeNamed(wish)
      const place = account === undefined ? {} : { accountId: account }
      const person = personNamed({ people, ask, byId: options.people?.byId }, key, account)
      const wishes = { source: 'host', origin: 'host', ...place } as const
      return createLocalApi(localParts, async () => callers.callFor({ actor: await person() }, wishes))
    },
    asSystem(reason, account) {
      if (typeof reason !== 'string' || isBlank(reason)) throw new TypeError('asSystem: say for what reason, as a text')
      accountNamed('asSystem', account)
      return createLocalApi(localParts, () => callers.systemCall(reason, account, 'host'))
    },
  }
}

/** A webhook that is disabled or removed drops what is queued for it; one that is enabled forgets its failures (gaps 5.1). */
function followWebhook(deliveries: Deliveries): Afterwards {
  return async (db, before, after) => {
    const wasDisabled = before?.['disabled'] === true
    const isDisabled = after === null || after['disabled'] === true
    const id = Number((after ?? before)?.['id'])
    const to = after && { accountId: String(after['account_id']), uri: String(after['uri']) }
    const isMoved = to && before?.['uri'] !== after['uri']
    if (before) await deliveries.webhookChanged(db, id, { wasDisabled, isDisabled, ...(isMoved ? { to } : {}) })
  }
}

/** Names that can only be checked against what there is: a misspelt hook would never run, and no rule of ours is replaced. */
function checkNames(options: PluginOptions, catalog: Catalog, ours: RuleBook): void {
  const mistakes = [
    ...Object.keys(options.rules ?? {})
      .filter((name) => Object.hasOwn(ours, name))
      .map((name) => `rules.${name}: this is the name of one of our rules`),
    ...Object.keys(options.before ?? {})
      .filter((name) => !name.endsWith('.save') || !catalog.types.has(name.slice(0, -'.save'.length)))
      .map((name) => `before.${name}: must be '<record type>.save'`),
    ...Object.keys(options.on ?? {})
      .filter((name) => !catalog.events.includes(name))
      .map((name) => `on.${name}: there is no such event`),
  ]
  if (mistakes.length > 0) throw new InvalidOptions(mistakes)
}

async function checkReady(storage: Storage, catalog: Catalog, options: PluginOptions): Promise<void> {
  await storage.knex.raw('SELECT 1')
  const { differences, draft } = await storage.unhurried(async (patient) => {
    const pending = await pendingMigrations(patient, options.migrations)
    if (pending.length > 0) throw new InvalidSetup('Run migrate() first; these migrations are missing', pending)
    return checkTables(patient, catalog)
  })
  if (differences.length === 0) return
  const help = draft ? [`a migration that would help:\n\n${draft}`] : []
  throw new InvalidSetup('The tables do not fit the record types', [...differences, ...help])
}

/** A form works for an hour: in that time its person may be disabled, or lose the account. */
function mayUploadTo(people: People, callers: ReturnType<typeof createCallers>) {
  return async ({ accountId, personId }: Uploader) => {
    const actor = personId === null ? null : await people.find({ id: personId })
    if (!actor) throw new Forbidden()
    await callers.callFor({ actor }, { accountId, source: 'upload' })
  }
}
