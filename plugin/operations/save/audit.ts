/** Audit lines: the changes and the acting person. One multi-row insert per batch (behaviour: Audit). */
import type { Call, CausingRecord } from '../../core/call.js'
import { cut } from '../../core/text/cut.js'
import type { RecordType } from '../../schema/catalog.js'
import { type Json, mentionOf } from '../../schema/kinds/fields.js'
import { AUDIT_LINE, NOTE } from '../../schema/language/built-in-types.js'
import type { DraftRow, Row } from '../../schema/language/define-rule.js'
import { dbOf } from '../../storage/database/transaction.js'
import type { Owner, SaveItem } from '../contract.js'
import type { ReadDeps } from '../read/read-deps.js'
import { type Draft, differs } from '../work/draft.js'
import type { Work } from '../work/pipeline.js'
import { type ChangedPart, type Changes, changedOwners } from './related/changed-parts.js'
import type { WriteDeps } from './related/write-deps.js'

/** Lengths of the columns. Hosts choose the reasons of `asSystem`, and callers their source. */
const [MAX_SOURCE, MAX_CAUSE] = [30, 255]

/**
 * Adds the lines of drafts before the rules of the type that need their ids, or before their notes and sub-records are saved. Such
 * rules may save sub-records, or the same records again, and the lines of a record must be in the order of its changes.
 *
 * @param next what runs next: the rules that need the ids, or the saving of notes and sub-records
 */
export async function addEarlyLines(work: Work<WriteDeps>, drafts: readonly Draft[], next: 'rules' | 'related'): Promise<void> {
  const { type } = work
  if (!type.audit) return
  const isUntold = ({ auditLineId, before, changed }: Draft) => auditLineId === null && (before === null || changed.length > 0)
  const fillsWithId = next === 'rules' && type.rules.some(({ behavior }) => behavior.fillWithIdAll)
  const isAffected = (draft: Draft) => (next === 'rules' ? fillsWithId : hasSavingRelated(work, draft))
  const early = drafts.filter((draft) => isUntold(draft) && isAffected(draft))
  const lines = await addLines(work, early)
  for (const [index, draft] of early.entries()) draft.earlyLine = lines[index] ?? null
}

/** True if notes or sub-records that came with a draft have rules that save other records. */
function hasSavingRelated({ deps, type }: Work<ReadDeps>, { input }: Draft): boolean {
  const isSaving = (name = '') =>
    deps.catalog.types.get(name)?.rules.some(({ behavior }) => behavior.written || behavior.writtenAll) === true
  const given = [...input.part.keys(), ...input.partChanges.keys(), ...input.parts.keys()]
  return (input.notes.length > 0 && isSaving(NOTE)) || given.some((name) => isSaving(type.fields.get(name)?.record))
}

/** Adds a line for every draft that changed something stored; notes and time spent have none. */
export async function addAuditLines(work: Work<WriteDeps>, drafts: readonly Draft[]): Promise<void> {
  const isEarly = ({ auditLineId }: Draft) => auditLineId !== null
  await completeLines(work, drafts.filter(isEarly))
  await addLines(
    work,
    drafts.filter((draft) => !isEarly(draft) && hasChanged(draft)),
  )
}

/** @returns the lines of audited drafts, in order */
async function addLines({ deps, call, type }: Work<WriteDeps>, drafts: readonly Draft[]): Promise<readonly DraftRow[]> {
  if (!type.audit) {
    await addOwnersLines(deps, call, type, drafts)
    return []
  }
  const lines = drafts.map((draft) => {
    const owner = { type: type.name, id: Number(draft.next['id']) }
    return lineOf(call, owner, draft.next, draft.before ? 'update' : 'create', changesOf(type, draft), draft.item)
  })
  const ids = await insertLines(deps, call, lines)
  for (const [index, draft] of drafts.entries()) draft.auditLineId = ids[index] ?? null
  return lines
}

/** Adds what was not known when the lines were written: links, sub-records, values that rules have set since. */
async function completeLines({ deps, call, type }: Work<WriteDeps>, drafts: readonly Draft[]): Promise<void> {
  const line = deps.catalog.types.get(AUDIT_LINE)
  const rows = drafts.flatMap((draft): Row[] => {
    const told = draft.earlyLine?.['changes']
    if (told === undefined || tellsAll(type, told, draft)) return []
    const changes = changesOf(type, draft)
    return differs(told, changes) ? [{ ...draft.earlyLine, id: draft.auditLineId, changes }] : []
  })
  if (line) await deps.writer.update(dbOf(deps.storage, call), line, rows, ['changes'])
}

/** True if nothing was changed since the line was written, which is mostly so. False if that takes a closer look. */
function tellsAll({ secrets }: RecordType, told: Json, { changed, changedRelated, next }: Draft): boolean {
  if (changedRelated.size > 0 || secrets.size > 0) return false
  const lines = told as { readonly [column: string]: readonly [Json, Json] }
  return (
    Object.keys(lines).length === changed.length && changed.every((column) => lines[column]?.[1] === (next[column] ?? null))
  )
}

function hasChanged({ before, changed, changedRelated }: Draft): boolean {
  return before === null || changed.length > 0 || changedRelated.size > 0
}

/**
 * Adds a line for each record, for changes other than saves: removing, linking.
 *
 * @param changes of all records, or those of each of them
 */
export async function addLinesOf(
  deps: WriteDeps,
  call: Call,
  type: RecordType,
  rows: readonly Row[],
  action: 'update' | 'destroy',
  changes: Changes | readonly Changes[] = {},
): Promise<void> {
  if (!type.audit && action === 'destroy') {
    const drafts = rows.map((row) => ({ before: row, next: {}, changed: [], item: {} }))
    return addOwnersLines(deps, call, type, drafts)
  }
  if (!type.audit) return
  const changesAt = (index: number) => (isList(changes) ? (changes[index] ?? {}) : changes)
  const lines = rows.map((row, index) =>
    lineOf(call, { type: type.name, id: Number(row['id']) }, row, action, changesAt(index)),
  )
  await insertLines(deps, call, lines)
}

function isList(changes: Changes | readonly Changes[]): changes is readonly Changes[] {
  return Array.isArray(changes)
}

/** Sub-records that are saved or removed on their own are a change of the records that they belong to. */
async function addOwnersLines(deps: WriteDeps, call: Call, part: RecordType, drafts: readonly ChangedPart[]): Promise<void> {
  if (call.isWithOwner) return
  const lines = changedOwners(deps.catalog, part, drafts).map(({ changes, owner, row, item }) =>
    lineOf(call, owner, row, 'update', changes, item),
  )
  await insertLines(deps, call, lines)
}

async function insertLines(deps: WriteDeps, call: Call, lines: readonly DraftRow[]): Promise<readonly number[]> {
  if (lines.length === 0 || !deps.catalog.types.has(AUDIT_LINE)) return []
  return deps.writer.insert(dbOf(deps.storage, call), deps.catalog.type(AUDIT_LINE), lines)
}

/** @param why cause of the change; missing parts are those of the call */
function lineOf(
  call: Call,
  owner: Owner,
  row: Row,
  action: string,
  changes: { readonly [name: string]: Json },
  why: Pick<SaveItem, 'cause' | 'causedBy'> = {},
): DraftRow {
  const cause = why.cause ?? call.cause
  const by = otherRecord(why.causedBy === undefined ? call.causedBy : why.causedBy, owner)
  return {
    account_id: row['account_id'] ?? call.account.id,
    owner_type: owner.type,
    owner_id: owner.id,
    action,
    created_at: call.now,
    created_by_id: call.actor?.id ?? call.setOffBy ?? null,
    origin: call.origin,
    source: cut(call.source, MAX_SOURCE),
    cause: cause && cut(cause, MAX_CAUSE),
    caused_by: by && mentionOf(by),
    changes,
  }
}

/** A record that has caused its own change is not named: its trail is the one that is read. */
function otherRecord(by: CausingRecord | null | undefined, { type, id }: Owner): CausingRecord | null {
  return !by || (by.type === type && by.id === id) ? null : by
}

/** Secrets are named without their values; those that only the system sets are not. */
function changesOf({ secrets }: RecordType, draft: Draft): { readonly [name: string]: Json } {
  const columns = draft.changed.flatMap((column) => {
    const secret = secrets.get(column)
    if (!secret) return [[column, [draft.before?.[column] ?? null, draft.next[column] ?? null]]]
    return secret.readOnly ? [] : [[column, [null, null]]]
  })
  return Object.fromEntries([...columns, ...draft.changedRelated])
}
