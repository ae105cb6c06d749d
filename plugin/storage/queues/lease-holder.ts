/** The statements of leases of one kind and one holder: take, prolong, release. See `leases.ts`. */
import type { Knex } from 'knex'
import { chunksOf, MAX_VALUES } from '../../core/chunks.js'
import type { Clock } from '../../core/clock.js'
import type { Storage } from '../database/connections.js'
import { isDeadlock } from '../database/faults.js'
import { dateOfTimestamp, timestampOf } from '../database/timestamps.js'
import { repeatOnDeadlock } from '../database/transact.js'

/** Holder in the row of a lease that was released. */
const NOBODY = ''
/**
 * Milliseconds by which a lease may end later than if it had just been taken: clocks differ a little, and a process with older
 * settings may have taken it for longer. A later end comes from a wrong clock, and would hold the lease forever.
 */
const MAX_AHEAD = 3600_000

/** Thrown when another process has taken over: the present work must not be committed. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'

  constructor(kind: string, name: string) {
    super(`Another process has taken over the lease ${name === '' ? kind : `${kind} ${name}`}`)
  }
}

/** Takes leases of one kind. Methods that return names return those that the holder has afterwards. */
export interface Holder {
  /** True if the row of a lease names another holder, so that it cannot be taken yet. Without a row, both values are null. */
  isElsewhere(lease: { readonly holder: string | null; readonly heldUntil: string | null }): boolean
  /** Takes leases that are free or have expired; prolongs those that the holder has. */
  take(names: readonly string[]): Promise<ReadonlySet<string>>
  prolong(names: readonly string[]): Promise<ReadonlySet<string>>
  /** Releases leases; those that another holder has taken over are not changed. */
  release(names: readonly string[]): Promise<void>
  /**
   * Prolongs leases in a transaction that writes, so that the transaction conflicts with any process that takes one of them in
   * the meantime. Returns the leases that the transaction may write for.
   */
  fenceAll(db: Knex, names: readonly string[]): Promise<ReadonlySet<string>>
  /** Does the same for one lease. @throws LeaseLost */
  fence(db: Knex, name: string): Promise<void>
  /** @throws LeaseLost */
  check(name: string): Promise<void>
}

/** @param options.id a text that no other holder has */
export function createHolder(
  storage: Storage,
  clock: Clock,
  { kind, lastsMs, id }: { readonly kind: string; readonly lastsMs: number; readonly id: string },
): Holder {
  const pool = storage.knex
  const table = storage.table('leases')

  return {
    isElsewhere({ holder, heldUntil }) {
      if (heldUntil === null || holder === NOBODY || holder === id) return false
      const leftMs = dateOfTimestamp(heldUntil).getTime() - clock.now().getTime()
      return leftMs > 0 && leftMs <= lastsMs + MAX_AHEAD
    },

    async take(names) {
      return collected(names, async (some) => {
        const taken = await changeAtOnce((lease) =>
          lease.whereIn('name', some).where((free) =>
            free
              .whereIn('holder', [NOBODY, id])
              .orWhere('held_until', '<=', timeAfter(0))
              .orWhere('held_until', '>', timeAfter(lastsMs + MAX_AHEAD)),
          ),
        )
        if (taken === some.length) return some
        const known: readonly { name: string; holder: string }[] = await pool(table)
          .where({ kind })
          .whereIn('name', some)
          .select('name', 'holder')
        const missing = some.filter((name) => !known.some((lease) => lease.name === name))
        if (missing.length > 0 && (await add(missing))) return ours(pool, some)
        return known.filter(({ holder }) => holder === id).map(({ name }) => name)
      })
    },

    async prolong(names) {
      return collected(names, async (some) => {
        const prolonged = await changeAtOnce((lease) => lease.whereIn('name', some).where({ holder: id }))
        return prolonged === some.length ? some : ours(pool, some)
      })
    },

    async release(names) {
      for (const some of chunksOf(names, MAX_VALUES)) {
        const free = { holder: NOBODY, held_until: timeAfter(0), beats: pool.raw('beats + 1') }
        await repeatOnDeadlock(async () => pool(table).where({ kind, holder: id }).whereIn('name', some).update(free))
      }
    },

    fenceAll,

    async fence(db, name) {
      if (!(await fenceAll(db, [name])).has(name)) throw new LeaseLost(kind, name)
    },

    async check(name) {
      if ((await ours(pool, [name])).length === 0) throw new LeaseLost(kind, name)
    },
  }

  async function fenceAll(db: Knex, names: readonly string[]): Promise<ReadonlySet<string>> {
    return collected(names, async (some) => {
      const fenced = await change(db, (lease) => lease.whereIn('name', some).where({ holder: id }))
      if (fenced === some.length) return some
      // A locking read: it sees the present holder, not the one at the beginning of the transaction.
      return ours(db, some).forUpdate()
    })
  }

  /** Changes leases outside of a transaction. Null when another process was faster. */
  function changeAtOnce(which: (lease: Knex.QueryBuilder) => Knex.QueryBuilder): Promise<number | null> {
    return unlessTaken(() => change(pool, which))
  }

  /** Assigns leases to the holder for `lastsMs`, and returns their number. Counting `beats` makes it a change in any case. */
  async function change(db: Knex, which: (lease: Knex.QueryBuilder) => Knex.QueryBuilder): Promise<number> {
    const changes = { holder: id, held_until: timeAfter(lastsMs), beats: pool.raw('beats + 1') }
    return Number(await which(db(table).where({ kind })).update(changes))
  }

  /** Inserts leases that have no row yet, for the holder, unless another process is faster. */
  async function add(names: readonly string[]): Promise<boolean> {
    const rows = names.map((name) => ({ kind, name, holder: id, held_until: timeAfter(lastsMs) }))
    return (await unlessTaken(() => pool(table).insert(rows).onConflict(['kind', 'name']).ignore())) !== null
  }

  function ours(db: Knex, names: readonly string[]): Knex.QueryBuilder<object, string[]> {
    return db(table).where({ kind, holder: id }).whereIn('name', names).pluck('name')
  }

  function timeAfter(milliseconds: number): string {
    return timestampOf(new Date(clock.now().getTime() + milliseconds))
  }
}

async function collected(
  names: readonly string[],
  work: (some: readonly string[]) => Promise<readonly string[]>,
): Promise<ReadonlySet<string>> {
  const all = new Set<string>()
  for (const some of chunksOf([...new Set(names)], MAX_VALUES)) for (const name of await work(some)) all.add(name)
  return all
}

/** Null on a deadlock: then another process has the leases. */
async function unlessTaken<T>(work: () => PromiseLike<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (isDeadlock(error)) return null
    throw error
  }
}
