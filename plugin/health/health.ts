/** What `itsm.health()` finds: whether the parts that a process depends on answer, and how far its background work is behind. */
import type { Clock } from '../core/clock.js'
import { inTime } from '../core/waiting/in-time.js'
import type { Storage } from '../storage/database/connections.js'
import { oldestInOutbox } from '../storage/queues/outbox.js'

/** How a process is. Figures are null if they could not be read. */
export interface HealthReport {
  /** True if no check is false. Figures have no effect on it: what is late is a matter of your service. */
  readonly ok: boolean
  /** What was looked at. */
  readonly checks: {
    /** True if the database has answered within the time. */
    readonly database: boolean
    /** True if all migrations have run, those of the host included. */
    readonly migrations: boolean
    /** True from the end of `start()` to `stop()`, as long as the job store answers. */
    readonly jobs: boolean
    /** False if `check()` of the host's store has failed; a store without it counts as well. As `database` if that is the store. */
    readonly filesStore: boolean
    /** Milliseconds for which the oldest event has waited to be passed on; 0 if none waits. */
    readonly outboxAgeMs: number | null
    /** Milliseconds for which the most overdue record has waited for its timer, also one whose timer is refused; 0 if none is due. */
    readonly timersLateMs: number | null
    /** Number of imports that are being worked on, in all accounts. */
    readonly importsRunning: number | null
  }
}

/** Looks at the health of a process. */
export interface Health {
  /** What is found within two seconds, also if the database hangs. It is remembered for a second. */
  look(): Promise<HealthReport>
  /** True if the process takes calls: it has started, is not being stopped, and its database answers. */
  isReady(): Promise<boolean>
}

/** Dependencies of the checks. */
export interface HealthDeps {
  readonly clock: Clock
  readonly storage: Storage
  /** True from the end of `start()` to `stop()`. */
  readonly isRunning: () => boolean
  /** Names of the migrations that have not run. */
  readonly pendingMigrations: () => Promise<readonly string[]>
  readonly jobs: { isWell(): boolean }
  /** Milliseconds for which the most overdue timer has waited. */
  readonly readLateness: () => Promise<number>
  readonly imports: { countRunning(): Promise<number> }
  /** Rejects if the store of files cannot be used now; null if the database is the store. */
  readonly files: { readonly askStore: (() => Promise<void>) | null }
}

/** Milliseconds after which a part counts as failed: together less than two seconds. */
const [ANSWER_WITHIN, READ_WITHIN] = [900, 900]
/** Milliseconds for which a report is remembered: anybody may ask for it. */
const REMEMBERED_FOR = 1000

/** Creates the checks, without any I/O. */
export function createHealth(deps: HealthDeps): Health {
  const { clock, files, imports, isRunning, jobs, pendingMigrations, readLateness, storage } = deps
  /** Statements of earlier looks that a database has not answered yet: one of each kind at most, however often it is asked. */
  const pending = new Map<string, Promise<unknown>>()
  let isMigrated = false
  let remembered: { readonly at: number; readonly report: Promise<HealthReport> } | null = null

  /** What the work returns; null if it fails, or does not end in time. */
  async function found<T>(name: string, within: number, work: () => Promise<T>): Promise<T | null> {
    const running = (pending.get(name) as Promise<T> | undefined) ?? start(name, work)
    return inTime(within, running).catch(() => null)
  }

  function start<T>(name: string, work: () => Promise<T>): Promise<T> {
    const running = work().finally(() => pending.delete(name))
    pending.set(name, running)
    // It may fail when nobody waits any more.
    running.catch(() => undefined)
    return running
  }

  const answers = async () => {
    await storage.knex.raw('SELECT 1')
    return true
  }
  const outboxAge = async () => {
    const oldest = await oldestInOutbox(storage.knex, storage)
    return oldest === null ? 0 : Math.max(0, clock.now().getTime() - oldest.getTime())
  }
  const migrated = async () => {
    // Migrations that have run stay.
    isMigrated ||= (await pendingMigrations()).length === 0
    return isMigrated
  }

  async function look(): Promise<HealthReport> {
    const { askStore } = files
    const store = askStore && found('files', ANSWER_WITHIN, () => askStore().then(() => true))
    const database = (await found('database', ANSWER_WITHIN, answers)) === true
    const read = <T>(name: string, work: () => Promise<T>) => (database ? found(name, READ_WITHIN, work) : null)
    const [migrations, outboxAgeMs, importsRunning, timersLateMs] = await Promise.all([
      read('migrations', migrated),
      read('outbox', outboxAge),
      read('imports', imports.countRunning),
      read('timers', readLateness),
    ])
    const parts = {
      database,
      migrations: migrations === true,
      jobs: isRunning() && jobs.isWell(),
      filesStore: store ? (await store) === true : database,
    }
    const ok = Object.values(parts).every((isWell) => isWell)
    return { ok, checks: { ...parts, outboxAgeMs, timersLateMs, importsRunning } }
  }

  const recent = () => {
    const now = performance.now()
    if (!remembered || now - remembered.at > REMEMBERED_FOR) remembered = { at: now, report: look() }
    return remembered.report
  }

  return {
    look: recent,
    async isReady() {
      return isRunning() && (await recent()).checks.database
    },
  }
}
