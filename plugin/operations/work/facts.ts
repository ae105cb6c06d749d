/** Reads the records that settlings follow: one statement per source, for any number of owners. */

import type { Call } from '../../core/call.js'
import { chunksOf, MAX_VALUES } from '../../core/chunks.js'
import type { RecordType } from '../../schema/compile/compile.js'
import type { Criterion } from '../../schema/conditions.js'
import type { Row } from '../../schema/define-rule.js'
import type { LinkPair, Settling } from '../../schema/define-settling.js'
import { dbOf } from '../../storage/transaction.js'
import type { OperationDeps } from '../deps.js'
import { partsOfOwners } from '../read/visible.js'

/** Records or links of one source. */
export interface Sourced {
  /** Null for links. */
  readonly type: RecordType | null
  /** By the id of the owner. */
  readonly of: ReadonlyMap<number, readonly (Row | LinkPair)[]>
}

/** All records that a settling follows, for all owners, by the name of the source. */
export async function readSources(
  deps: OperationDeps,
  call: Call,
  type: RecordType,
  settling: Settling,
  ownerIds: readonly number[],
): Promise<ReadonlyMap<string, Sourced>> {
  const found = new Map<string, Sourced>()
  for (const [name, source] of Object.entries(settling.of)) {
    const above = source.of === undefined ? null : found.get(source.of)
    const base = above?.type ?? type
    /** The owner of each record that the source starts from. */
    const ownerOf = new Map(ownerIds.map((id) => [id, id]))
    if (above) {
      ownerOf.clear()
      for (const [owner, rows] of above.of) for (const row of rows) ownerOf.set(Number((row as Row)['id']), owner)
    }
    if ('link' in source) {
      const pairs = await readPairs(deps, call, base, source.link, [...ownerOf.keys()])
      found.set(name, { type: null, of: grouped(pairs, ({ from }) => ownerOf.get(from)) })
      continue
    }
    const of = deps.catalog.type('part' in source ? source.part : source.type)
    const ids = [...ownerOf.keys()]
    const led: Criterion = 'part' in source ? partsOfOwners(base.name, ids) : { path: [source.by], op: 'in', values: ids }
    const column = 'part' in source ? 'owner_id' : `${source.by}_id`
    const where: Criterion = { all: [led, await deps.scope.visible(call, of)] }
    const rows: readonly Row[] = ids.length === 0 ? [] : await deps.queries.rows(call, { type: of, where })
    found.set(name, {
      type: of,
      of: grouped(
        rows.map((row) => Object.freeze({ ...row })),
        (row) => ownerOf.get(Number(row[column])),
      ),
    })
  }
  return found
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => number | undefined): ReadonlyMap<number, readonly T[]> {
  const groups = new Map<number, T[]>()
  for (const one of all) {
    const key = keyOf(one)
    if (key === undefined) continue
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return groups
}

async function readPairs(deps: OperationDeps, call: Call, base: RecordType, name: string, ids: readonly number[]) {
  const link = base.links.get(name)
  if (!link) return []
  const pairs: LinkPair[] = []
  for (const some of chunksOf(ids, MAX_VALUES)) {
    const rows: Record<string, unknown>[] = await dbOf(
      deps.storage,
      call,
    )(deps.storage.table(link.table))
      .whereIn(link.from, [...some])
      .orderBy([link.from, link.to])
      .select(link.from, link.to)
    for (const row of rows) pairs.push(Object.freeze({ from: Number(row[link.from]), to: Number(row[link.to]) }))
  }
  return pairs
}
