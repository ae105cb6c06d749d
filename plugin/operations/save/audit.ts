/** Audit lines: the changes and the acting person. One multi-row insert per batch (behaviour: Audit). */
import type { Call, CausingRecord } from '../../core/call.js'
import { cut } from '../../core/cut.js'
import { AUDIT_LINE } from '../../schema/built-in-types.js'
import type { RecordType } from '../../schema/compile/compile.js'
import type { DraftRow, Row } from '../../schema/define-rule.js'
import { type Json, mentionOf } from '../../schema/fields.js'
import { dbOf } from '../../storage/transaction.js'
import type { OperationDeps } from '../deps.js'
import type { Owner, SaveItem } from '../operations.js'
import type { Draft } from './draft.js'
import type { Work } from './work.js'

/** Lengths of the columns. Hosts choose the reasons of `asSystem`, and callers their source. */
const [MAX_SOURCE, MAX_CAUSE] = [30, 255]

/** Adds a line for every draft that changed something stored; notes and time spent have none. */
export async function addAuditLines({ deps, call, type }: Work, drafts: readonly Draft[]): Promise<void> {
  if (!type.audit) return
  const audited = drafts.filter((draft) => draft.before === null || draft.changed.length > 0 || draft.changedRelated.size > 0)
  const lines = audited.map((draft) =>
    lineOf(
      call,
      { type: type.name, id: Number(draft.next['id']) },
      draft.next,
      draft.before ? 'update' : 'create',
      changesOf(draft),
      draft.item,
    ),
  )
  const ids = await insertLines(deps, call, lines)
  for (const [index, draft] of audited.entries()) draft.auditLineId = ids[index] ?? null
}

/** Adds a line for each record, for changes other than saves: removing, linking. */
export async function addLinesOf(
  deps: OperationDeps,
  call: Call,
  type: RecordType,
  rows: readonly Row[],
  action: 'update' | 'destroy',
  changes: { readonly [name: string]: readonly [Json, Json] } = {},
): Promise<void> {
  if (!type.audit) return
  const lines = rows.map((row) => lineOf(call, { type: type.name, id: Number(row['id']) }, row, action, changes))
  await insertLines(deps, call, lines)
}

async function insertLines(deps: OperationDeps, call: Call, lines: readonly DraftRow[]): Promise<readonly number[]> {
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
    created_by_id: call.actor?.id ?? null,
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

function changesOf(draft: Draft): { readonly [name: string]: Json } {
  const columns = draft.changed.map((column) => [column, [draft.before?.[column] ?? null, draft.next[column] ?? null]])
  return Object.fromEntries([...columns, ...draft.changedRelated])
}
