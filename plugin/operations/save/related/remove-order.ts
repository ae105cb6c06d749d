/** The order of linked records, when some of them are unlinked (behaviour: Change templates). */
import { type Call, linksCall } from '../../../core/call.js'
import { chunksOf } from '../../../core/chunks.js'
import type { RecordType } from '../../../schema/catalog.js'
import { orderOfLink } from '../../../schema/derive/order-of-links.js'
import type { Row } from '../../../schema/language/define-rule.js'
import type { Link } from '../../../schema/language/relations.js'
import { partsOfOwners } from '../../read/visible.js'
import type { Others } from '../../work/pipeline.js'
import type { WriteDeps } from './write-deps.js'

/** Links of one record that were removed. */
interface Gone {
  readonly row: Row
  /** Ids of the records that it was linked with. */
  readonly gone: readonly number[]
}

/** A link of a record type. */
interface Place {
  readonly type: RecordType
  readonly name: string
  readonly link: Link
}

/** Removes the sub-records that order a record with one that is no longer linked. Two queries at most, but for large batches. */
export async function removeOrder(
  { catalog, queries }: WriteDeps,
  { removeEach }: Pick<Others, 'removeEach'>,
  call: Call,
  { link, name, type }: Place,
  changes: readonly Gone[],
): Promise<void> {
  const order = orderOfLink(catalog, name, link)
  const gone = new Map(changes.flatMap((one) => (one.gone.length > 0 ? [[Number(one.row['id']), new Set(one.gone)]] : [])))
  if (!order || gone.size === 0) return
  for (const owners of chunksOf([...gone.keys()])) {
    const where = partsOfOwners(type.name, owners)
    const ends = [[order.before.name], [order.after.name]]
    const stored = await queries.cells(call, { type: order.type, where }, [['id'], ['owner_id'], ...ends])
    const without = stored.filter(([, owner, ...both]) => both.some((id) => gone.get(Number(owner))?.has(Number(id))))
    const [first = 0] = owners
    if (without.length > 0)
      await removeEach(
        linksCall(call, { type: type.name, id: first }),
        order.type.name,
        without.map(([id]) => ({ id: Number(id) })),
      )
  }
}
