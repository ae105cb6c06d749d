/** Links that rules ask for, for a whole batch at once. */
import type { Call } from '../../core/call.js'
import { chunksOf, MAX_VALUES } from '../../core/chunks.js'
import { dbOf } from '../../storage/database/transaction.js'
import type { Rows } from '../work/loaded-rows.js'
import type { LockDeps } from '../work/work-deps.js'

export interface LinkLookups {
  /** Returns the pairs that are linked, as texts of both ids with a blank between them. */
  idsLinked(type: string, link: string, from: readonly number[], to: readonly number[]): Promise<ReadonlySet<string>>
  /** The linked ids of each record, in their order. */
  idsFrom(type: string, link: string, from: readonly number[]): Promise<readonly (readonly number[])[]>
}

/** @param pairs those that were read before */
export function linkLookups({ catalog, storage }: LockDeps, call: Call, { isPaired }: Pick<Rows, 'isPaired'>): LinkLookups {
  const db = () => dbOf(storage, call)

  const idsLinked: LinkLookups['idsLinked'] = async (typeName, link, from, to) => {
    const found = catalog.type(typeName).links.get(link)
    const pairs = new Set<string>()
    if (!found) return pairs
    const [[id = 0], [other = 0]] = [from, to]
    const isKnown = from.length === 1 && to.length === 1 ? isPaired(found, id, other) : undefined
    if (isKnown !== undefined) return isKnown ? pairs.add(`${id} ${other}`) : pairs
    const table = storage.table(found.table)
    for (const some of chunksOf([...new Set(from)], MAX_VALUES)) {
      for (const others of chunksOf([...new Set(to)], MAX_VALUES)) {
        const rows: Record<string, unknown>[] = await db()(table)
          .whereIn(found.from, [...some])
          .whereIn(found.to, [...others])
          .select(found.from, found.to)
        for (const row of rows) pairs.add(`${Number(row[found.from])} ${Number(row[found.to])}`)
      }
    }
    return pairs
  }

  const idsFrom: LinkLookups['idsFrom'] = async (typeName, linkName, from) => {
    const link = catalog.type(typeName).links.get(linkName)
    if (!link) return from.map(() => [])
    const found = new Map<number, number[]>(from.map((id) => [id, []]))
    for (const some of chunksOf([...found.keys()])) {
      const rows: Record<string, unknown>[] = await db()(storage.table(link.table))
        .whereIn(link.from, [...some])
        .orderBy(link.to)
        .select(link.from, link.to)
      for (const row of rows) found.get(Number(row[link.from]))?.push(Number(row[link.to]))
    }
    return from.map((id) => found.get(id) ?? [])
  }

  return { idsLinked, idsFrom }
}
