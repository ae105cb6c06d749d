/** Adds to a row what permission checks need: the people and teams that grants name through references (`change.manager`). */
import { everyoneNamed } from '../../access/sight/decide.js'
import type { Call } from '../../core/call.js'
import { Forbidden } from '../../core/errors.js'
import type { Catalog, RecordField, RecordType } from '../../schema/catalog.js'
import { isWritable, referenceIn } from '../../schema/derive/input-names.js'
import type { DraftRow, Row } from '../../schema/language/define-rule.js'
import { fieldNaming } from '../../schema/language/who.js'
import type { ReadDeps } from '../read/read-deps.js'
import type { Draft } from '../work/draft.js'
import type { Work } from '../work/pipeline.js'
import type { References } from '../work/references.js'
import { unitOf } from '../work/unit.js'
import type { LockDeps } from '../work/work-deps.js'

/** Sets the access row of each draft: from the stored row, or for a new record from its owner and body. */
export async function findAccessRows({ deps, call, type, unit }: Work<ReadDeps>, drafts: readonly Draft[]): Promise<void> {
  const fields = namedFields(type)
  const rows = drafts.map((draft) => draft.before ?? prospect(call, type, draft, fields))
  const known = await withReferred(deps.catalog, type, rows, unit)
  for (const [index, draft] of drafts.entries()) draft.accessRow = known[index] ?? null
}

/** Checks that the caller may change the links of a record; other records are linked on its behalf. @throws Forbidden */
export async function decideOnLinks(deps: LockDeps, call: Call, type: RecordType, row: Row, path: string) {
  const [known = row] = await accessRowsOf(deps, call, type, [row])
  await deps.decisions.decide(call, 'update', type, known)
  const allowed = await deps.decisions.fields(call, 'update', type, known)
  if (allowed !== 'all' && !allowed.has(path)) throw new Forbidden()
}

/** Access rows of stored rows, in the same order. */
export async function accessRowsOf(
  deps: LockDeps,
  call: Call,
  type: RecordType,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  return withReferred(deps.catalog, type, rows, unitOf(deps, call))
}

/** Account and owner columns of a new sub-record, which belongs to the account of its owner; null for other new records. */
export function ownership({ owner, ownerRow }: Draft): DraftRow | null {
  return owner && ownerRow ? { account_id: ownerRow['account_id'] ?? null, owner_type: owner.type, owner_id: owner.id } : null
}

/**
 * The row for the check on create: owner, and the references in the body that grants use. So the manager of a change may create
 * its tasks.
 */
function prospect(call: Call, type: RecordType, draft: Draft, fields: readonly RecordField[]): Row | null {
  if (fields.length === 0) return ownership(draft)
  const row: DraftRow = { account_id: call.account.id, ...ownership(draft) }
  for (const field of fields) {
    const first = type.fields.get(field.via?.[0] ?? field.name)
    // Skip fields with restricted writers: callers could give themselves access by naming themselves there.
    if (first?.column && isWritable(first) && !first.write) row[first.column] = referenceIn(draft.item.body, first)
  }
  return row
}

/**
 * Adds a column per person or team that grants name through references: `manager_id` of a task, from its change. One query per
 * type.
 */
async function withReferred<R extends Row | null>(
  catalog: Catalog,
  type: RecordType,
  rows: readonly R[],
  references: References,
): Promise<readonly (R | Row)[]> {
  const fields = namedFields(type).filter((field) => field.via !== null)
  if (fields.length === 0) return rows
  const known = rows.map((row): DraftRow => ({ ...row }))
  for (const field of fields) {
    const found = await valuesAt(catalog, type, rows, field.via ?? [], references)
    for (const [index, row] of known.entries()) row[`${field.name}_id`] = found[index] ?? null
  }
  return known
}

/** Reference fields that the grants of this type name. */
function namedFields(type: RecordType): readonly RecordField[] {
  const names = new Set(everyoneNamed(type).flatMap((who) => fieldNaming(who) ?? []))
  return [...names].flatMap((name) => type.fields.get(name) ?? [])
}

/** Follows a path of references and returns the last value for each row. */
async function valuesAt(
  catalog: Catalog,
  type: RecordType,
  rows: readonly (Row | null)[],
  path: readonly string[],
  references: References,
): Promise<readonly Row[string][]> {
  let [current, at] = [rows, type]
  for (const step of path.slice(0, -1)) {
    const field = at.fields.get(step)
    const column = field?.column ?? ''
    const target = catalog.type(field?.record ?? '')
    const ids = current.map((row) => row?.[column] ?? null)
    await references.prefetch(target.name, ids.filter((id) => id !== null).map(Number))
    current = await Promise.all(ids.map((id) => references.load(target.name, id)))
    at = target
  }
  const last = at.fields.get(path[path.length - 1] ?? '')?.column ?? ''
  return current.map((row) => row?.[last] ?? null)
}
