/**
 * The one write pipeline. The interface, imports, event submission, jobs, rules and the host's own calls all store records
 * here, with the same checks, rules, audit and events. Each step takes a whole batch, so that an import of 500 rows costs each
 * query once; a single save is a batch of one. design.md 5.
 */
import { mayWrite } from '../access/decide.js'
import type { Call } from '../core/call.js'
import { Forbidden, Invalid, NotFound } from '../core/errors.js'
import { outboxEvents } from '../events/detect.js'
import type { RecordType } from '../schema/compile.js'
import type { DraftRow } from '../schema/define-rule.js'
import { uniqueKeyName } from '../schema/derive/tables.js'
import { duplicateKeyName, isDuplicate } from '../storage/faults.js'
import { addToOutbox } from '../storage/outbox.js'
import { afterCommit, dbOf, inTransaction } from '../storage/transaction.js'
import { addAuditLines } from './audit.js'
import { checkComplete, fieldOf } from './check-complete.js'
import { changedColumns, type Draft, inFieldOrder, isSound, refuse, startDraft } from './draft.js'
import type { Operations, SaveItem, SaveOutcome } from './operations.js'
import type { OperationParts } from './parts.js'
import { createReferences, type References } from './references.js'
import { runRules } from './run-rules.js'
import { visibleRows } from './visible.js'
import { writeBelongings } from './write-belongings.js'

export function createSaving(parts: OperationParts): Pick<Operations, 'save' | 'saveAll'> {
  const saving: Pick<Operations, 'save' | 'saveAll'> = {
    async save(call, typeName, id, body, owner) {
      return inTransaction(parts.storage, call, async (inside) => {
        const [outcome] = await saving.saveAll(inside, typeName, [owner ? { id, body, owner } : { id, body }])
        if (!outcome) throw new NotFound()
        if (outcome.outcome === 'refused') throw new Invalid(outcome.violations)
        if (outcome.outcome === 'denied') throw outcome.error
        return outcome.row
      })
    },
    saveAll(call, typeName, items) {
      const type = parts.catalog.type(typeName)
      return inTransaction(parts.storage, call, (inside) => runPipeline(parts, saving, inside, type, items))
    },
  }
  return saving
}

async function runPipeline(
  parts: OperationParts,
  saving: Pick<Operations, 'save' | 'saveAll'>,
  call: Call,
  type: RecordType,
  items: readonly SaveItem[],
): Promise<readonly SaveOutcome[]> {
  const all = items.map(startDraft)
  const sound = () => all.filter(isSound)
  const references = createReferences(parts, call)

  await loadForUpdate(parts, call, type, all, references)
  await decide(parts, call, type, sound())
  validate(parts, call, type, sound())
  applyDefaults(
    call,
    type,
    all.filter((draft) => draft.denied === null),
  )
  const filled = all.filter((draft) => draft.denied === null)
  await prefetchReferences(type, filled, references)
  await runRules('before', parts, saving.save, call, type, filled, references)
  await checkComplete(parts, call, type, filled, references)
  await write(parts, call, type, sound())
  await writeBelongings(parts, saving, call, type, sound())
  await addAuditLines(parts, call, type, sound())
  await addEvents(parts, call, type, sound())
  for (const draft of sound()) references.remember(type.name, draft.next)
  await runRules('after', parts, saving.save, call, type, sound(), references)
  const afterwards = parts.afterwards.get(type.name)
  if (afterwards) for (const { before, next } of sound()) await afterwards(dbOf(parts.storage, call), before, next)
  await storeLateValues(parts, call, type, sound())
  return all.map((draft) => outcomeOf(type, draft))
}

/** Reads and locks what is to be changed; what the caller does not see is not there. */
async function loadForUpdate(
  parts: OperationParts,
  call: Call,
  type: RecordType,
  drafts: readonly Draft[],
  references: References,
) {
  const owners = new Map<string, Set<number>>()
  for (const { owner } of drafts) if (owner) owners.set(owner.type, (owners.get(owner.type) ?? new Set()).add(owner.id))
  for (const [name, ids] of owners) {
    const rows = await visibleRows(parts, call, parts.catalog.type(name), [...ids])
    for (const row of rows.values()) references.remember(name, row)
    for (const draft of drafts) {
      if (draft.owner?.type === name && !rows.has(draft.owner.id)) draft.denied = new NotFound()
    }
  }
  const ids = drafts.flatMap((draft) => (draft.item.id === null ? [] : [draft.item.id]))
  const rows = await visibleRows(parts, call, type, ids, { lock: true })
  for (const draft of drafts) {
    if (draft.item.id === null) continue
    const row = rows.get(draft.item.id)
    const misplaced = draft.owner && (row?.['owner_type'] !== draft.owner.type || row?.['owner_id'] !== draft.owner.id)
    if (!row || misplaced) draft.denied = new NotFound()
    else draft.before = row
  }
}

async function decide(parts: OperationParts, call: Call, type: RecordType, drafts: readonly Draft[]) {
  for (const draft of drafts) {
    try {
      await parts.decisions.decide(call, draft.before ? 'update' : 'create', type, draft.before ?? ownership(draft))
    } catch (error) {
      if (!(error instanceof Forbidden)) throw error
      draft.denied = error
    }
  }
}

/** What is known of a record that is not there yet: whose part it will be. */
function ownership(draft: Draft): DraftRow | null {
  return draft.owner ? { owner_type: draft.owner.type, owner_id: draft.owner.id } : null
}

/** Types, lengths, enumerations; only of the fields that the caller may set. All violations at once. */
function validate(parts: OperationParts, call: Call, type: RecordType, drafts: readonly Draft[]) {
  const validator = parts.validators.get(type.name)
  if (!validator) throw new Error(`There is no validator of '${type.name}'`)
  for (const draft of drafts) {
    const row = draft.before ?? ownership(draft)
    const allowed = parts.decisions.fields(call, draft.before ? 'update' : 'create', type, row)
    draft.input = validator(draft.item.body, {
      zone: call.zone,
      creating: draft.before === null,
      may: (field) => {
        if (allowed !== 'all' && !allowed.has(field.name)) return false
        if (!mayWrite(call, field, row)) return false
        // gaps 1.14: who maintains the account may correct the provenance, others cannot.
        const isProvenance = field.name === 'source' || field.name === 'sourceID'
        return !(isProvenance && draft.before) || call.systemReason !== undefined || call.roles.has('account_administrator')
      },
      mayLink: (link) => allowed === 'all' && type.links.get(link)?.write !== 'none',
    })
    for (const [field, code, params] of draft.input.violations) refuse(draft, field, code, params)
  }
}

function applyDefaults(call: Call, type: RecordType, drafts: readonly Draft[]) {
  for (const draft of drafts) {
    if (draft.before) {
      draft.next = { ...draft.before, ...draft.input.values }
    } else {
      draft.next = { account_id: call.account.id, ...ownership(draft) }
      for (const [column, field] of type.columns) draft.next[column] = field.default ?? null
      if (type.columns.has('created_at')) draft.next['created_at'] = call.now
      if (type.columns.has('updated_at')) draft.next['updated_at'] = call.now
      Object.assign(draft.next, draft.input.values)
      if (type.columns.has('source')) draft.next['source'] ??= call.source.slice(0, 30) || null
      delete draft.next['id']
    }
    // A field with a default cannot be empty (gaps 4.3): clearing it sets the default.
    for (const [column, field] of type.columns) {
      if (field.default !== undefined) draft.next[column] ??= field.default
    }
  }
}

/** Everything that the batch refers to, one query a type, before rules ask for it one by one. */
async function prefetchReferences(type: RecordType, drafts: readonly Draft[], references: References) {
  const wanted = new Map<string, Set<number>>()
  for (const [column, field] of type.columns) {
    if (field.kind !== 'ref' || !field.record) continue
    const ids = wanted.get(field.record) ?? new Set<number>()
    wanted.set(field.record, ids)
    for (const draft of drafts) if (draft.next[column]) ids.add(Number(draft.next[column]))
  }
  for (const [name, ids] of wanted) await references.prefetch(name, ids)
}

async function write(parts: OperationParts, call: Call, type: RecordType, drafts: readonly Draft[]) {
  for (const draft of drafts) draft.changed = changedColumns(type, draft.before, draft.next)
  const created = drafts.filter((draft) => draft.before === null)
  const updated = drafts.filter((draft) => draft.before !== null && (draft.changed.length > 0 || draft.input.notes.length > 0))
  for (const draft of updated) if (type.columns.has('updated_at')) draft.next['updated_at'] = call.now
  const db = dbOf(parts.storage, call)
  try {
    if (created.length > 0) {
      const ids = await parts.writer.insert(
        db,
        type,
        created.map((draft) => draft.next),
      )
      for (const [index, draft] of created.entries()) draft.next['id'] = ids[index] ?? null
    }
    const columns = new Set(updated.flatMap((draft) => draft.changed))
    if (type.columns.has('updated_at') && updated.length > 0) columns.add('updated_at')
    await parts.writer.update(
      db,
      type,
      updated.map((draft) => draft.next),
      [...columns],
    )
  } catch (error) {
    // Somebody else stored the same unique value between our look and our write.
    if (isDuplicate(error)) throw new Invalid([[takenField(parts, type, error), 'taken']])
    throw error
  }
}

function takenField(parts: OperationParts, type: RecordType, error: unknown): string {
  const key = duplicateKeyName(error)
  const owner = type.partOf.length > 0 ? ['owner_type', 'owner_id'] : ['account_id']
  const group = type.unique.find((columns) => uniqueKeyName(parts.storage.table(type.table), [...owner, ...columns]) === key)
  return group ? fieldOf(type, group) : 'base'
}

async function addEvents(parts: OperationParts, call: Call, type: RecordType, drafts: readonly Draft[]) {
  const events = drafts.flatMap((draft) => {
    const { before, next, changed, noteIds } = draft
    // A note given while creating is part of the creation (gaps 5.2).
    const saved = { type, before, after: next, changedColumns: changed, noteIds: before ? noteIds : [] }
    return outboxEvents(call, saved, draft.auditLineId, parts.clock.now())
  })
  if (events.length === 0) return
  await addToOutbox(dbOf(parts.storage, call), parts.storage, events)
  afterCommit(call, parts.nudge)
}

/** Values that a rule could only set once the id of the new record was known. */
async function storeLateValues(parts: OperationParts, call: Call, type: RecordType, drafts: readonly Draft[]) {
  const late = drafts.filter(
    (draft) => draft.before === null && changedColumns(type, null, draft.next).length !== draft.changed.length,
  )
  const columns = new Set(late.flatMap((draft) => changedColumns(type, null, draft.next)))
  await parts.writer.update(
    dbOf(parts.storage, call),
    type,
    late.map((draft) => draft.next),
    [...columns],
  )
}

function outcomeOf(type: RecordType, draft: Draft): SaveOutcome {
  if (draft.denied) return { outcome: 'denied', error: draft.denied }
  if (draft.violations.length > 0) return { outcome: 'refused', violations: inFieldOrder(type, draft.violations) }
  if (draft.before === null) return { outcome: 'created', row: draft.next }
  const touched = draft.changed.length > 0 || draft.noteIds.length > 0 || draft.relinked.size > 0 || draft.repartitioned
  return { outcome: touched ? 'updated' : 'unchanged', row: draft.next }
}
