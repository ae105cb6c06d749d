/** Counters in other records that a batch raises or lowers: one statement for all records with the same step. */
import type { Call } from '../../core/call.js'
import { dbOf } from '../../storage/transaction.js'
import type { OperationDeps } from '../deps.js'

export interface Counts {
  add(type: string, id: number, column: string, step: number): void
  /** Stores the sums, in the transaction of the call. */
  store(): Promise<void>
}

/** Adds up the steps of the rules of a batch; nothing is stored before `store` is called. */
export function createCounts(deps: OperationDeps, call: Call): Counts {
  /** Steps by id, by type and column. */
  const sums = new Map<string, { readonly type: string; readonly column: string; readonly steps: Map<number, number> }>()
  return {
    add(type, id, column, step) {
      const key = `${type}.${column}`
      const sum = sums.get(key) ?? { type, column, steps: new Map<number, number>() }
      sums.set(key, sum)
      sum.steps.set(id, (sum.steps.get(id) ?? 0) + step)
    },
    async store() {
      for (const { type, column, steps } of sums.values()) {
        for (const [step, ids] of byStep(steps)) {
          await deps.writer.add(dbOf(deps.storage, call), deps.catalog.type(type), ids, column, step)
        }
      }
    },
  }
}

/** Ids in order, so that two transactions lock the same rows in the same order. */
function byStep(steps: ReadonlyMap<number, number>): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>()
  for (const [id, step] of [...steps].sort(([a], [b]) => a - b)) {
    if (step !== 0) found.set(step, [...(found.get(step) ?? []), id])
  }
  return found
}
