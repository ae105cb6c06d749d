/** One phase of rules while it runs: what its rules have asked, and what they are doing to other records. */
import { type Asks, createAsks } from './asks.js'
import { createTurns, type Turns } from './turns.js'
import type { Work } from './work.js'

export interface Running {
  readonly asks: Asks
  readonly turns: Turns
  /** Waits for what a rule has begun and does not wait for itself. */
  settled(): Promise<void>
  /** @throws when the phase has ended: nothing that a rule says from then on could count */
  mustRun(): void
  /** Ends the phase. Rules that go on are refused: the transaction may be over by then. */
  end(): Promise<void>
}

/** @param phase what errors call it */
export function startRunning(
  { call, deps, type, unit }: Pick<Work, 'call' | 'deps' | 'type' | 'unit'>,
  phase: string,
): Running {
  const asks = createAsks(deps, call, unit)
  const turns = createTurns()
  let ended: Error | null = null
  const settled = async () => {
    while (!asks.isIdle() || !turns.isIdle()) {
      await asks.idle()
      await turns.idle()
    }
  }
  return {
    ...{ asks, turns, settled },
    mustRun() {
      if (ended) throw ended
    },
    async end() {
      ended = new Error(`A function of ${type.name} went on after the phase '${phase}': it must wait for what it begins`)
      asks.close(ended)
      turns.close(ended)
      await settled()
    },
  }
}
