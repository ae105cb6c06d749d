/** Finds the owners that have to be settled because of a change. */
import { chunksOf, MAX_VALUES } from '../../core/chunks.js'
import type { Catalog } from '../../schema/compile/compile.js'
import type { SettlingStep } from '../../schema/compile/compile-settling.js'
import type { Link } from '../../schema/define-record.js'
import type { Row } from '../../schema/define-rule.js'
import type { Unit } from './unit.js'

/** Links that were added or removed. */
export interface ChangedPairs {
  /** Ids of the records that the links start from. */
  readonly from: readonly number[]
  /** Ids of the records that they lead to. */
  readonly to: readonly number[]
}

/** Marks the owners of records that were saved or removed: the previous and the current ones. */
export async function markOwners(unit: Unit, { settling }: Catalog, type: string, rows: readonly Row[]): Promise<void> {
  for (const { owner, steps } of settling.records.get(type) ?? []) await markAbove(unit, owner, steps, rows)
}

/** Marks the owners of records whose links have changed, from either side. */
export async function markLinked(unit: Unit, { settling }: Catalog, link: Link, pairs: ChangedPairs): Promise<void> {
  for (const { owner, base, steps, link: followed } of settling.links) {
    if (followed.table !== link.table) continue
    const ids = followed.from === link.from ? pairs.from : pairs.to
    if (steps.length === 0) unit.mark(owner, ids)
    else await markAbove(unit, owner, steps, await lockedRows(unit, base, ids))
  }
}

/**
 * Ids of the records above these, step by step up to the owner; the rows between are only read.
 *
 * @returns a list for each step
 */
export async function levelsAbove(
  unit: Unit,
  steps: readonly SettlingStep[],
  rows: readonly Row[],
): Promise<readonly (readonly number[])[]> {
  const levels: (readonly number[])[] = []
  let current = rows
  for (const [index, step] of steps.entries()) {
    const ids = idsAbove(step, current)
    levels.push(ids)
    if (index === steps.length - 1) break
    for (const some of chunksOf(ids, MAX_VALUES)) await unit.prefetch(step.type, some)
    current = ids.map((id) => unit.known(step.type, id)).filter((row) => row !== undefined)
  }
  return levels
}

/** Locks the records between: their owner must not change before the owner is settled. */
async function markAbove(unit: Unit, owner: string, steps: readonly SettlingStep[], rows: readonly Row[]): Promise<void> {
  const [step, ...further] = steps
  if (!step)
    return unit.mark(
      owner,
      rows.map((row) => Number(row['id'])),
    )
  const ids = idsAbove(step, rows)
  if (further.length === 0) return unit.mark(owner, ids)
  await markAbove(unit, owner, further, await lockedRows(unit, step.type, ids))
}

async function lockedRows(unit: Unit, type: string, ids: readonly number[]): Promise<readonly Row[]> {
  const inOrder = [...new Set(ids)].sort((a, b) => a - b)
  const rows: Row[] = []
  for (const some of chunksOf(inOrder, MAX_VALUES)) rows.push(...(await unit.lock(type, some)).values())
  return rows
}

function idsAbove(step: SettlingStep, rows: readonly Row[]): readonly number[] {
  const led = rows.filter((row) => !step.isPart || row['owner_type'] === step.type)
  return [...new Set(led.map((row) => Number(row[step.column] ?? 0)))].filter((id) => id > 0)
}
