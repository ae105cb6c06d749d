/** Decides which referenced records the caller sees. References to other records are reduced (behaviour: References). */
import type { Extent } from '../../access/sight/scope.js'
import type { Call } from '../../core/call.js'
import type { RecordType, SortKey } from '../../schema/catalog.js'
import type { Shape } from '../../schema/derive/shape.js'
import type { Criterion } from '../../schema/language/conditions.js'
import type { ReadDeps } from './read-deps.js'

/** The referenced records of one response that the caller sees. */
export interface Sight {
  /** Looks up the records that the rows refer to: at most one query per type that the caller sees only in part. */
  look(shape: Shape, rows: readonly (readonly unknown[])[]): Promise<void>
  /** True if the record is in the scope of the caller; false for records that were not looked up. */
  sees(type: string, id: number, account: unknown): boolean
}

/**
 * The sort order, without leaks: if the caller does not see all referenced records and their titles are not public, sorts by
 * their ids instead of their titles.
 */
export async function orderInSight(
  deps: ReadDeps,
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

/**
 * The filters, without leaks: a text that stands for a reference is looked up among the records that the caller may refer to,
 * if these are not all; of a type that is closed to the caller there are none. One query per such filter.
 */
export async function filtersInSight(
  deps: ReadDeps,
  call: Call,
  type: RecordType,
  filters: readonly Criterion[],
): Promise<readonly Criterion[]> {
  const safe: Criterion[] = []
  for (const filter of filters) safe.push(await filterInSight(deps, call, type, filter))
  return safe
}

async function filterInSight(deps: ReadDeps, call: Call, type: RecordType, filter: Criterion): Promise<Criterion> {
  if (!('path' in filter) || (filter.op !== 'in' && filter.op !== 'not in')) return filter
  const [name = '', text = ''] = filter.path
  const field = type.fields.get(name)
  const other = text !== '' && field?.shownAs === text ? deps.catalog.types.get(field.record ?? '') : undefined
  if (!other) return filter
  if (!(await deps.decisions.isOpen(call, other))) return { path: [name], op: filter.op, values: [] }
  if (await deps.scope.seesAll(call, other)) return filter
  const named: Criterion = { ...filter, path: [text], op: 'in' }
  const where: Criterion = { all: [named, await deps.scope.reachable(call, other)] }
  const found = await deps.queries.cells(call, { type: other, where }, [['id']])
  return { path: [name], op: filter.op, values: found.map(([id]) => Number(id)) }
}

const NOTHING_SEEN = { whole: new Set<string>(), others: null }

/** True if sorting by the titles of all records reveals nothing that the caller does not see. */
export async function mayOrderByTitle(deps: ReadDeps, call: Call, type: RecordType): Promise<boolean> {
  if (type.access.publicTitle || call.bypassesPermissions) return true
  return (await deps.decisions.isOpen(call, type)) && (await deps.scope.extent(call, type)).whole.has(call.account.id)
}

/** Caches the lookups of one response. */
export function createSight(deps: ReadDeps, call: Call): Sight {
  if (call.bypassesPermissions) return { look: async () => {}, sees: () => true }
  const known = new Map<string, Seen>()

  const extentOf = async (name: string): Promise<Seen> => {
    const type = deps.catalog.type(name)
    const extent = (await deps.decisions.isOpen(call, type)) ? await deps.scope.extent(call, type) : NOTHING_SEEN
    const seen = { ...extent, type, asked: new Set<number>(), ids: new Set<number>() }
    known.set(name, seen)
    return seen
  }

  return {
    async look(shape, rows) {
      const found = new Map<Seen, number[]>()
      for (const { type, idSlot, accountSlot } of shape.references) {
        if (!rows.some((cells) => cells[idSlot])) continue
        const seen = known.get(type) ?? (await extentOf(type))
        if (!seen.others) continue
        const ids = rows.filter((cells) => cells[idSlot] && !seen.whole.has(String(cells[accountSlot])))
        found.set(seen, [...(found.get(seen) ?? []), ...ids.map((cells) => Number(cells[idSlot]))])
      }
      for (const [seen, ids] of found) await lookAt(deps, call, seen, ids)
    },
    sees(type, id, account) {
      const seen = known.get(type)
      return seen !== undefined && (seen.whole.has(String(account)) || seen.ids.has(id))
    },
  }
}

/** The records of one type that the caller sees. */
interface Seen extends Extent {
  readonly type: RecordType
  /** Records of other accounts that were looked up, and those of them that the caller sees. */
  readonly asked: Set<number>
  readonly ids: Set<number>
}

async function lookAt(deps: ReadDeps, call: Call, { type, others, asked, ids }: Seen, wanted: readonly number[]) {
  const values = [...new Set(wanted)].filter((id) => !asked.has(id))
  if (values.length === 0 || !others) return
  for (const id of values) asked.add(id)
  const where: Criterion = { all: [{ path: ['id'], op: 'in', values }, await others()] }
  for (const [id] of await deps.queries.cells(call, { type, where }, [['id']])) ids.add(Number(id))
}
