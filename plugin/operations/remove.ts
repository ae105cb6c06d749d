/** Removes records, for good or by a flag; only types whose definition offers it. */
import type { Call } from '../core/call.js'
import { Invalid } from '../core/errors.js'
import type { RecordType } from '../schema/compile.js'
import type { Row } from '../schema/define-rule.js'
import { AUDIT_LINE } from '../schema/foundation.js'
import { dbOf, inTransaction } from '../storage/transaction.js'
import { addAuditLine } from './audit.js'
import { type Draft, inFieldOrder, startDraft } from './draft.js'
import type { Operations, Owner } from './operations.js'
import type { OperationParts } from './parts.js'
import { createReferences } from './references.js'
import { type RuleWork, runRules } from './run-rules.js'
import { standingOf } from './standing.js'
import { partsOfOwner, visibleRow } from './visible.js'

export function createRemoving(parts: OperationParts, others: RuleWork['others']): Pick<Operations, 'remove' | 'removeAll'> {
  const workOn = (call: Call, type: RecordType): RuleWork => {
    return { parts, call, type, references: createReferences(parts, call), others }
  }

  const askRules = async (phase: 'remove' | 'removeAll', work: RuleWork, draft: Draft) => {
    await runRules(phase, work, [draft])
    if (draft.violations.length > 0) throw new Invalid(inFieldOrder(work.type, draft.violations))
  }

  const removeRow = async (call: Call, type: RecordType, row: Row) => {
    await parts.decisions.decide(call, 'remove', type, await standingOf(parts, call, type, row))
    const flag = type.removalSets
    if (flag && row[flag] === true) return
    const draft = { ...startDraft({ id: Number(row['id']), body: {} }), before: { ...row }, next: { ...row } }
    const work = workOn(call, type)
    await askRules('remove', work, draft)
    const owner: Owner = { type: type.name, id: Number(row['id']) }
    if (flag) {
      // Who may remove the record may not be who may change it.
      await others.save({ ...call, systemReason: `removal of ${type.name}` }, type.name, owner.id, { [flag]: true })
      return
    }
    const db = dbOf(parts.storage, call)
    await removeParts(parts, call, type, owner)
    for (const link of type.links.values()) await db(parts.storage.table(link.table)).where(link.from, owner.id).delete()
    await parts.writer.remove(db, type, [owner.id])
    await runRules('removed', work, [draft])
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
        await askRules('removeAll', workOn(inside, type), { ...startDraft({ id: null, body: {} }), next: ownership })
        for (const row of await parts.queries.rows(inside, { type, where: partsOfOwner(owner) }))
          await removeRow(inside, type, row)
      })
    },
  }
}

/** Deletes the parts of a record, and theirs: a note takes its attachments along. */
async function removeParts(parts: OperationParts, call: Call, type: RecordType, owner: Owner): Promise<void> {
  for (const name of type.parts.values()) {
    // Audit lines outlive their record: they tell who removed it.
    if (name === AUDIT_LINE) continue
    const part = parts.catalog.type(name)
    const rows = await parts.queries.rows(call, { type: part, where: partsOfOwner(owner) })
    const ids = rows.map((row) => Number(row['id']))
    if (part.parts.size > 0) for (const id of ids) await removeParts(parts, call, part, { type: name, id })
    await parts.writer.remove(dbOf(parts.storage, call), part, ids)
  }
}
