/** Finds the owners that have to be settled because of a change. */
import type { CausingRecord } from '../../core/call.js'
import { chunksOf, MAX_VALUES } from '../../core/chunks.js'
import type { Catalog, SettlingStep } from '../../schema/catalog.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { Link } from '../../schema/language/relations.js'
import { onlyCause } from './causes.js'
import type { Unit } from './unit.js'

/** Links that were added or removed. */
export interface ChangedPairs {
  /** Ids of the records that the links start from. */
  readonly from: readonly number[]
  /** Ids of the records that they lead to. */
  readonly to: readonly number[]
}

/**
 * Marks the owners of records that were saved or removed: the previous and the current ones.
 *
 * @param concerned those of the rows that their own settlings have to look at
 */
export async function markOwners(
  unit: Unit,
  { settling }: Pick<Catalog, 'settling'>,
  type: string,
  rows: readonly Row[],
  concerned: readonly Row[] = rows,
): Promise<void> {
  const followed = settling.records.get(type) ?? []
  if (followed.length === 0) return
  for (const { owner, steps } of followed) {
    // Above the next level, which of several records has marked an owner is not known.
    const isNear = steps.length < 2
    const led = steps.length === 0 ? concerned : rows
    for (const [by, some] of isNear ? byRecord(type, led) : [[onlyCause(type, led), led] as const])
      await markAbove(unit, owner, steps, some, by)
  }
}

/** Rows of each record: as it was, and as it is. */
function byRecord(type: string, rows: readonly Row[]): readonly (readonly [CausingRecord | null, readonly Row[]])[] {
  const found = new Map<number, Row[]>()
  for (const row of rows) {
    const id = Number(row['id'])
    found.set(id, [...(found.get(id) ?? []), row])
  }
  return [...found.values()].map((some) => [onlyCause(type, some), some])
}

/** Marks the owners of records whose links have changed, from either side. */
export async function markLinked(
  unit: Unit,
  { settling }: Pick<Catalog, 'settling'>,
  link: Link,
  pairs: ChangedPairs,
  by: CausingRecord | null,
): Promise<void> {
  for (const { owner, base, steps, link: followed } of settling.links) {
    if (followed.table !== link.table) continue
    const ids = followed.from === link.from ? pairs.from : pairs.to
    if (steps.length === 0) unit.mark(owner, ids, by)
    else await markAbove(unit, owner, steps, await lockedRows(unit, base, ids), by)
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
async function markAbove(
  unit: Unit,
  owner: string,
  steps: readonly SettlingStep[],
  rows: readonly Row[],
  by: CausingRecord | null,
): Promise<void> {
  const [step, ...further] = steps
  const own = () => rows.map((row) => Number(row['id']))
  const ids = step ? idsAbove(step, rows) : own()
  if (!step || further.length === 0) return unit.mark(owner, ids, by)
  await markAbove(unit, owner, further, await lockedRows(unit, step.type, ids), by)
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
