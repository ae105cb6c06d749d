import type { Call } from '../../core/call.js'
import type { Pipeline } from './pipeline.js'
import { settle } from './settle.js'
import { type Unit, unitOf } from './unit.js'
import type { SettleDeps } from './work-deps.js'

/**
 * Does work in the transaction of the call, as part of its unit. Before it ends, and within the same savepoint, the outermost work
 * settles the marked owners, and passes the changes of records to the hooks of the host.
 *
 * @param step name in the chain of an error about endless work: the record type
 */
export type RunWork = <T>(call: Call, step: string, work: (unit: Unit) => Promise<T>) => Promise<T>

/**
 * @param pipeline saves what settling changes
 * @param passOn passes the changes of the unit to the hooks of the host
 */
export function createRunWork(
  deps: SettleDeps,
  pipeline: Pipeline,
  passOn: (unit: Unit, call: Call) => Promise<void>,
): RunWork {
  return async (call, step, work) => {
    const unit = unitOf(deps, call)
    const isOutermost = unit.isIdle()
    try {
      return await unit.within(step, async () => {
        const result = await work(unit)
        if (isOutermost) {
          await settle(deps, pipeline, unit, call)
          await passOn(unit, call)
        }
        return result
      })
    } catch (error) {
      // A caller that continues has rolled back to a savepoint, which undoes what was marked and changed.
      if (isOutermost) {
        unit.takeMarks()
        unit.takeChanges()
      }
      throw error
    }
  }
}
