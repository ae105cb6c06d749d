/**
 * Locks the owners of records before the records themselves. Two transactions that save children of the same owner then wait
 * for each other at the owner; otherwise each would hold a child that the other one's settling needs to change. ADR 0019.
 */
import { type Call, settlingCall } from '../../core/call.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import { referenceIn } from '../../schema/derive/input-names.js'
import { ANYTHING, type Criterion } from '../../schema/language/conditions.js'
import type { DraftRow, Row } from '../../schema/language/define-rule.js'
import type { SaveItem } from '../contract.js'
import type { ReadDeps } from '../read/read-deps.js'
import { visibleRows } from '../read/visible.js'
import { levelsAbove } from './marks.js'
import type { Unit } from './unit.js'

/**
 * Locks the owners to settle, in the order of their ids, and returns them by id. Owners that the transaction has locked or written
 * need no statement, unless they may count as removed.
 */
export async function lockSettled(
  deps: ReadDeps,
  call: Call,
  unit: Unit,
  type: RecordType,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Row>> {
  const isAlways = existsAlways(deps.catalog, type)
  const lockedRow = (id: number) => {
    const row = unit.known(type.name, id)
    return row && isAlways && unit.isOurs(type.name, id) && row['account_id'] === call.account.id ? row : null
  }
  const missing = ids.filter((id) => lockedRow(id) === null)
  const found = await visibleRows(deps, settlingCall(call, type.name), type, missing, { lock: true })
  for (const row of found.values()) unit.remember(type.name, row)
  return new Map(
    ids.flatMap((id): [number, Row][] => {
      const row = lockedRow(id) ?? found.get(id)
      return row ? [[id, row]] : []
    }),
  )
}

/** True if no record of the type counts as removed, nor its owner: then its rows need not be looked at again to know that. */
export function existsAlways(catalog: Catalog, { existsWhile, partOf }: RecordType): boolean {
  return existsWhile === ANYTHING && partOf.every((owner) => catalog.type(owner).existsWhile === ANYTHING)
}

/**
 * Locks and reads the only record that is about to be saved, if it is visible and has no owner, stored or in the body. Nearly all
 * requests are such records, and need one statement instead of two.
 *
 * @returns null if it may have owners: they have to be locked first, and it is not locked then
 */
export async function lockUnowned(
  deps: ReadDeps,
  call: Call,
  unit: Unit,
  type: RecordType,
  items: readonly SaveItem[],
): Promise<ReadonlyMap<number, DraftRow> | null> {
  const [item] = items
  const columns = [...columnsToOwners(deps, type)]
  const isOptional = columns.every((column) => type.columns.has(column) && !type.columns.get(column)?.required)
  if (!item || item.id === null || items.length > 1 || columns.length === 0 || !isOptional) return null
  if (unit.known(type.name, item.id) || Object.values(namedIn(type, columns, item)).some((id) => id !== null)) return null
  const where: Criterion = { all: columns.map((column): Criterion => ({ path: [column], op: 'in', values: [null] })) }
  // With one id, servers would look it up before anything else, and keep it locked although it does not meet the condition.
  const found = await visibleRows(deps, call, type, [item.id, NO_ID], { lock: true, where })
  return found.size > 0 ? found : null
}

/** The id of no record. */
const NO_ID = 0

/** Locks the owners of records that are about to be saved: the stored ones, and those in the bodies. */
export async function lockOwnersOfItems(
  deps: ReadDeps,
  call: Call,
  unit: Unit,
  type: RecordType,
  items: readonly SaveItem[],
): Promise<void> {
  const columns = [...columnsToOwners(deps, type)]
  if (columns.length === 0) return
  const named = items.map((item) => namedIn(type, columns, item))
  const ids = items.flatMap(({ id }) => id ?? [])
  await lockOwners(deps, call, unit, type, [...(await storedRows(unit, type, ids)), ...named])
}

/** The owners that a body names. */
function namedIn(type: RecordType, columns: readonly string[], { body, owner, restored }: SaveItem): Row {
  const references = columns.flatMap((column) => {
    const field = type.columns.get(column)
    return field ? [[column, restored ? (restored.values[column] ?? null) : referenceIn(body, field)] as const] : []
  })
  return { ...Object.fromEntries(references), ...(owner && { owner_type: owner.type, owner_id: owner.id }) }
}

/** Locks the owners of stored records that are about to be removed, linked, or referred to another record. */
export async function lockOwnersOf(
  deps: ReadDeps,
  call: Call,
  unit: Unit,
  type: RecordType,
  ids: readonly number[],
): Promise<void> {
  if (columnsToOwners(deps, type).size > 0) await lockOwners(deps, call, unit, type, await storedRows(unit, type, ids))
}

function columnsToOwners({ catalog }: ReadDeps, type: RecordType): ReadonlySet<string> {
  return new Set((catalog.settling.records.get(type.name) ?? []).flatMap(({ steps }) => steps[0]?.column ?? []))
}

async function storedRows(unit: Unit, type: RecordType, ids: readonly number[]): Promise<readonly Row[]> {
  await unit.prefetch(type.name, ids)
  return ids.map((id) => unit.known(type.name, id)).filter((row) => row !== undefined)
}

/** Locks from the top down: the owner, then the records between it and these. */
async function lockOwners(deps: ReadDeps, call: Call, unit: Unit, type: RecordType, rows: readonly Row[]) {
  const wanted = new Map<string, { height: number; readonly ids: Set<number> }>()
  for (const { steps } of deps.catalog.settling.records.get(type.name) ?? []) {
    const levels = await levelsAbove(unit, steps, rows)
    for (const [index, ids] of levels.entries()) {
      const name = steps[index]?.type ?? ''
      const known = wanted.get(name) ?? { height: 0, ids: new Set<number>() }
      for (const id of ids) known.ids.add(id)
      wanted.set(name, { ...known, height: Math.max(known.height, index) })
    }
  }
  const inOrder = [...wanted].sort(([a, one], [b, other]) => other.height - one.height || (a < b ? -1 : 1))
  for (const [name, { ids }] of inOrder) {
    const sorted = [...ids].sort((a, b) => a - b)
    const owner = deps.catalog.type(name)
    if (owner.settle.length > 0) await lockSettled(deps, call, unit, owner, sorted)
    await unit.lock(name, sorted)
  }
}
