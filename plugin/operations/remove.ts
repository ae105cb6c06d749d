/** Removes records for good; only types whose definition offers it. */
import type { Call } from '../core/call.js'
import { Invalid } from '../core/errors.js'
import type { RecordType } from '../schema/compile.js'
import type { Row } from '../schema/define-rule.js'
import { AUDIT_LINE } from '../schema/foundation.js'
import { dbOf, inTransaction } from '../storage/transaction.js'
import { addAuditLine } from './audit.js'
import { inFieldOrder, startDraft } from './draft.js'
import type { Operations, Owner } from './operations.js'
import type { OperationParts } from './parts.js'
import { createReferences } from './references.js'
import { runRules } from './run-rules.js'
import { partsOfOwner, visibleRow } from './visible.js'

export function createRemoving(parts: OperationParts, save: Operations['save']): Pick<Operations, 'remove' | 'removeAll'> {
  const removeRow = async (call: Call, type: RecordType, row: Row) => {
    await parts.decisions.decide(call, 'remove', type, row)
    const draft = { ...startDraft({ id: Number(row['id']), body: {} }), before: { ...row }, next: { ...row } }
    await runRules('remove', parts, save, call, type, [draft], createReferences(parts, call))
    if (draft.violations.length > 0) throw new Invalid(inFieldOrder(type, draft.violations))
    const owner: Owner = { type: type.name, id: Number(row['id']) }
    const db = dbOf(parts.storage, call)
    for (const name of type.parts.values()) {
      const part = parts.catalog.type(name)
      // Audit lines outlive their record: they tell who removed it.
      if (part.name === AUDIT_LINE) continue
      const rows = await parts.queries.rows(call, { type: part, where: partsOfOwner(owner) })
      await parts.writer.remove(
        db,
        part,
        rows.map((r) => Number(r['id'])),
      )
    }
    for (const link of type.links.values()) await db(parts.storage.table(link.table)).where(link.from, owner.id).delete()
    await parts.writer.remove(db, type, [owner.id])
    await parts.afterwards.get(type.name)?.(db, row, null)
    await addAuditLine(parts, call, owner, row, 'destroy', {})
  }

  return {
    async remove(call, typeName, id, owner) {
      const type = parts.catalog.type(typeName)
      await inTransaction(parts.storage, call, async (inside) => {
        if (owner) await visibleRow(parts, inside, parts.catalog.type(owner.type), owner.id)
        await removeRow(inside, type, await visibleRow(parts, inside, type, id, owner))
      })
    },
    async removeAll(call, typeName, owner) {
      const type = parts.catalog.type(typeName)
      await inTransaction(parts.storage, call, async (inside) => {
        await visibleRow(parts, inside, parts.catalog.type(owner.type), owner.id)
        const ownership = { owner_type: owner.type, owner_id: owner.id }
        await parts.decisions.decide(inside, 'remove', type, ownership)
        for (const row of await parts.queries.rows(inside, { type, where: partsOfOwner(owner) }))
          await removeRow(inside, type, row)
      })
    },
  }
}
