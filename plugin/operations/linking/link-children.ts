/**
 * Records that refer to another one, linked and unlinked from there: /changes/:id/requests/:request_id
 * (behaviour: Linked records).
 */
import { type Call, linksCall } from '../../core/call.js'
import { chunksOf } from '../../core/chunks.js'
import { Invalid, NotFound } from '../../core/errors.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { Operations, Owner, Precondition, SaveItem } from '../contract.js'
import type { ReadDeps } from '../read/read-deps.js'
import { mustUse, visibleRow, visibleRows } from '../read/visible.js'
import { decideOnLinks } from '../save/access-rows.js'
import { lockOwnersOf, lockOwnersOfItems } from '../work/owners.js'
import { unitOf } from '../work/unit.js'
import type { LockDeps } from '../work/work-deps.js'

/** Number of records that are unlinked in one step. */
const LINKS_PER_STEP = 500

export interface ChildLinking {
  /** Sets the reference of the child to the owner. @throws NotFound, Forbidden, Invalid */
  linkChild(call: Call, owner: Owner, path: string, childId: number): Promise<void>
  /** Clears the reference; a record that does not refer to the owner is not found. @throws NotFound, Forbidden, Invalid, PreconditionFailed */
  unlinkChild(call: Call, owner: Owner, path: string, childId: number, precondition?: Precondition): Promise<void>
  /** Clears the reference of all children that the caller sees. @throws NotFound, Forbidden, Invalid, PreconditionFailed */
  releaseAll(call: Call, owner: Owner, path: string, precondition?: Precondition): Promise<void>
}

/**
 * Callers who may change the owner may link records that they see; the child is saved on behalf of the owner, through the
 * pipeline.
 */
export function createChildLinking(deps: LockDeps, saveAll: Operations['saveAll']): ChildLinking {
  const childAt = (owner: Owner, path: string) => {
    const child = deps.catalog.type(owner.type).children.get(path)
    const type = child && deps.catalog.type(child.record)
    const field = type?.fields.get(child?.linkedWith ?? '')
    if (!type || !field?.column) throw new NotFound()
    return { type, field: field.name, column: field.column }
  }

  const mayChange = async (call: Call, owner: Owner, path: string) => {
    const type = deps.catalog.type(owner.type)
    await decideOnLinks(deps, call, type, await visibleRow(deps, call, type, owner.id), path)
  }

  /** Locks the child, so that no other transaction can link it elsewhere before the save. */
  const lockedChild = async (call: Call, type: RecordType, id: number, body: object): Promise<Row> => {
    await lockOwnersOfItems(deps, call, unitOf(deps, call), type, [{ id, body }])
    return visibleRow(deps, call, type, id, { lock: true })
  }

  const save = async (call: Call, owner: Owner, type: RecordType, items: readonly SaveItem[]) => {
    const outcomes = await saveAll(linksCall(call, owner), type.name, items)
    for (const outcome of outcomes) {
      if (outcome.outcome === 'refused') throw new Invalid(outcome.violations)
      if (outcome.outcome === 'denied') throw outcome.error
    }
  }

  return {
    async linkChild(call, owner, path, childId) {
      const { type, column } = childAt(owner, path)
      await mayChange(call, owner, path)
      const row = await lockedChild(call, type, childId, { [column]: owner.id })
      if (row[column] !== owner.id) await save(call, owner, type, [{ id: childId, body: { [column]: owner.id } }])
    },
    async unlinkChild(call, owner, path, childId, precondition) {
      const { type, column } = childAt(owner, path)
      await mayChange(call, owner, path)
      const row = await lockedChild(call, type, childId, {})
      if (row[column] !== owner.id) throw new NotFound()
      await precondition?.(call, null)
      await save(call, owner, type, [{ id: childId, body: { [column]: null } }])
    },
    async releaseAll(call, owner, path, precondition) {
      const { type, column, field } = childAt(owner, path)
      await mayChange(call, owner, path)
      const ids = await visibleChildren(deps, call, type, field, owner.id)
      if (precondition) {
        await lockOwnersOf(deps, call, unitOf(deps, call), type, ids)
        await visibleRows(deps, call, type, ids, { lock: true })
        await precondition(call, null)
      }
      for (const some of chunksOf(ids, LINKS_PER_STEP)) {
        const items = some.map((id) => ({ id, body: { [column]: null } }))
        await save(call, owner, type, items)
      }
    },
  }
}

async function visibleChildren(
  deps: ReadDeps,
  call: Call,
  type: RecordType,
  field: string,
  ownerId: number,
): Promise<readonly number[]> {
  await mustUse(deps, call, type)
  const all = [{ path: [field], op: 'in', values: [ownerId] } as const, await deps.scope.visible(call, type)]
  const cells = await deps.queries.cells(call, { type, where: { all } }, [['id']])
  return cells.map(([id]) => Number(id))
}
