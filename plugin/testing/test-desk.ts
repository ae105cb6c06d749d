/** A whole desk for tests in one call: a plugin that serves HTTP, people and records in it, a clock, and a receiver. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { assemblePlugin } from '../create-plugin.js'
import { createHandQueue } from '../jobs/hand-queue.js'
import type { PluginOptions } from '../options/options.js'
import type { Plugin } from '../plugin.js'
import { type LentKnex, openStorage } from '../storage/database/connections.js'
import { embeddedDatabase } from '../storage/embedded/index.js'
import { mustMatch } from '../storage/tables/tables.js'
import type { Mail } from '../words/mails/mail.js'
import { addedFields } from './added-fields.js'
import { type CaseRunner, caseRunner } from './case-runner.js'
import { type DeskClock, deskClock } from './desk-clock.js'
import { type DeskReceiver, startReceiver } from './desk-receiver.js'
import { textWithNames } from './names.js'
import { type Fixtures, shippedFixtures } from './read-fixtures.js'
import { createSender } from './send.js'
import { takeSnapshot } from './snapshot.js'
import { loadWorld, type World, type WorldFile } from './world.js'

/** Options of a test desk: those of the plugin, none of which is needed, and these. */
export interface TestDeskOptions extends Omit<Partial<PluginOptions>, 'clock' | 'jobs' | 'mongo' | 'database' | 'baseUrl'> {
  /**
   * Your pool, on a database whose name has the word test. It is not closed. Default: an embedded database in memory, which ends
   * with the desk.
   */
  readonly knex?: LentKnex
  /** The records to begin with. Default: the world of the package, a company with people, teams and services. */
  readonly world?: WorldFile
  /** The host around the plugin. Default: a Koa app that has nothing else. */
  readonly app?: (itsm: Plugin) => Koa
  /** The time to begin with; the clock stands still then. Default: the time of the computer. */
  readonly now?: string
}

/** An answer of the API. */
export interface DeskAnswer {
  /** The HTTP status. */
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body, parsed if it is JSON; otherwise the text. */
  readonly body: unknown
}

/** A running desk in which nothing happens by itself. */
export interface TestDesk {
  /** The plugin, started. */
  readonly itsm: Plugin
  /** Records and people by name. */
  readonly world: World
  /** Ends with `/v1`. */
  readonly baseUrl: string
  /** The time of the plugin. */
  readonly clock: DeskClock
  /** Gets webhooks: create one with its `url`. */
  readonly receiver: DeskReceiver
  /** Mails that were sent, in order. */
  readonly mails: readonly Mail[]
  /** Runs cases; knows the fields that your definitions add. */
  readonly runner: CaseRunner
  /** The cases and bodies of the package. */
  readonly fixtures: Fixtures
  /** Calls the API as a person of the world, `@ines`, or without credentials; the path begins after `/v1`. Names in it become ids. */
  ask(as: string | null, method: string, path: string, body?: object, headers?: Record<string, string>): Promise<DeskAnswer>
  /**
   * Does the work that is due in the background: passes events on, calls listeners, sends mails and webhooks, imports and exports.
   *
   * @throws the first error of the work
   */
  settle(): Promise<void>
  /** Sets the clock, fires the timers that are due by then, and settles. @throws RangeError for a text that is no time */
  advanceTo(at: string | Date): Promise<void>
  /** Puts all records, the clock, the mails and the receiver back to how they were when the desk was made. */
  restore(): Promise<void>
  /** Stops everything; a lent pool stays open. */
  close(): Promise<void>
}

/**
 * Makes a desk: migrates, loads the world, starts, and listens on a port of this machine.
 *
 *     const desk = await testDesk({ records: [vehicle], migrations: [vehicles] })
 *     const { body } = await desk.ask('@ines', 'POST', '/vehicles', { name: 'Van', plate: 'K-OA-1' })
 *     await desk.advanceTo('2026-12-01T08:00:00Z')
 *
 * @throws InvalidOptions, InvalidDefinition, InvalidSetup; Error for a database that does not look like one for tests
 */
export async function testDesk(options: TestDeskOptions = {}): Promise<TestDesk> {
  const { app, knex: lent, now, world: file, ...given } = options
  const knex = lent ?? embeddedDatabase(':memory:')
  const clock = deskClock()
  clock.set(now ?? null)
  const mails: Mail[] = []
  const receiver = await startReceiver()
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const queue = createHandQueue()
  const sender = createSender()
  const fixtures = shippedFixtures()

  const close = async (itsm?: Plugin) => {
    sender.close()
    server.close()
    server.closeAllConnections()
    receiver.close()
    await itsm?.stop()
    if (!lent) await knex.destroy()
  }
  try {
    const itsm = assemblePlugin(
      {
        baseUrl,
        secret: 'a test desk has no secrets, but it needs 32 characters',
        allowInsecure: true,
        rateLimit: { burst: false },
        sendMail: async (mail) => void mails.push(mail),
        ...given,
        // The receiver is on this machine; other addresses of it stay refused.
        webhooks: { allowNetworks: ['127.0.0.1/32'], ...given.webhooks },
        database: { knex },
        clock,
      },
      queue,
    )
    await itsm.migrate()
    const before = await newestEvents(knex, given.tablePrefix)
    const world = await loadWorld(itsm, file ?? fixtures.world).catch(async (error: unknown) => {
      // A missing migration says more than the statement that failed.
      mustMatch(await itsm.check())
      throw error
    })
    server.on('request', (app?.(itsm) ?? new Koa().use(itsm.middleware)).callback())
    await itsm.start()
    await forgetEvents(knex, given.tablePrefix, before)
    queue.rest()
    const { tablePrefix } = given
    const snapshot = await takeSnapshot({
      knex,
      plugins: [itsm],
      onlyWriter: true,
      ...(tablePrefix !== undefined && { tablePrefix }),
    })
    const runner = caseRunner({ baseUrl, world, records: fixtures.records, tolerates: addedFields(given) })

    return {
      itsm,
      world,
      baseUrl,
      clock,
      receiver,
      mails,
      runner,
      fixtures,
      async ask(as, method, path, body, headers = {}) {
        const sent: Record<string, string> = { 'User-Agent': 'test desk', ...headers }
        if (as !== null) sent['Authorization'] ??= `Basic ${Buffer.from(`${world.token(as)}:x`).toString('base64')}`
        const bytes = body === undefined ? null : Buffer.from(JSON.stringify(runner.body(body)))
        if (bytes) Object.assign(sent, { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) })
        const address = `${baseUrl}${textWithNames(path, world.id)}`
        const { text, ...answer } = await sender.send(address, method, sent, bytes)
        return { ...answer, body: parsed(text) }
      },
      settle: () => queue.runWoken(),
      async advanceTo(at) {
        clock.set(at)
        itsm.forget()
        queue.wakeAll()
        await queue.runWoken()
        itsm.forget()
      },
      async restore() {
        queue.rest()
        clock.set(now ?? null)
        await snapshot.restore()
        mails.length = 0
        receiver.clear()
      },
      close: () => close(itsm),
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Tables of what is told to others. */
const TOLD = ['outbox', 'deliveries']

/** The newest rows of these tables, in their order; 0 without any. */
async function newestEvents(knex: LentKnex, tablePrefix: string | undefined): Promise<readonly number[]> {
  const storage = openStorage({ knex }, tablePrefix ?? 'itsm_')
  const newest = async (table: string) => Number((await storage.knex(storage.table(table)).max({ id: 'id' }))[0]?.['id'] ?? 0)
  return Promise.all(TOLD.map(newest))
}

/** What has happened while the world was loaded is nobody's business: neither listeners nor webhooks are told of it. */
async function forgetEvents(knex: LentKnex, tablePrefix: string | undefined, since: readonly number[]): Promise<void> {
  const storage = openStorage({ knex }, tablePrefix ?? 'itsm_')
  for (const [index, table] of TOLD.entries())
    await storage
      .knex(storage.table(table))
      .where('id', '>', since[index] ?? 0)
      .delete()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
