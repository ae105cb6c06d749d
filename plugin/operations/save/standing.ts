/** What decisions have to know of a record beside its row: whose it is by way of other records. */
import { everyoneNamed } from '../../access/decide.js'
import type { Call } from '../../core/call.js'
import { Forbidden } from '../../core/errors.js'
import type { RecordField, RecordType } from '../../schema/compile/compile.js'
import type { DraftRow, Row } from '../../schema/define-rule.js'
import { isWritable, referenceIn } from '../../schema/derive/input-names.js'
import { fieldNaming } from '../../schema/who.js'
import type { OperationDeps } from '../deps.js'
import { unitOf } from '../work/unit.js'
import type { Draft } from './draft.js'
import type { References } from './references.js'
import type { Work } from './work.js'

/** What is known of records before decisions are made: the stored rows, or what will be true of new ones from the start. */
export async function findStanding({ deps, call, type, unit }: Work, drafts: readonly Draft[]): Promise<void> {
  const fields = namedFields(type)
  const rows = drafts.map((draft) => draft.before ?? prospect(call, type, draft, fields))
  const known = await withReferred(deps, type, rows, unit)
  for (const [index, draft] of drafts.entries()) draft.standing = known[index] ?? null
}

/** Whether the caller may change the links of a record; other records are linked on its behalf. @throws Forbidden */
export async function decideOnLinks(deps: OperationDeps, call: Call, type: RecordType, row: Row, path: string) {
  const [known = row] = await standingsOf(deps, call, type, [row])
  await deps.decisions.decide(call, 'update', type, known)
  const allowed = await deps.decisions.fields(call, 'update', type, known)
  if (allowed !== 'all' && !allowed.has(path)) throw new Forbidden()
}

/** Stored rows with what decisions have to know, in the same order. */
export async function standingsOf(
  deps: OperationDeps,
  call: Call,
  type: RecordType,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  return withReferred(deps, type, rows, unitOf(deps, call))
}

/** What is known of a record that is not there yet: whose part it will be. Parts belong to the account of their owner. */
export function ownership({ owner, ownerRow }: Draft): DraftRow | null {
  return owner && ownerRow ? { account_id: ownerRow['account_id'] ?? null, owner_type: owner.type, owner_id: owner.id } : null
}

/** With what the body refers to, as far as grants ask for it: who manages the change may create its tasks. */
function prospect(call: Call, type: RecordType, draft: Draft, fields: readonly RecordField[]): Row | null {
  if (fields.length === 0) return ownership(draft)
  const row: DraftRow = { account_id: call.account.id, ...ownership(draft) }
  for (const field of fields) {
    const first = type.fields.get(field.via?.[0] ?? field.name)
    // Nobody gets in by naming themselves in a field that is not theirs to set.
    if (first?.column && isWritable(first) && !first.write) row[first.column] = referenceIn(draft.item.body, first)
  }
  return row
}

/**
 * The rows with a column for each person and team that grants name behind references: `manager_id` of a task, whose change
 * has the manager. One query a type, whatever the number of rows.
 */
async function withReferred<R extends Row | null>(
  deps: OperationDeps,
  type: RecordType,
  rows: readonly R[],
  references: References,
): Promise<readonly (R | Row)[]> {
  const fields = namedFields(type).filter((field) => field.via !== null)
  if (fields.length === 0) return rows
  const known = rows.map((row): DraftRow => ({ ...row }))
  for (const field of fields) {
    const found = await valuesAt(deps, type, rows, field.via ?? [], references)
    for (const [index, row] of known.entries()) row[`${field.name}_id`] = found[index] ?? null
  }
  return known
}

/** The fields by which grants mean people and teams. */
function namedFields(type: RecordType): readonly RecordField[] {
  const names = new Set(everyoneNamed(type).flatMap((who) => fieldNaming(who) ?? []))
  return [...names].flatMap((name) => type.fields.get(name) ?? [])
}

/** The value at the end of a path over references, for each row. */
async function valuesAt(
  deps: OperationDeps,
  type: RecordType,
  rows: readonly (Row | null)[],
  path: readonly string[],
  references: References,
): Promise<readonly Row[string][]> {
  let [current, at] = [rows, type]
  for (const step of path.slice(0, -1)) {
    const field = at.fields.get(step)
    const column = field?.column ?? ''
    const target = deps.catalog.type(field?.record ?? '')
    const ids = current.map((row) => row?.[column] ?? null)
    await references.prefetch(target.name, ids.filter((id) => id !== null).map(Number))
    current = await Promise.all(ids.map((id) => references.load(target.name, id)))
    at = target
  }
  const last = at.fields.get(path[path.length - 1] ?? '')?.column ?? ''
  return current.map((row) => row?.[last] ?? null)
}
