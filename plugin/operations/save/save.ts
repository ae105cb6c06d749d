/**
 * The only write pipeline. The API, imports, event submission, jobs, rules and the host's own calls all store records here,
 * with the same checks, rules, audit and events. Each step takes a whole batch, so that an import of 500 rows runs each query
 * once; a single save is a batch of one.
 */
import type { Call } from '../../core/call.js'
import { Invalid, NotFound } from '../../core/errors.js'
import { outboxEvents, raisedByTimers } from '../../events/detect.js'
import type { RecordType } from '../../schema/catalog.js'
import { NOTE, SUBSCRIPTION } from '../../schema/language/built-in-types.js'
import type { Row } from '../../schema/language/define-rule.js'
import { dbOf, inTransaction } from '../../storage/database/transaction.js'
import type { NewEvent } from '../../storage/queues/outbox.js'
import type { Operations, SaveItem, SaveOutcome } from '../contract.js'
import { saveAsFarAsPossible } from '../work/as-far-as-possible.js'
import { asCalled, type Draft, inFieldOrder, isSound, startDraft } from '../work/draft.js'
import { markOwners } from '../work/marks.js'
import type { Others, SaveWork } from '../work/pipeline.js'
import { createRunWork, type RunWork } from '../work/run-work.js'
import { fillSettled } from '../work/settle.js'
import { isConcerned, settlingsOf } from '../work/settlings-of.js'
import { noteGivenStatus, publishMoves } from '../work/status-moves.js'
import { type Unit, unitOf } from '../work/unit.js'
import { findAccessRows } from './access-rows.js'
import { addAuditLines, addEarlyLines } from './audit.js'
import { checkComplete } from './check-complete.js'
import { checkMoves } from './check-moves.js'
import { expectTimers } from './expect-timers.js'
import { checkHistory } from './history.js'
import { createPassOn, noteSaved } from './in-transaction.js'
import { prefetchReferences } from './prefetch-references.js'
import { applyDefaults, askPreconditions, decide, loadForUpdate, validate } from './prepare-drafts.js'
import { callToRegister } from './registered-in.js'
import { addEvents } from './related/add-events.js'
import { syncFirstFromInput, syncFirstFromRules } from './related/first-links.js'
import { ignoreLinks } from './related/ignored.js'
import { prepareAttachments } from './related/save-attachments.js'
import { addNotes, announceNotes } from './related/save-notes.js'
import { preparePictures } from './related/save-pictures.js'
import { noteUnaudited, type WrittenRow } from './related/unaudited.js'
import type { EventDeps } from './related/write-deps.js'
import { writeRelated } from './related/write-related.js'
import { resolveTexts } from './resolve-texts.js'
import { runHooks, runRules } from './run-rules.js'
import type { SaveDeps } from './save-deps.js'
import { createSavingOthers } from './save-others.js'
import { sealSecrets } from './seal-secrets.js'
import { checkFilled, checkFilledWithId } from './set-values.js'
import { createSubmitEach } from './submit-each.js'
import { concealUnreachable } from './unreachable.js'
import { watchedPipeline } from './watch-saves.js'
import { storeLateValues, writeRows } from './write-rows.js'

export interface Saving
  extends Pick<
    Operations,
    'atomically' | 'beforeSubmit' | 'placesOf' | 'save' | 'saveAll' | 'submit' | 'submitEach' | 'together'
  > {
  /** Does other work as part of the unit of its transaction. */
  readonly run: RunWork
  /** Saves other records on behalf of rules. */
  readonly saveOthers: Others['saveAll']
}

/** @param others saves and removes other records for rules, in the same transaction */
export function createSaving(deps: SaveDeps, others: Others): Saving {
  const pipeline = watchedPipeline(deps.observer.save, (call, type, items) =>
    run(call, type.name, () => runPipeline({ deps, call, type, unit: unitOf(deps, call), others, pipeline }, items)).then(
      (outcomes) => asTheyAre(unitOf(deps, call), type, outcomes),
    ),
  )
  const run = createRunWork(deps, pipeline, createPassOn(deps))

  const beforeSubmit: Operations['beforeSubmit'] = async (call, typeName, item) => {
    if (typeName === SUBSCRIPTION && !call.transaction) await deps.dispatchPending()
    return callToRegister(deps.callIn, call, deps.catalog.type(typeName), item)
  }

  const saveOne = async (call: Call, typeName: string, item: SaveItem) => {
    const there = await beforeSubmit(call, typeName, item)
    const type = deps.catalog.type(typeName)
    return inTransaction(deps.storage, there, async (inside) => {
      const outcomes = await pipeline(inside, type, [item])
      const [outcome] = outcomes
      if (!outcome) throw new NotFound()
      if (outcome.outcome === 'refused') throw new Invalid(outcome.violations)
      if (outcome.outcome === 'denied') throw outcome.error
      if (type.name === NOTE) await announceNotes(deps, inside, outcomes)
      const { ignored, row, shownOnce } = outcome
      return { row, ignored, call: there, ...(shownOnce && { shownOnce }) }
    })
  }

  const saveAll: Operations['saveAll'] = (call, typeName, items) =>
    inTransaction(deps.storage, call, async (inside) => {
      const type = deps.catalog.type(typeName)
      const outcomes = await saveAsFarAsPossible(deps.storage, pipeline, inside, type, items)
      if (type.name === NOTE) await announceNotes(deps, inside, outcomes)
      return outcomes
    })

  return {
    run,
    beforeSubmit,
    ...createSubmitEach(deps, pipeline),
    saveOthers: createSavingOthers(deps, pipeline),
    save: async (call, type, id, body, owner) => (await saveOne(call, type, { id, body, ...(owner && { owner }) })).row,
    submit: (call, type, item) => saveOne(call, type, { handling: 'lenient', ...item }),
    saveAll,
    atomically: (call, work) => inTransaction(deps.storage, call, work),
    together: (call, work) => inTransaction(deps.storage, call, (inside) => run(inside, 'several records', () => work(inside))),
  }
}

async function runPipeline(work: SaveWork<SaveDeps>, items: readonly SaveItem[]): Promise<readonly SaveOutcome[]> {
  const all = items.map(startDraft)
  const sound = () => all.filter(isSound)
  const { call, deps, type, unit } = work

  await loadForUpdate(work, all)
  await findAccessRows(work, sound())
  await decide(work, sound())
  await askPreconditions(work, sound())
  await validate(work, sound())
  sealSecrets(work, sound())
  await resolveTexts(work, sound())
  syncFirstFromInput(type, sound())
  // Of what has no record that was named, only the values are checked: rules and hooks would judge them without that record.
  const filled = all.filter((draft) => draft.denied === null && !draft.item.notFound)
  applyDefaults(work, filled)
  noteGivenStatus(work, filled)
  await prefetchReferences(work, filled)
  await concealUnreachable(work, filled)
  await runRules('fill', work, filled)
  fillSettled(work, filled)
  await checkFilled(work, filled, await runHooks(work, filled))
  checkHistory(work, filled)
  await checkMoves(work, filled)
  await runRules('check', work, filled)
  for (const draft of filled) ignoreLinks(type, draft)
  await checkComplete(work, filled)
  const writeAttachments = await prepareAttachments(work, filled)
  const writePictures = await preparePictures(work, filled)
  syncFirstFromRules(type, sound())
  await unit.writing(() => writeRows(work, sound()))
  // Cache the rows now: later steps may store newer ones, which must not be overwritten.
  for (const draft of sound()) unit.remember(type.name, draft.next)
  unit.created(type.name, sound().flatMap(idIfCreated))
  const stored = sound()
  await addEarlyLines(work, stored, 'rules')
  await runRules('fillWithId', work, stored)
  refuseLate(type, stored)
  checkFilledWithId(work, stored)
  await unit.writing(() => storeLateValues(work, stored))
  await addEarlyLines(work, sound(), 'related')
  await addNotes(work, sound())
  await writePictures(sound())
  await writeAttachments(sound())
  await writeRelated(work, sound())
  await noteUnaudited(deps, call, type, () => sound().filter(hasChanged).map(writtenRow))
  await addAuditLines(work, sound())
  noteSaved(work, sound())
  await addEvents(
    deps,
    call,
    sound().flatMap((draft) => eventsOf(work, draft)),
  )
  expectTimers(work, sound())
  publishMoves(sound())
  const written = sound()
  await runRules('written', work, written)
  refuseLate(type, written)
  const afterWrite = deps.afterWrite.get(type.name)
  if (afterWrite) for (const { before, next } of sound()) await afterWrite(dbOf(deps.storage, call), before, next)
  const settlings = settlingsOf(call, deps.catalog)
  const concerned = sound().filter((draft) => concernsItself(type, draft))
  await markOwners(unit, settlings, type.name, sound().flatMap(rowsThatChanged), concerned.flatMap(rowsThatChanged))
  return all.map((draft) => outcomeOf(type, draft))
}

/** Throws if a record is refused after rows were written: only a rollback of the whole batch can undo them. */
function refuseLate(type: RecordType, drafts: readonly Draft[]): void {
  const late = drafts.find((draft) => draft.violations.length > 0)
  if (late) throw new Invalid(inFieldOrder(type, late.violations))
}

function eventsOf({ call, deps, type }: SaveWork<EventDeps>, draft: Draft): readonly NewEvent[] {
  const { before, next, changed, noteIds } = draft
  // A note given while creating is part of the creation (behaviour: Events).
  const changedRelated = draft.changedRelated.size > 0
  const raised = raisedByTimers(call, type, before, next)
  const changes = { changedColumns: changed, changedRelated, raised, noteIds: before ? noteIds : [] }
  return outboxEvents(call, { type, before, after: next, ...changes }, draft.auditLineId, deps.clock.now())
}

/** The id of a record that nobody can have referred to before; what an undo puts back has an id of its own. */
function idIfCreated({ before, item, next }: Draft): readonly number[] {
  return before === null && !item.restored ? [Number(next['id'])] : []
}

function hasChanged({ before, changed }: Draft): boolean {
  return before === null || changed.length > 0
}

function writtenRow({ before, next }: Draft): WrittenRow {
  return { before, after: next }
}

/** True if the settlings of the type itself have to look at the record: also when a timer has marked it to be computed again. */
function concernsItself(type: RecordType, { before, changed, changedMarks, changedRelated }: Draft): boolean {
  return before === null || changedRelated.size + changedMarks.length > 0 || isConcerned(type, changed)
}

/** The row before and after; none if nothing has changed. */
function rowsThatChanged({ before, changedMarks, changedRelated, changed, next }: Draft): readonly Row[] {
  if (before && changed.length + changedMarks.length + changedRelated.size === 0) return []
  return before ? [before, next] : [next]
}

/** The saved rows, as they are after all follow-up work. */
async function asTheyAre(unit: Unit, type: RecordType, outcomes: readonly SaveOutcome[]): Promise<readonly SaveOutcome[]> {
  const idsOf = (saved: SaveOutcome) => ('row' in saved ? [Number(saved.row['id'])] : [])
  // Read rows again that other statements than those of the unit have written since.
  await unit.prefetch(type.name, outcomes.flatMap(idsOf))
  return outcomes.map((saved) =>
    'row' in saved ? { ...saved, row: unit.known(type.name, Number(saved.row['id'])) ?? saved.row } : saved,
  )
}

function outcomeOf(type: RecordType, draft: Draft): SaveOutcome {
  if (draft.denied) return { outcome: 'denied', error: draft.denied }
  if (draft.violations.length > 0) return { outcome: 'refused', violations: inFieldOrder(type, asCalled(type, draft)) }
  const { shownOnce } = draft
  const isShownOnce = Object.keys(shownOnce).length > 0
  const saved = { row: draft.next, ignored: [...draft.ignored], ...(isShownOnce && { shownOnce }) }
  if (draft.before === null) return { outcome: 'created', ...saved }
  const touched = draft.changed.length > 0 || draft.noteIds.length > 0 || draft.changedRelated.size > 0
  return { outcome: touched ? 'updated' : 'unchanged', ...saved }
}
