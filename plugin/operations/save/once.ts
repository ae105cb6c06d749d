/** POSTs that are safe to repeat: the work of a key is done once, whoever repeats it, and in which process. ADR 0036. */
import { mayUse } from '../../access/sight/decide.js'
import type { Call } from '../../core/call.js'
import type { Clock } from '../../core/clock.js'
import { Forbidden, Invalid, NotFound, Unavailable } from '../../core/errors.js'
import { createTurns } from '../../core/waiting/turns.js'
import { dbOf, inTransaction } from '../../storage/database/transaction.js'
import {
  findKey,
  type KeptAnswer,
  KeyInUse,
  keepAnswer,
  keepKey,
  type NewKey,
  reserveKey,
  type UsedKey,
} from '../../storage/queues/idempotency-keys.js'
import type { LockDeps } from '../work/work-deps.js'

export type { KeptAnswer }

/** A POST that may be repeated. */
export interface Repeatable extends NewKey {
  /**
   * True if the client sent no key: the record that the POST creates has unique values, which imply one. A POST that is not a repeat,
   * or whose record is gone, is then done as if there were no key.
   */
  readonly isImplied: boolean
  /** True if the work cannot be part of a transaction; then it must have no visible effect before its answer is kept. */
  readonly isOutside?: true
}

/** Work that was done; without a kept answer it changed nothing, and may be done again with the same key. */
export interface Worked<T> {
  readonly result: T
  readonly kept: KeptAnswer | null
}

/** The result of the work if it was done now, else the kept answer of the first time. */
export type Done<T> = { readonly result: T } | { readonly repeats: KeptAnswer }

/**
 * Does the work in a transaction that also stores the key, unless it was done in the last 24 hours. A repeat at the same time
 * waits for the end of the first. Work that throws leaves no key.
 *
 * @throws Invalid if the key was used for something else; NotFound if its record is gone, Forbidden if its type is closed; Unavailable after 15 seconds of waiting
 */
export type Once = <T>(call: Call, of: Repeatable, work: (inside: Call) => Promise<Worked<T>>) => Promise<Done<T>>

/** Finds records that were made before, whoever sees them now. */
interface OnceDeps extends Pick<LockDeps, 'catalog' | 'queries' | 'storage'> {
  readonly clock: Clock
}

/** Repeats of one key that may wait in this process; all but one of them need no connection meanwhile. */
const MAX_WAITING_PER_KEY = 1_000
const MAX_WAITING = 10_000
/** Times that other processes may be faster. */
const MAX_ATTEMPTS = 5

/** The work had no effect: its transaction is rolled back. */
class WithoutEffect<T> extends Error {
  readonly result: T

  constructor(result: T) {
    super('Nothing to keep')
    this.result = result
  }
}

/** Creates the function, which lets repeats in this process wait without a connection. */
export function createOnce(deps: OnceDeps): Once {
  const { clock, storage } = deps
  /** Number of calls in this process that have the key or wait for it. */
  const present = new Map<string, number>()
  const turns = createTurns({
    atOnce: Number.POSITIVE_INFINITY,
    atOncePerKey: 1,
    waiting: MAX_WAITING,
    waitingPerKey: MAX_WAITING_PER_KEY,
    refusal: () => new Unavailable(),
  })

  return async (call, of, work) => {
    const name = `${of.personId} ${of.accountId} ${of.digest}`
    const ahead = present.get(name) ?? 0
    present.set(name, ahead + 1)
    let leave = () => {}
    try {
      leave = await turns.enter(name)
      // The first of its kind is not looked up: only its insert can tell.
      let isNew = ahead === 0 && !of.isOutside
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const used = isNew ? null : await findKey(storage, of, clock.now())
        isNew = false
        if (used && (await isRepeat(deps, call, of, used))) return { repeats: used }
        const done = needsNoReservation(of, used)
          ? await workUnreserved(call, of, work)
          : await workReserved(call, of, work, used)
        if (done) return done
      }
      throw new Unavailable()
    } finally {
      leave()
      const left = (present.get(name) ?? 1) - 1
      if (left > 0) present.set(name, left)
      else present.delete(name)
    }
  }

  /** Reserves the key, works, and stores the answer. Null if another process has used the key. */
  async function workReserved<T>(
    call: Call,
    of: Repeatable,
    work: (inside: Call) => Promise<Worked<T>>,
    replaced: UsedKey | null,
  ): Promise<Done<T> | null> {
    const before = of.isOutside ? await work(call) : null
    return kept(call, async (inside) => {
      await reserveKey(dbOf(storage, inside), storage, of, clock.now(), replaced)
      const worked = before ?? (await work(inside))
      if (worked.kept) await keepAnswer(dbOf(storage, inside), storage, of, worked.kept)
      return worked
    })
  }

  /**
   * Works, and stores the key with its answer. A repeat in another process waits at the unique values of the record, and is refused
   * there: then, or if anything else stops it, its answer is that of the first.
   */
  async function workUnreserved<T>(
    call: Call,
    of: Repeatable,
    work: (inside: Call) => Promise<Worked<T>>,
  ): Promise<Done<T> | null> {
    try {
      return await kept(call, async (inside) => {
        const worked = await work(inside)
        if (worked.kept) await keepKey(dbOf(storage, inside), storage, of, clock.now(), worked.kept)
        return worked
      })
    } catch (error) {
      // Whatever has stopped it: a hook of the host may fail at what the first one has stored.
      const used = await findKey(storage, of, clock.now()).catch(() => null)
      if (used && (await isRepeat(deps, call, of, used))) return { repeats: used }
      throw error
    }
  }

  /** Does work in a transaction, which is rolled back if it has no effect. Null if another process has used the key. */
  async function kept<T>(call: Call, work: (inside: Call) => Promise<Worked<T>>): Promise<Done<T> | null> {
    try {
      return await inTransaction(storage, call, async (inside) => {
        const worked = await work(inside)
        if (worked.kept === null) throw new WithoutEffect(worked.result)
        return { result: worked.result }
      })
    } catch (error) {
      if (error instanceof WithoutEffect) return { result: error.result as T }
      if (error instanceof KeyInUse) return null
      throw error
    }
  }
}

/** True if the key need not be reserved: the record has what implies it, so nobody else can create one with the same. */
function needsNoReservation({ isImplied, isOutside }: Repeatable, used: UsedKey | null): boolean {
  return isImplied && !isOutside && used === null
}

/** @throws Invalid, NotFound; Forbidden if the type is closed to the caller */
async function isRepeat(
  { catalog, queries }: OnceDeps,
  call: Call,
  of: Repeatable,
  { fingerprint, isOver, record }: UsedKey & { readonly isOver: boolean },
): Promise<boolean> {
  if (isOver) return false
  if (fingerprint !== of.fingerprint) {
    if (of.isImplied) return false
    throw new Invalid([['idempotency_key', 'key_of_other']])
  }
  const type = record && catalog.types.get(record.type)
  if (!type) return record === null
  if (!mayUse(call, type)) throw new Forbidden()
  const there = await queries.cells(call, { type, where: { path: ['id'], op: 'in', values: [record.id] } }, [['id']])
  if (there.length > 0) return true
  if (of.isImplied) return false
  throw new NotFound()
}
