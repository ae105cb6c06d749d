/** Links between records: /teams/:id/members, and references that are set like links (behaviour: Linked records). */
import { type Call, linksCall } from '../../core/call.js'
import { Forbidden, Invalid, NotFound } from '../../core/errors.js'
import type { RecordType } from '../../schema/catalog.js'
import { inputNameOf } from '../../schema/derive/input-names.js'
import type { Json } from '../../schema/kinds/fields.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { Link } from '../../schema/language/relations.js'
import { inTransaction } from '../../storage/database/transaction.js'
import type { Operations, Owner, Precondition } from '../contract.js'
import type { ReadDeps } from '../read/read-deps.js'
import { visibleRow } from '../read/visible.js'
import { decideOnLinks } from '../save/access-rows.js'
import { addLinesOf } from '../save/audit.js'
import { firstOfLink } from '../save/related/first-links.js'
import type { WriteDeps } from '../save/related/write-deps.js'
import { mayHaveLinks, setLinks } from '../save/related/write-links.js'
import { lockOwnersOf } from '../work/owners.js'
import { reachableIds } from '../work/references.js'
import type { RunWork } from '../work/run-work.js'
import { unitOf } from '../work/unit.js'
import { createChildLinking } from './link-children.js'

/** The ids that a record is to be linked to, instead of the current ones. */
type WantedIds = (before: readonly number[], link: Link, call: Call) => Promise<readonly number[]>

/** Saves the record to change links whose first one a field shows, and to change references that are set like links. */
export function createLinking(
  deps: WriteDeps,
  { removeEach, save, saveAll }: Pick<Operations, 'removeEach' | 'save' | 'saveAll'>,
  run: RunWork,
): Pick<Operations, 'link' | 'unlink' | 'unlinkAll'> {
  const inWork = <T>(call: Call, owner: Owner, work: (inside: Call) => Promise<T>) =>
    inTransaction(deps.storage, call, (inside) => run(inside, owner.type, () => work(inside)))
  const children = createChildLinking(deps, saveAll)
  const isChild = (owner: Owner, path: string) => deps.catalog.type(owner.type).children.has(path)

  /** Links whose first one a field shows are a change of the record itself. */
  const saveLinks = async (
    call: Call,
    type: RecordType,
    owner: Owner,
    path: string,
    before: readonly number[],
    after: readonly number[],
  ) => {
    if (before.join() === after.join()) return
    await save(linksCall(call, owner), type.name, owner.id, { [inputNameOf(type, path)]: after })
  }

  /** Sets the links to the result of `wanted` for the current ones, with an audit line of the owner. */
  const change = (call: Call, owner: Owner, path: string, wanted: WantedIds, precondition?: Precondition) =>
    inWork(call, owner, async (inside) => {
      const type = deps.catalog.type(owner.type)
      const link = type.links.get(path)
      if (!link) throw new NotFound()
      await lockOwnersOf(deps, inside, unitOf(deps, inside), type, [owner.id])
      // Locked: the new links depend on the current ones.
      const row: Row = await visibleRow(deps, inside, type, owner.id, { lock: true })
      if (link.write === 'none') throw new Forbidden()
      await decideOnLinks(deps, inside, type, row, path)
      const first = firstOfLink(type, path)
      const before = firstInFront(await linkedIds(deps, inside, link, owner.id), first && row[first.column])
      const after = await wanted(before, link, inside)
      await precondition?.(inside, null)
      if (after.length > 0 && !mayHaveLinks(type, row, path)) throw new Invalid([[path, 'not_allowed']])
      if (first) return saveLinks(inside, type, owner, path, before, after)
      const [changed] = await setLinks(deps, { removeEach }, inside, type, [{ row, name: path, ids: after }])
      if (changed) await addLinesOf(deps, inside, type, [row], 'update', { [path]: [changed.before, changed.ids] })
    })

  return {
    async link(call, owner, path, otherId) {
      if (isChild(owner, path)) return inWork(call, owner, (inside) => children.linkChild(inside, owner, path, otherId))
      await change(call, owner, path, async (before, link, inside) => {
        await mustReach(deps, inside, link, otherId)
        return before.includes(otherId) ? before : [...before, otherId]
      })
    },
    async unlink(call, owner, path, otherId, precondition) {
      if (isChild(owner, path))
        return inWork(call, owner, (inside) => children.unlinkChild(inside, owner, path, otherId, precondition))
      const without: WantedIds = async (before, link, inside) => {
        if (!before.includes(otherId)) throw new NotFound()
        await mustReach(deps, inside, link, otherId)
        return before.filter((id) => id !== otherId)
      }
      await change(call, owner, path, without, precondition)
    },
    async unlinkAll(call, owner, path, precondition) {
      if (isChild(owner, path)) return inWork(call, owner, (inside) => children.releaseAll(inside, owner, path, precondition))
      await change(call, owner, path, async () => [], precondition)
    },
  }
}

/** @throws NotFound if the caller may not refer to the record */
async function mustReach(deps: ReadDeps, call: Call, link: Link, id: number): Promise<void> {
  const found = await reachableIds(deps, call, deps.catalog.type(link.record), [id])
  if (!found.has(id)) throw new NotFound()
}

async function linkedIds(deps: ReadDeps, call: Call, link: Link, id: number): Promise<readonly number[]> {
  const type = deps.catalog.type(link.record)
  const cells = await deps.queries.cells(call, { type, where: { linkedBy: link, id } }, [['id']])
  return cells.map(([other]) => Number(other))
}

/** The first one, then the others, lowest id first: if the first is removed, the next one takes its place. */
function firstInFront(ids: readonly number[], first: Json | undefined): readonly number[] {
  const inOrder = [...ids].sort((a, b) => a - b)
  return inOrder.includes(Number(first)) ? [Number(first), ...inOrder.filter((id) => id !== first)] : inOrder
}
