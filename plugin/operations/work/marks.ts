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
    await unit.prefetch(base, ids)
    const rows = await Promise.all([...new Set(ids)].map((id) => unit.load(base, id)))
    await markAbove(
      unit,
      owner,
      steps,
      rows.filter((row) => row !== null),
    )
  }
}

async function markAbove(unit: Unit, owner: string, steps: readonly SettlingStep[], rows: readonly Row[]): Promise<void> {
  const [step, ...further] = steps
  if (!step)
    return unit.mark(
      owner,
      rows.map((row) => Number(row['id'])),
    )
  const led = rows.filter((row) => !step.isPart || row['owner_type'] === step.type)
  const ids = [...new Set(led.map((row) => Number(row[step.column] ?? 0)))].filter((id) => id > 0)
  if (further.length === 0) return unit.mark(owner, ids)
  for (const some of chunksOf(ids, MAX_VALUES)) {
    await unit.prefetch(step.type, some)
    const above = await Promise.all(some.map((id) => unit.load(step.type, id)))
    await markAbove(
      unit,
      owner,
      further,
      above.filter((row) => row !== null),
    )
  }
}
