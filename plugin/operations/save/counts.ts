/** Counters in other records that a batch raises or lowers: one statement for all records with the same step. */
import type { Call } from '../../core/call.js'
import { chunksOf } from '../../core/chunks.js'
import type { RecordType } from '../../schema/catalog.js'
import { dbOf } from '../../storage/database/transaction.js'
import type { ReadDeps } from '../read/read-deps.js'
import { mistakeInValue } from '../work/mistakes.js'
import type { ValueDeps } from '../work/work-deps.js'
import type { Current } from './other-records.js'
import type { WriteDeps } from './related/write-deps.js'

export interface Counts {
  add(type: string, id: number, column: string, step: number): void
  /** Stores the sums, in the transaction of the call. @throws TypeError for a sum that the field cannot have */
  store(): Promise<void>
}

interface Sum {
  readonly type: RecordType
  readonly column: string
  /** What is added to each record, by its id. */
  readonly steps: Map<number, number>
  /** The rules that have added to it. */
  readonly rules: Set<string>
}

/** Adds up the steps of the rules of a batch; nothing is stored before `store` is called. */
export function createCounts(deps: WriteDeps & ValueDeps, call: Call, current: Pick<Current, 'rule'>): Counts {
  /** Steps by id, by type and column. */
  const sums = new Map<string, Sum>()
  return {
    add(type, id, column, step) {
      const key = `${type}.${column}`
      const sum = sums.get(key) ?? { type: deps.catalog.type(type), column, steps: new Map(), rules: new Set() }
      sums.set(key, sum)
      sum.rules.add(current.rule)
      sum.steps.set(id, (sum.steps.get(id) ?? 0) + step)
    },
    async store() {
      for (const { type, column, steps, rules } of sums.values()) {
        for (const [step, ids] of byStep(steps)) await deps.writer.add(dbOf(deps.storage, call), type, ids, column, step)
        current.rule = [...rules].join(' or ')
        await mustBeInBounds(deps, call, type, column, [...steps.keys()])
      }
    },
  }
}

/** Most counters have no bounds but 0, and need no look at their sums. */
async function mustBeInBounds(
  deps: ReadDeps & ValueDeps,
  call: Call,
  type: RecordType,
  column: string,
  all: readonly number[],
) {
  const { minimum, maximum } = type.columns.get(column) ?? {}
  if (minimum === undefined && maximum === undefined) return
  for (const ids of chunksOf(all)) {
    const where = { path: ['id'], op: 'in', values: ids } as const
    for (const row of await deps.queries.rows(call, { type, where })) {
      const mistake = mistakeInValue(deps, type, column, row[column])
      if (mistake !== null) throw new TypeError(`addTo: ${mistake}`)
    }
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
