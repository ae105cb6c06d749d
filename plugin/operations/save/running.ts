/** One phase of rules while it runs: their lookups, their own statements, and their work on other records. */
import type { Knex } from 'knex'
import { lendTransaction } from '../../storage/database/lend-transaction.js'
import type { Work } from '../work/pipeline.js'
import type { LookupDeps } from '../work/work-deps.js'
import { type Asks, createAsks } from './asks.js'
import { createTurns, type Turns } from './rule-turns.js'

export interface Running {
  readonly asks: Asks
  readonly turns: Turns
  /** The transaction, for tables of the host. */
  readonly db: Knex
  /** True if there is nothing to wait for. */
  isSettled(): boolean
  /** Waits for everything that a rule has started without waiting for it. */
  settled(): Promise<void>
  /** @throws if the phase has ended: it is too late for any effect */
  mustRun(): void
  /** Ends the phase. Rules that continue are refused: the transaction may be over by then. */
  end(): Promise<void>
}

/**
 * @param phase its name in errors
 * @param who the functions that run in it, in errors
 */
export function startRunning(
  { call, deps, unit }: Pick<Work<LookupDeps>, 'call' | 'deps' | 'unit'>,
  phase: string,
  who: () => string,
): Running {
  const asks = createAsks(deps, call, unit)
  const turns = createTurns(deps.storage, call)
  let hasEnded = false
  const tooLate = () =>
    new Error(`A function of ${who()} continued after the phase '${phase}': it must wait for what it starts`)
  const mustRun = () => {
    if (hasEnded) throw tooLate()
  }
  const lent = lendTransaction(deps.storage, call, mustRun)
  const isSettled = () => asks.isIdle() && turns.isIdle() && lent.isIdle()
  const settled = async () => {
    while (!isSettled()) {
      await asks.idle()
      await turns.idle()
      await lent.idle()
    }
  }
  return {
    asks,
    turns,
    isSettled,
    settled,
    mustRun,
    async end() {
      hasEnded = true
      asks.close(tooLate)
      turns.close(tooLate)
      await settled()
    },
    // Made when it is asked for: most rules have no tables of their own. Last: objects with a getter before other members are slow.
    get db() {
      return lent.db
    },
  }
}
