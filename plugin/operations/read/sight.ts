/** Decides which referenced records the caller sees. References to other records are reduced (behaviour: References). */
import { mayUse } from '../../access/decide.js'
import type { Call } from '../../core/call.js'
import type { RecordType, SortKey } from '../../schema/compile/compile.js'
import type { Criterion } from '../../schema/conditions.js'
import type { Shape } from '../../schema/derive/shape.js'
import type { OperationDeps } from '../deps.js'

/** The referenced records of one response that the caller sees. */
export interface Sight {
  /** Looks up the records that the rows refer to: at most one query per type that the caller sees only in part. */
  look(shape: Shape, rows: readonly (readonly unknown[])[]): Promise<void>
  /** True if the record is in the scope of the caller; false for records that were not looked up. */
  sees(type: string, id: number): boolean
}

/**
 * The sort order, without leaks: if the caller does not see all referenced records and their titles are not public, sorts by
 * their ids instead of their titles.
 */
export async function orderInSight(
  deps: OperationDeps,
  call: Call,
  type: RecordType,
  sort: readonly SortKey[],
): Promise<readonly SortKey[]> {
  const order: SortKey[] = []
  for (const key of sort) {
    const field = type.fields.get(key.field)
    const other = field?.kind === 'ref' ? deps.catalog.types.get(field.record ?? '') : undefined
    order.push(!other || (await mayOrderByTitle(deps, call, other)) ? key : { ...key, byId: true })
  }
  return order
}

const NOTHING_SEEN = { whole: new Set<string>(), others: null }

/** True if sorting by the titles of all records reveals nothing that the caller does not see. */
export async function mayOrderByTitle(deps: OperationDeps, call: Call, type: RecordType): Promise<boolean> {
  if (type.access.publicTitle || call.bypassesPermissions) return true
  return mayUse(call, type) && (await deps.scope.extent(call, type)).whole.has(call.account.id)
}

/** Caches the lookups of one response. */
export function createSight(deps: OperationDeps, call: Call): Sight {
  if (call.bypassesPermissions) return { look: async () => {}, sees: () => true }
  const known = new Map<string, Map<number, boolean>>()

  const lookAt = async (name: string, accounts: ReadonlyMap<number, string>) => {
    const type = deps.catalog.type(name)
    const seen = known.get(name) ?? new Map<number, boolean>()
    known.set(name, seen)
    const { whole, others } = mayUse(call, type) ? await deps.scope.extent(call, type) : NOTHING_SEEN
    const asked: number[] = []
    for (const [id, account] of accounts) {
      if (seen.has(id)) continue
      seen.set(id, whole.has(account))
      if (others && !whole.has(account)) asked.push(id)
    }
    if (asked.length === 0 || !others) return
    const where: Criterion = { all: [{ path: ['id'], op: 'in', values: asked }, await others()] }
    for (const [id] of await deps.queries.cells(call, { type, where }, [['id']])) seen.set(Number(id), true)
  }

  return {
    async look(shape, rows) {
      const found = new Map<string, Map<number, string>>()
      for (const { type, idSlot, accountSlot } of shape.references) {
        const accounts = found.get(type) ?? new Map<number, string>()
        for (const cells of rows) if (cells[idSlot]) accounts.set(Number(cells[idSlot]), String(cells[accountSlot]))
        if (accounts.size > 0) found.set(type, accounts)
      }
      for (const [type, accounts] of found) await lookAt(type, accounts)
    },
    sees: (type, id) => known.get(type)?.get(id) ?? false,
  }
}
