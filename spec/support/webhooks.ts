/** The start of specs about events and webhooks: tables, one account, a clock that stands still, and recorded mails. */
import { randomUUID } from 'node:crypto'
import { after, beforeEach } from 'mocha'
import type { Account, Call } from '../../plugin/core/call.js'
import type { Clock } from '../../plugin/core/clock.js'
import type { Log } from '../../plugin/core/log.js'
import { createSeal } from '../../plugin/core/seal.js'
import type { Delivered } from '../../plugin/deliveries/deliver.js'
import { createDeliveries, type Deliveries, type DeliveriesDeps } from '../../plugin/deliveries/deliveries.js'
import { createMailChannel, type MailsDeps } from '../../plugin/mails/mails.js'
import type { Catalog } from '../../plugin/schema/catalog.js'
import { compile } from '../../plugin/schema/compile/compile.js'
import { datetime, integer, oneOf, ref, string } from '../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../plugin/schema/language/define-record.js'
import type { Storage } from '../../plugin/storage/database/connections.js'
import { createLeases, type Leases } from '../../plugin/storage/queues/leases.js'
import type { NewEvent } from '../../plugin/storage/queues/outbox.js'
import { addToOutbox } from '../../plugin/storage/queues/outbox.js'
import { createQueries } from '../../plugin/storage/records/query.js'
import { receiverKey } from '../../plugin/webhooks/receiver-key.js'
import { createWebhooks, type Webhooks, type WebhooksDeps } from '../../plugin/webhooks/webhooks.js'
import type { Mail } from '../../plugin/words/mails/mail.js'
import { type TestDatabaseOptions, withDatabase } from './database.js'
import { settingsWith } from './settings.js'

/** A clock that moves only when it is set. */
export interface SettableClock extends Clock {
  set(text: string): void
  pass(milliseconds: number): void
}

/** The option `secret` of these specs. */
export const SECRET = 'a secret of the specs about webhooks'
export const MINUTE = 60_000
export const DAY = 24 * 60 * MINUTE

/** A call of the host in the account of a world. */
export function callOf(now: Date): Call {
  const call = {
    actor: null,
    account: { id: 'acme', name: 'Acme', locale: 'en', timeZone: 'UTC' },
    origin: 'host',
    source: 'spec',
    cause: null,
    zone: 'UTC',
    now: `${now.toISOString().slice(0, 19)}Z`,
  }
  return call as unknown as Call
}

export function settableClock(start: string): SettableClock {
  let now = new Date(start)
  return {
    now: () => now,
    set: (text) => {
      now = new Date(text)
    },
    pass: (milliseconds) => {
      now = new Date(now.getTime() + milliseconds)
    },
  }
}

export interface Line {
  readonly level: string
  readonly details: object
  readonly message: string
}

/** A log that stores its lines. */
export function keptLog(): Log & { readonly lines: Line[] } {
  const lines: Line[] = []
  const at = (level: string) => (details: object, message: string) => void lines.push({ level, details, message })
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** A catalog of the types that have events here. */
export function eventCatalog(): Catalog {
  const parts = {
    collection: { fields: '', sort: 'id', sortable: '', filterable: '' },
    access: { create: ['anyone'], update: ['anyone'] },
  } as const
  const id = { id: integer({ readOnly: true }) }
  const updated = { updated_at: datetime({ readOnly: true }) }
  const provenance = { source: string(30), sourceID: string(128) }
  const verbs = [
    'create',
    'update',
    'note-added',
    'status-changed',
    'manager-changed',
    'team-changed',
    'member-changed',
  ] as const
  const person = defineRecord('person', {
    ...parts,
    path: 'people',
    fields: { ...id, ...provenance, name: string(128), ...updated },
    events: ['create', 'update'],
  })
  const team = defineRecord('team', {
    ...parts,
    path: 'teams',
    fields: { ...id, ...provenance, name: string(128) },
    events: ['create', 'update'],
  })
  const assigned = {
    ...id,
    ...provenance,
    subject: string(80),
    status: oneOf(['declared', 'assigned', 'completed']),
    team: ref('team'),
    member: ref('person'),
    ...updated,
  }
  const request = defineRecord('request', {
    ...parts,
    collection: { ...parts.collection, filterable: 'status' },
    path: 'requests',
    title: 'subject',
    fields: assigned,
    events: verbs.filter((verb) => verb !== 'manager-changed'),
  })
  const problem = defineRecord('problem', {
    ...parts,
    path: 'problems',
    title: 'subject',
    fields: { ...assigned, manager: ref('person') },
    events: verbs,
  })
  return compile([request, problem, person, team], [])
}

/** Columns that sort tables without ids. */
const ORDERS: Readonly<Record<string, string>> = {
  messages: 'sequence',
  webhook_health: 'webhook_id',
  receiver_pauses: 'receiver',
  leases: 'name',
}

/** What deliveries of a world are made of. */
export interface WorldParts extends WebhooksDeps, MailsDeps, Omit<DeliveriesDeps, 'channels' | 'clock'> {}

/** Webhooks, with the deliveries to them and the mails about them. */
export interface WorldDeliveries extends Webhooks, Pick<Deliveries, 'channels' | 'isWanted' | 'log' | 'plan' | 'purge'> {
  /** Delivers to webhooks, then sends the mails. */
  deliverDue(signal?: AbortSignal): Promise<Delivered>
}

export interface World {
  /** Only set while specs run; so are the others. */
  readonly storage: Storage
  readonly url: string
  readonly clock: SettableClock
  readonly log: ReturnType<typeof keptLog>
  readonly mails: Mail[]
  /** The leases of one process. */
  leases(storage?: Storage): Leases
  /** Deliveries with the dependencies of this world; closed after the spec's block. */
  deliveries(deps?: Partial<WorldParts>): WorldDeliveries
  addWebhook(values: { uri: string } & Record<string, unknown>): Promise<number>
  /** Adds events of requests to the outbox. */
  addEvents(...events: readonly Partial<NewEvent>[]): Promise<void>
  /** Queues deliveries as the relay would. */
  queue(webhookId: number, count: number, values?: Record<string, unknown>): Promise<void>
  /** Names of the leases of a kind that are held. */
  held(kind: string): Promise<string[]>
  /** Rows of a table, by id, times as text. */
  rows(table: string): Promise<Record<string, unknown>[]>
  /** Deliveries that wait for webhooks, with the body if it is stored. */
  waiting(): Promise<Record<string, unknown>[]>
}

/** Provides a database and the objects above for the calling block; tables are empty before each spec. */
export function withWebhooks(options: TestDatabaseOptions = {}): World {
  const database = withDatabase(options)
  const clock = settableClock('2026-11-21T09:00:00Z')
  const log = keptLog()
  const mails: Mail[] = []
  const opened: Webhooks[] = []
  let queued = 0

  beforeEach('starts anew', async () => {
    clock.set('2026-11-21T09:00:00Z')
    log.lines.length = 0
    mails.length = 0
    for (const table of [
      'outbox',
      'messages',
      'channel_deliveries',
      'delivery_attempts',
      'webhooks',
      'webhook_health',
      'receiver_pauses',
      'leases',
      'teams',
      'people',
      'trusts',
      'accounts',
    ]) {
      await database.knex(database.storage.table(table)).delete()
    }
    await database.knex(database.storage.table('accounts')).insert({
      id: 'acme',
      name: 'Acme',
      locale: 'en',
      time_zone: 'UTC',
      created_at: '2026-01-01 00:00:00',
    })
  })
  after('ends deliveries', async () => {
    for (const webhooks of opened) await webhooks.close()
  })

  const world: World = {
    get storage() {
      return database.storage
    },
    get url() {
      return database.url
    },
    clock,
    log,
    mails,
    leases: (storage = world.storage) => createLeases({ storage, clock, log, randomId: randomUUID }),
    deliveries(parts = {}) {
      const made = deliveriesOf({ ...partsOf(world), ...parts })
      opened.push(made)
      return made
    },
    async addWebhook(values) {
      const [id] = await database.knex(database.storage.table('webhooks')).insert({
        account_id: 'acme',
        name: 'Told of requests',
        event: 'request.create',
        disabled: false,
        created_at: '2026-11-01 00:00:00',
        updated_at: '2026-11-01 00:00:00',
        ...values,
      })
      return Number(id)
    },
    addEvents: (...events) =>
      addToOutbox(
        database.knex,
        database.storage,
        events.map((event) => ({ ...CREATED, at: clock.now(), ...event })),
      ),
    async queue(webhookId, count, values = {}) {
      const now = clock.now().toISOString().slice(0, 23).replace('T', ' ')
      const webhook = await database.knex(database.storage.table('webhooks')).where({ id: webhookId }).first('uri')
      const link = '<https://acme.example.com/requests/1>; rel="canonical"'
      const rows = Array.from({ length: count }, (_, index) => {
        const { body = `number=${index + 1}`, ...columns } = values
        const about = { event: 'request.create', object_id: index + 1, ...columns }
        return {
          channel: 'webhook',
          target: String(webhookId),
          lane: receiverKey('acme', webhook?.uri ?? ''),
          account_id: 'acme',
          ordered_by: `request/${about.object_id}`,
          // As a process of the version before has rendered it.
          content: JSON.stringify({ id: `msg_${++queued}`, link, body }),
          state: 'waiting',
          ...{ next_at: now, created_at: now, ...about },
        }
      })
      for (let start = 0; start < rows.length; start += 100) {
        await database.knex(database.storage.table('channel_deliveries')).insert(rows.slice(start, start + 100))
      }
    },
    held: (kind) => database.knex(database.storage.table('leases')).where({ kind }).whereNot('holder', '').pluck('name'),
    rows: (table) => database.knex(database.storage.table(table)).orderBy(ORDERS[table] ?? 'id'),
    async waiting() {
      const all = await database
        .knex(database.storage.table('channel_deliveries'))
        .where({ channel: 'webhook', state: 'waiting' })
        .orderBy('id')
      return all.map((row) => ({ ...row, body: row.content && JSON.parse(row.content).body }))
    },
  }
  return world
}

/** Webhooks and mails with their deliveries, as `createPlugin` puts them together. */
export function deliveriesOf(parts: WorldParts): WorldDeliveries {
  const webhooks = createWebhooks(parts)
  const deliveries = createDeliveries({ ...parts, channels: [webhooks.channel, createMailChannel(parts)] })
  return {
    ...webhooks,
    ...deliveries,
    async deliverDue(signal) {
      const delivered = await deliveries.deliverDue('webhook', signal)
      await deliveries.deliverDue('mail')
      return delivered
    },
  }
}

/** Dependencies of deliveries, for a world or a child process: all but those that a spec replaces. */
export function partsOf(world: Pick<World, 'storage' | 'clock' | 'log' | 'mails'>): WorldParts {
  const { storage, clock, log, mails } = world
  const catalog = eventCatalog()
  const { accountAddress, baseUrl, sendMail, takeOverAfterMs, webhooks, words } = settingsWith({
    baseUrl: 'https://api.example.com/v1',
    accountAddress: (accountId) => `https://${accountId}.example.com`,
    sendMail: async (mail) => void mails.push(mail),
    jobs: { takeOverAfterMs: 30_000 },
    webhooks: { allowPrivateAddresses: true, timeoutMs: 2000, userAgent: 'koa-itsm/1.0 (https://docs.example.com)' },
  })
  return {
    ...{ storage, clock, log, catalog, words, sendMail, baseUrl, accountAddress },
    ...{ fieldSeal: createSeal(SECRET, 'field seal'), randomId: randomUUID },
    ...{ ...webhooks, takeOverAfterMs, leases: createLeases({ storage, clock, log, randomId: randomUUID }) },
    ...{ wakeDispatch: () => {}, wakeMails: () => {}, keepDays: 30, keepsSent: true },
    people: { find: async () => null },
    callers: { pluginCall: () => Promise.reject(new RangeError('A world of webhooks has no calls')) },
    find: async () => [],
    queries: createQueries(storage, catalog),
    accounts: { find: async (id) => ({ id, name: id, locale: 'en', timeZone: 'UTC' }) as Account },
    readersOf: async (accountId, addresses) =>
      (addresses.length > 0 ? addresses : [`admin@${accountId}.example.com`]).map((email) => ({ email, language: 'en-US' })),
  }
}

const CREATED = {
  event: 'request.create',
  recordType: 'request',
  recordId: 219,
  accountId: 'acme',
  personId: 7,
  personName: 'Ines Álvarez',
  auditLineId: 31,
  snapshot: { status: 'declared' },
} as const satisfies Omit<NewEvent, 'at'>
