/**
 * The last checks before a batch is written: required fields, references, uniqueness. Each with a constant number of queries.
 */
import { type Call, isOfRule, isOfSettling } from '../../core/call.js'
import { accountsReached } from '../../core/passed-calls.js'
import { isBlank } from '../../core/text/blank.js'
import { folded, normalized } from '../../core/text/identity.js'
import type { RecordField, RecordType } from '../../schema/catalog.js'
import { isSourcePair } from '../../schema/compile/compile-keys.js'
import { PERSON } from '../../schema/language/built-in-types.js'
import type { Criterion, Scalar } from '../../schema/language/conditions.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { ReadDeps } from '../read/read-deps.js'
import { type Draft, differs, isSound, refuse, refuseUnknown } from '../work/draft.js'
import type { Work } from '../work/pipeline.js'
import type { References } from '../work/references.js'
import type { LockDeps } from '../work/work-deps.js'
import { referencesOf } from './prefetch-references.js'
import { NO_RECORD } from './unreachable.js'

/** Refuses missing values, references to records that the caller cannot find, and unique values that another record has. */
export async function checkComplete({ deps, call, type, unit }: Work<LockDeps>, drafts: readonly Draft[]): Promise<void> {
  for (const draft of drafts) checkRequired(call, type, draft)
  // Those that rules have set.
  await unit.prefetchAll(referencesOf(type, drafts))
  for (const field of type.fields.values()) {
    if (field.kind === 'ref' && field.column) checkReferences(deps, call, field, field.column, drafts, unit)
  }
  if (!leavesToIndex(deps, call, drafts)) await checkUnique({ deps, call, type }, drafts)
}

/** Refuses unique values that another record has, stored or in the batch. One query for each group of columns. */
export async function checkUnique(
  { deps, call, type }: Pick<Work<ReadDeps>, 'call' | 'deps' | 'type'>,
  drafts: readonly Draft[],
): Promise<void> {
  const taken = []
  for (const columns of type.unique) taken.push(await takenBy(deps, call, type, columns, drafts))
  for (const draft of drafts) {
    for (const one of taken) refuseTaken(type, draft, one)
    // The next draft of the batch with the same values is refused like a later save; those of a refused one stay free.
    if (isSound(draft)) for (const one of taken) take(type, draft, one)
  }
}

/**
 * True for a single record with no other mistake: the unique index of its table refuses what is taken when it is written. Others of a
 * batch could still be saved, and a caller is told all mistakes at once. What rules save is refused before it is written, because
 * they may catch that.
 */
function leavesToIndex({ storage }: Pick<LockDeps, 'storage'>, call: Call, drafts: readonly Draft[]): boolean {
  const [only, ...others] = drafts
  if (storage.dialect !== 'mysql' || !only || others.length > 0 || call.origin === 'import' || isOfRule(call)) return false
  return isSound(only) && only.input.attachments.size === 0
}

/** Checks an update only for the fields that it changes, so that records older than a rule can still be changed. */
function checkRequired(call: Call, type: RecordType, draft: Draft): void {
  for (const field of type.fields.values()) {
    if (!field.required || !field.column || (field.systemMayOmit && isOfRule(call))) continue
    const value = draft.next[field.column]
    const touched = !draft.before || differs(draft.before[field.column], value)
    if (isBlank(value) && touched) refuse(draft, field.name, 'blank')
  }
}

/** Checks that references lead to records of accounts that the call reaches; `concealUnreachable` has checked the rest. */
function checkReferences(
  deps: ReadDeps,
  call: Call,
  field: RecordField,
  column: string,
  drafts: readonly Draft[],
  references: Pick<References, 'known'>,
): void {
  const touched = drafts.filter((draft) => draft.next[column] && differs(draft.before?.[column], draft.next[column]))
  if (touched.length === 0) return
  const type = deps.catalog.type(field.record ?? '')
  const accounts = new Set(accountsReached(call))
  for (const draft of touched) {
    const id = Number(draft.next[column])
    // A rule has copied a reference of the body that is reported itself.
    if (id === NO_RECORD && field.readOnly) continue
    const row = references.known(type.name, id) ?? null
    const own = id === call.actor?.id && type.name === PERSON
    const isThere = row !== null && accounts.has(String(row['account_id']))
    if (!isThere && !(own && row)) refuseUnknown(draft, field.name)
    // A person who was disabled since must not keep others from finishing their tasks.
    // What is past may name people who have left since.
    else if (row?.['disabled'] === true && !field.allowDisabled && !own && !isOfSettling(call) && !call.isHistory)
      refuse(draft, field.name, 'disabled_reference')
  }
}

/** Values of unique columns that records have, with the id of the record, or the draft that will be it. */
interface Taken {
  readonly columns: readonly string[]
  readonly by: Map<string, unknown>
}

/** True if the draft has new values in all of the columns. */
function touches({ before, next }: Draft, columns: readonly string[]): boolean {
  return (
    columns.every((column) => next[column] !== null && next[column] !== undefined) &&
    columns.some((column) => differs(before?.[column], next[column]))
  )
}

/** The stored ones among the values of the drafts. */
async function takenBy(
  deps: ReadDeps,
  call: Call,
  type: RecordType,
  columns: readonly string[],
  drafts: readonly Draft[],
): Promise<Taken> {
  const touched = drafts.filter((draft) => touches(draft, columns))
  if (touched.length === 0) return { columns, by: new Map() }
  const where: Criterion = {
    all: [
      { path: ['account_id'], op: 'in', values: [...new Set(touched.map((draft) => String(draft.next['account_id'])))] },
      ...columns.map((column): Criterion => {
        const values = [...new Set(touched.map((draft) => draft.next[column] as Scalar))]
        return { path: [column], op: 'in', values, text: isSourcePair(columns) ? 'exact' : 'ignoreCase' }
      }),
    ],
  }
  const rows: readonly Row[] = await deps.queries.rows(call, { type, where })
  return { columns, by: new Map<string, unknown>(rows.map((row) => [keyOf(type, row, columns), row['id']])) }
}

function refuseTaken(type: RecordType, draft: Draft, { by, columns }: Taken): void {
  const holder = touches(draft, columns) ? by.get(keyOf(type, draft.next, columns)) : undefined
  // The row of a new record is there already when a late value of it is taken.
  const own = draft.before?.['id'] ?? draft.next['id']
  if (holder !== undefined && holder !== own) refuse(draft, fieldOf(type, columns), 'taken')
}

function take(type: RecordType, draft: Draft, { by, columns }: Taken): void {
  if (touches(draft, columns)) by.set(keyOf(type, draft.next, columns), draft.before?.['id'] ?? draft)
}

function keyOf(type: RecordType, row: Row, columns: readonly string[]): string {
  const owner = type.partOf.length > 0 ? [row['owner_type'], row['owner_id']] : []
  const form = isSourcePair(columns) ? normalized : folded
  return JSON.stringify([row['account_id'], ...owner, ...columns.map((column) => form(String(row[column] ?? null)))])
}

/** The field to report: the last of the group (`sourceID` of source and sourceID, behaviour: Writing). */
export function fieldOf(type: RecordType, columns: readonly string[]): string {
  const column = columns[columns.length - 1] ?? 'base'
  return type.columns.get(column)?.name ?? column
}
