/**
 * The one write pipeline. The interface, imports, event submission, jobs, rules and the host's own calls all store records
 * here, with the same checks, rules, audit and events. Each step takes a whole batch, so that an import of 500 rows costs each
 * query once; a single save is a batch of one. design.md 5.
 */
import type { Call } from '../core/call.js'
import { Forbidden, Invalid, NotFound } from '../core/errors.js'
import { outboxEvents } from '../events/detect.js'
import type { RecordType } from '../schema/compile.js'
import { NOTE } from '../schema/foundation.js'
import { addToOutbox } from '../storage/outbox.js'
import { inSavepoint } from '../storage/savepoint.js'
import { afterCommit, dbOf, inTransaction } from '../storage/transaction.js'
import { addAuditLines } from './audit.js'
import { checkComplete } from './check-complete.js'
import { type Draft, inFieldOrder, isSound, startDraft } from './draft.js'
import { addNotes, announceNotes, type Pipeline } from './notes.js'
import type { Operations, SaveItem, SaveOutcome } from './operations.js'
import type { OperationParts } from './parts.js'
import { applyDefaults, decide, loadForUpdate, validate } from './prepare.js'
import { createReferences, type References } from './references.js'
import { runRules } from './run-rules.js'
import { writeBelongings } from './write-belongings.js'
import { storeLateValues, writeRows } from './write-rows.js'

export function createSaving(parts: OperationParts): Pick<Operations, 'save' | 'saveAll'> {
  const pipeline: Pipeline = (call, type, items) => runPipeline(parts, pipeline, save, call, type, items)

  const save: Operations['save'] = (call, typeName, id, body, owner) =>
    inTransaction(parts.storage, call, async (inside) => {
      const type = parts.catalog.type(typeName)
      const outcomes = await pipeline(inside, type, [owner ? { id, body, owner } : { id, body }])
      const [outcome] = outcomes
      if (!outcome) throw new NotFound()
      if (outcome.outcome === 'refused') throw new Invalid(outcome.violations)
      if (outcome.outcome === 'denied') throw outcome.error
      if (type.name === NOTE) await announceNotes(parts, inside, outcomes)
      return outcome.row
    })

  const saveAll: Operations['saveAll'] = (call, typeName, items) =>
    inTransaction(parts.storage, call, async (inside) => {
      const type = parts.catalog.type(typeName)
      const outcomes = await saveAsFarAsPossible(parts, pipeline, inside, type, items)
      if (type.name === NOTE) await announceNotes(parts, inside, outcomes)
      return outcomes
    })

  return { save, saveAll }
}

/**
 * Saves the records together. What turns out to be wrong only when other records have been written (a part that is refused, a
 * unique value that somebody else has stored meanwhile) undoes all of them; they are then saved half by half, until only the
 * ones to blame are left out.
 */
async function saveAsFarAsPossible(
  parts: OperationParts,
  pipeline: Pipeline,
  call: Call,
  type: RecordType,
  items: readonly SaveItem[],
): Promise<readonly SaveOutcome[]> {
  if (items.length === 0) return []
  const ids = items.flatMap(({ id }) => (id === null ? [] : [id]))
  // A record that is there twice has to be read again before it is changed again.
  const isOnce = new Set(ids).size === ids.length
  if (isOnce) {
    try {
      return await inSavepoint(parts.storage, call, () => pipeline(call, type, items))
    } catch (error) {
      const outcome = outcomeOfError(error)
      if (!outcome) throw error
      if (items.length === 1) return [outcome]
    }
  }
  const middle = Math.ceil(items.length / 2)
  const first = await saveAsFarAsPossible(parts, pipeline, call, type, items.slice(0, middle))
  const second = await saveAsFarAsPossible(parts, pipeline, call, type, items.slice(middle))
  return [...first, ...second]
}

/** What an error says of a record that it is about; null when it is no fault of the record. */
function outcomeOfError(error: unknown): SaveOutcome | null {
  if (error instanceof Invalid) return { outcome: 'refused', violations: error.violations }
  if (error instanceof Forbidden || error instanceof NotFound) return { outcome: 'denied', error }
  return null
}

async function runPipeline(
  parts: OperationParts,
  pipeline: Pipeline,
  save: Operations['save'],
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
  const filled = all.filter((draft) => draft.denied === null)
  applyDefaults(call, type, filled)
  await prefetchReferences(type, filled, references)
  await runRules('before', parts, save, call, type, filled, references)
  await checkComplete(parts, call, type, filled, references)
  refuseLate(
    type,
    filled.filter((draft) => draft.savedOthers),
  )
  await writeRows(parts, call, type, sound())
  await addNotes(parts, pipeline, call, type, sound())
  await writeBelongings(parts, pipeline, call, type, sound())
  await addAuditLines(parts, call, type, sound())
  await addEvents(parts, call, type, sound())
  for (const draft of sound()) references.remember(type.name, draft.next)
  const written = sound()
  await runRules('after', parts, save, call, type, written, references)
  refuseLate(type, written)
  const afterwards = parts.afterwards.get(type.name)
  if (afterwards) for (const { before, next } of sound()) await afterwards(dbOf(parts.storage, call), before, next)
  await storeLateValues(parts, call, type, sound())
  return all.map((draft) => outcomeOf(type, draft))
}

/** What has been written for a record that is refused can only be undone, and the others of the batch with it. */
function refuseLate(type: RecordType, drafts: readonly Draft[]): void {
  const late = drafts.find((draft) => draft.violations.length > 0)
  if (late) throw new Invalid(inFieldOrder(type, late.violations))
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

function outcomeOf(type: RecordType, draft: Draft): SaveOutcome {
  if (draft.denied) return { outcome: 'denied', error: draft.denied }
  if (draft.violations.length > 0) return { outcome: 'refused', violations: inFieldOrder(type, draft.violations) }
  if (draft.before === null) return { outcome: 'created', row: draft.next }
  const touched = draft.changed.length > 0 || draft.noteIds.length > 0 || draft.belongings.size > 0
  return { outcome: touched ? 'updated' : 'unchanged', row: draft.next }
}
