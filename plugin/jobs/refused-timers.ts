/**
 * The records that one timer could not save, in the memory of the process that fires timers. Each record is tried again after a
 * growing pause, and at once when it has been changed. After a restart, or in another process, each is tried again.
 */
import { type Instant, instantOf } from '../core/clock.js'
import type { Log } from '../core/log.js'
import { type Backoff, pauseAfter } from '../core/waiting/backoff.js'
import type { DueRecord } from './due-records.js'
import type { Unfired } from './fire-timers.js'

export interface Refusals {
  /** True for a record that was refused in its present version and whose pause has not ended. */
  isLeftAlone(record: DueRecord, now: Date): boolean
  add(unfired: readonly Unfired[], now: Date): void
  /** Begins a turn through all due records; returns its first timestamp, null for all. */
  beginTurn(now: Date): Instant | null
  /** Ends a turn: all records from its first timestamp on have been looked at. */
  endOfTurn(turn: { readonly from: Instant | null; readonly begun: Date }, now: Date): void
}

/** Milliseconds of the clock. If the clock is set back, the pause ends: otherwise it could last for years. */
interface Pause {
  readonly since: number
  readonly until: number
}

interface Refusal extends Pause {
  readonly version: string
  readonly failures: number
  isDue: boolean
}

/** Pauses of one record, and of a timer that has more refusals than it can remember. */
const PAUSES: Backoff = { firstMs: 60_000, mostMs: 3600_000 }
/** Records that a timer remembers. More of them hint at a mistake in the timer or in a rule. */
const MAX_REMEMBERED = 1000
/** Log lines per turn. */
const MAX_LOGGED = 20

/** Creates an empty list. */
export function createRefusals({
  log,
  type,
  due,
  maxRemembered = MAX_REMEMBERED,
}: {
  readonly log: Log
  readonly type: string
  readonly due: string
  readonly maxRemembered?: number
}): Refusals {
  const known = new Map<number, Refusal>()
  let logged = 0
  /** Number of records that were refused in this turn, but not remembered. */
  let forgotten = 0
  /** Turns in a row with records that were not remembered. Until the pause ends, only what has become due since is read. */
  let crowded = { turns: 0, ...pauseOf(0, new Date(0)), from: null as Instant | null }

  return {
    isLeftAlone({ id, version }, now) {
      const refusal = known.get(id)
      if (!refusal) return false
      refusal.isDue = true
      return refusal.version === version && isDuring(refusal, now)
    },

    add(unfired, now) {
      for (const { id, version, reason } of unfired) {
        const before = known.get(id)
        const failures = before?.version === version ? before.failures + 1 : 1
        const pause = pauseOf(failures, now)
        if (before || known.size < maxRemembered) known.set(id, { version, failures, ...pause, isDue: true })
        else forgotten += 1
        if (reason === null) continue
        logged += 1
        if (logged > MAX_LOGGED) continue
        log.warn({ ...reason, type, id, due, failures, tryAgainAt: new Date(pause.until) }, 'A timer could not save a record')
      }
    },

    beginTurn: (now) => (isDuring(crowded, now) ? crowded.from : null),

    endOfTurn({ from, begun }, now) {
      if (from === null) {
        for (const [id, refusal] of known) {
          if (!refusal.isDue) known.delete(id)
          refusal.isDue = false
        }
        const turns = forgotten > 0 ? crowded.turns + 1 : 0
        crowded = { turns, ...pauseOf(turns, now), from: null }
      }
      crowded.from = instantOf(begun)
      if (logged > MAX_LOGGED) log.warn({ type, due, more: logged - MAX_LOGGED }, 'A timer could not save further records')
      logged = 0
      forgotten = 0
    },
  }
}

/** A pause that begins now; none after no failure. */
function pauseOf(failures: number, now: Date): Pause {
  const since = now.getTime()
  return { since, until: failures > 0 ? since + pauseAfter(failures, PAUSES) : since }
}

function isDuring({ since, until }: Pause, now: Date): boolean {
  return now.getTime() >= since && now.getTime() < until
}
