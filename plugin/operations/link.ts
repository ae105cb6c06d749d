/** Links between records: /teams/:id/members. gaps 1.11. */
import type { Call } from '../core/call.js'
import { Forbidden, NotFound } from '../core/errors.js'
import type { Link } from '../schema/define-record.js'
import type { Row } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'
import { inTransaction } from '../storage/transaction.js'
import { addAuditLine } from './audit.js'
import type { Operations, Owner } from './operations.js'
import type { OperationParts } from './parts.js'
import { reachableIds } from './references.js'
import { visibleRow } from './visible.js'
import { setLinks } from './write-belongings.js'

export function createLinking(parts: OperationParts): Pick<Operations, 'link' | 'unlink' | 'unlinkAll' | 'setLinks'> {
  /** Makes the links what `wanted` says of those that are there, with an audit line of the owner. */
  const change = (
    call: Call,
    owner: Owner,
    path: string,
    wanted: (before: readonly number[], link: Link, call: Call) => Promise<readonly number[]>,
  ) =>
    inTransaction(parts.storage, call, async (inside) => {
      const type = parts.catalog.type(owner.type)
      const link = type.links.get(path)
      if (!link) throw new NotFound()
      const row: Row = await visibleRow(parts, inside, type, owner.id)
      if (link.write === 'none') throw new Forbidden()
      await parts.decisions.decide(inside, 'update', type, row)
      if (parts.decisions.fields(inside, 'update', type, row) !== 'all') throw new Forbidden()
      const before = await linkedIds(parts, inside, link, owner.id)
      const after = await wanted(before, link, inside)
      const changed = await setLinks(parts, inside, type, owner, path, after)
      if (changed) await addAuditLine(parts, inside, owner, row, 'update', { [path]: [changed as Json, after as Json] })
      return changed !== null
    })

  return {
    async link(call, owner, path, otherId) {
      await change(call, owner, path, async (before, link, inside) => {
        const found = await reachableIds(parts, inside, parts.catalog.type(link.record), [otherId])
        if (!found.has(otherId)) throw new NotFound()
        return before.includes(otherId) ? before : [...before, otherId]
      })
    },
    async unlink(call, owner, path, otherId) {
      await change(call, owner, path, async (before) => {
        if (!before.includes(otherId)) throw new NotFound()
        return before.filter((id) => id !== otherId)
      })
    },
    async unlinkAll(call, owner, path) {
      await change(call, owner, path, async () => [])
    },
    setLinks(call, owner, path, otherIds) {
      return change(call, owner, path, async () => otherIds)
    },
  }
}

async function linkedIds(parts: OperationParts, call: Call, link: Link, id: number): Promise<readonly number[]> {
  const type = parts.catalog.type(link.record)
  const cells = await parts.queries.cells(call, { type, where: { linkedBy: link, id } }, [['id']])
  return cells.map(([other]) => Number(other))
}
