/**
 * Timers: what definitions say is saved when a timestamp is reached. The rows say what is due and nothing else is stored, so a
 * process may die at any time, and a timer that fires twice finds that the record no longer waits.
 *
 * One process at a time fires them, by a lease. It goes through the timers in turn, one page each, so that neither a backlog of
 * one type nor a failing timer delays the others. A record that is refused is skipped for a while, longer each time.
 */
import { type Clock, type Instant, instantOf } from '../core/clock.js'
import type { Log } from '../core/log.js'
import type { Catalog } from '../schema/catalog.js'
import { isConnectionFault } from '../storage/database/faults.js'
import type { Leases } from '../storage/queues/leases.js'
import type { Queries } from '../storage/records/query.js'
import { createChangedAccounts } from './changed-accounts.js'
import { type DueRecord, readDue, type TypeTimer } from './due-records.js'
import { type FiringDeps, fireTimer } from './fire-timers.js'
import { createRefusals, type Refusals } from './refused-timers.js'

export interface TimersDeps extends Omit<FiringDeps, 'queries'> {
  readonly catalog: Catalog
  readonly queries: Pick<Queries, 'cells' | 'rows' | 'run'>
  readonly leases: Pick<Leases, 'attempt'>
  readonly clock: Clock
  readonly log: Log
  /** Milliseconds after which another process takes over from one that has died. */
  readonly leaseMs: number
  /** Records per transaction; default 200. */
  readonly pageSize?: number
}

/** Result of one look at the timers. */
export interface TimersFired {
  readonly saved: number
  /** Number of records that are still due. */
  readonly unfired: number
  /** The next timestamp within `LOOK_AHEAD_MS`; null when there is none. */
  readonly next: Date | null
}

export interface Timers {
  /**
   * Saves what is due, unless another process is doing so. A call while it runs makes it look again. After `stopping`, it
   * begins no further page.
   *
   * @throws AggregateError of what the database throws, after the other timers have had their turn
   */
  fireDue(stopping?: AbortSignal): Promise<TimersFired>
}

const PAGE_SIZE = 200
/** Milliseconds that a look goes ahead, to return the next timestamp: longer than the interval of the sweep. */
export const LOOK_AHEAD_MS = 30_000

/** Looks in a row. What is due again and again must not keep the process busy: it is left to the next sweep. */
const MAX_LOOKS = 20

interface Line extends TypeTimer {
  readonly refusals: Refusals
}

/** A turn of one timer, from its first page to its last. */
interface Turn {
  readonly line: Line
  readonly from: Instant | null
  readonly begun: Date
  after: DueRecord | null
}

/** Creates the timers of a catalog, without any I/O. */
export function createTimers(deps: TimersDeps): Timers {
  const { catalog, clock, leases, log, leaseMs, pageSize = PAGE_SIZE } = deps
  const lines: readonly Line[] = [...catalog.types.values()].flatMap((type) =>
    type.timers.map((timer) => ({ type, timer, refusals: createRefusals({ log, type: type.name, due: timer.due }) })),
  )
  const accounts = createChangedAccounts(deps)
  let running: Promise<TimersFired> | null = null
  let again = false

  return {
    fireDue(stopping) {
      again = true
      running ??= fireUntilQuiet(stopping).finally(() => {
        running = null
      })
      return running
    },
  }

  async function fireUntilQuiet(stopping?: AbortSignal): Promise<TimersFired> {
    let [saved, unfired, next]: [number, number, Date | null] = [0, 0, null]
    for (let looks = 0; again && looks < MAX_LOOKS && !stopping?.aborted; looks += 1) {
      again = false
      // Most looks find nothing: they only read.
      const found = await look()
      next = found.next
      if (!found.isDue) throwAll(found.failures)
      if (!found.isDue) continue
      const attempted = await leases.attempt({ kind: 'timers', lastsMs: leaseMs }, ({ lost }) => fireAll(lost, stopping))
      if (!attempted.held) continue
      saved += attempted.result.saved
      unfired += attempted.result.unfired
      // Looks again for what has come up since; what is still due is skipped until its time.
      if (attempted.result.saved > 0) again = true
      else next = (await look()).next
    }
    return { saved, unfired, next }
  }

  /** Looks whether anything is due, and when something will be. A timer that cannot be read keeps no other from being looked at. */
  async function look(): Promise<{
    readonly isDue: boolean
    readonly next: Date | null
    readonly failures: readonly unknown[]
  }> {
    let [isDue, next]: [boolean, Date | null] = [false, null]
    const failures: unknown[] = []
    isDue = await accounts.isDue()
    for (const line of lines) {
      const turn = turnOf(line)
      try {
        for (let more = true; more && !isDue; ) {
          const page = await readPage(turn)
          isDue ||= page.due.length > 0
          if (page.next && (!next || page.next < next)) next = page.next
          more = page.more
        }
      } catch (error) {
        keepFailure(failures, error)
      }
    }
    return { isDue, next, failures }
  }

  /**
   * Goes through all timers in rounds, a page of each, until each has had a whole turn. A timer whose turn has ended begins another
   * one: what has become due since does not wait for the backlog of others.
   */
  async function fireAll(lost: AbortSignal, stopping?: AbortSignal): Promise<Omit<TimersFired, 'next'>> {
    const waiting = new Set(lines)
    const failed = new Set<Line>()
    const turns = new Map<Line, Turn>()
    let [saved, unfired] = [0, 0]
    const failures: unknown[] = []
    let marks = true
    const isOver = () => (waiting.size === 0 && !marks) || lost.aborted || stopping?.aborted
    while (!isOver()) {
      try {
        marks &&= await accounts.markSome()
      } catch (error) {
        marks = false
        keepFailure(failures, error)
      }
      for (const line of lines) {
        if (failed.has(line)) continue
        if (isOver()) break
        const turn = turns.get(line) ?? turnOf(line)
        turns.delete(line)
        try {
          const page = await readPage(turn)
          const fired = await fireTimer(deps, line, page.due)
          saved += fired.saved
          unfired += fired.unfired.length
          line.refusals.add(fired.unfired, clock.now())
          if (page.more) turns.set(line, turn)
          else {
            line.refusals.endOfTurn(turn, clock.now())
            waiting.delete(line)
          }
        } catch (error) {
          failed.add(line)
          waiting.delete(line)
          keepFailure(failures, error)
        }
      }
    }
    throwAll(failures)
    return { saved, unfired }
  }

  function turnOf(line: Line): Turn {
    const begun = clock.now()
    return { line, from: line.refusals.beginTurn(begun), begun, after: null }
  }

  /** The next page of a turn, without the records that are skipped for now. */
  async function readPage(
    turn: Turn,
  ): Promise<{ readonly due: readonly DueRecord[]; readonly next: Date | null; readonly more: boolean }> {
    const now = clock.now()
    const until = instantOf(new Date(now.getTime() + LOOK_AHEAD_MS))
    const page = await readDue(deps.queries, turn.line, { from: turn.from, until, after: turn.after, limit: pageSize })
    const due = page.filter(({ moment }) => moment <= instantOf(now))
    const next = page[due.length]
    turn.after = page.at(-1) ?? turn.after
    return {
      due: due.filter((record) => !turn.line.refusals.isLeftAlone(record, now)),
      next: next ? new Date(next.moment) : null,
      more: due.length === pageSize,
    }
  }
}

/** Collects an error for the end. @throws the error if the database is down: all other timers would fail, too */
function keepFailure(failures: unknown[], error: unknown): void {
  if (isConnectionFault(error)) throw new AggregateError([...failures, error], 'The timers cannot reach the database')
  failures.push(error)
}

function throwAll(failures: readonly unknown[]): void {
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} timers failed`)
}
