/** One phase of rules while it runs: their lookups, and their work on other records. */
import { type Asks, createAsks } from './asks.js'
import { createTurns, type Turns } from './turns.js'
import type { Work } from './work.js'

export interface Running {
  readonly asks: Asks
  readonly turns: Turns
  /** Waits for everything that a rule has started without waiting for it. */
  settled(): Promise<void>
  /** @throws if the phase has ended: it is too late for any effect */
  mustRun(): void
  /** Ends the phase. Rules that continue are refused: the transaction may be over by then. */
  end(): Promise<void>
}

/** @param phase its name in errors */
export function startRunning(
  { call, deps, type, unit }: Pick<Work, 'call' | 'deps' | 'type' | 'unit'>,
  phase: string,
): Running {
  const asks = createAsks(deps, call, unit)
  const turns = createTurns()
  let hasEnded = false
  const tooLate = () =>
    new Error(`A function of ${type.name} continued after the phase '${phase}': it must wait for what it starts`)
  const settled = async () => {
    while (!asks.isIdle() || !turns.isIdle()) {
      await asks.idle()
      await turns.idle()
    }
  }
  return {
    ...{ asks, turns, settled },
    mustRun() {
      if (hasEnded) throw tooLate()
    },
    async end() {
      hasEnded = true
      asks.close(tooLate)
      turns.close(tooLate)
      await settled()
    },
  }
}
