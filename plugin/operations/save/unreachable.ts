/** Replaces references that the caller cannot make before rules run, so that rules treat them like ids of no record. */
import { accountsReferredTo } from '../../core/passed-calls.js'
import type { RecordField } from '../../schema/catalog.js'
import { PERSON } from '../../schema/language/built-in-types.js'
import type { ReadDeps } from '../read/read-deps.js'
import { mayRefer } from '../read/visible.js'
import { type Draft, differs } from '../work/draft.js'
import type { Work } from '../work/pipeline.js'
import { reachableIds } from '../work/references.js'

/** Id of no record. */
export const NO_RECORD = -1

/**
 * Sets references to records that do not exist, or that the caller cannot find, to the id of no record. Rules read what a
 * reference leads to: with the record itself, their messages would tell whether it exists, and what it contains. The last
 * checks report these references as not found.
 *
 * Only looks at references of the body that change. Values that rules set later are those of the system. At most one query per
 * reference field, for types that the caller sees only in part.
 */
export async function concealUnreachable(work: Work<ReadDeps>, drafts: readonly Draft[]): Promise<void> {
  for (const field of work.type.fields.values()) {
    if (field.kind === 'ref' && field.column) await conceal(work, field, field.column, drafts)
  }
}

async function conceal({ deps, call, unit }: Work<ReadDeps>, field: RecordField, column: string, drafts: readonly Draft[]) {
  const naming = drafts.filter(
    ({ before, input, next }) => column in input.values && next[column] && differs(before?.[column], next[column]),
  )
  if (naming.length === 0) return
  const type = deps.catalog.type(field.record ?? '')
  const ids = naming.map(({ next }) => Number(next[column]))
  const accounts = new Set(accountsReferredTo(call))
  const seesAll = (await mayRefer(deps, call, type)) && (await deps.scope.seesAll(call, type))
  const reached = seesAll ? null : await reachableIds(deps, call, type, ids)
  await unit.prefetch(
    type.name,
    ids.filter((id) => id > 0),
  )
  for (const draft of naming) {
    const id = Number(draft.next[column])
    const row = unit.known(type.name, id) ?? (await unit.load(type.name, id))
    // Callers may refer to themselves, also in an account that does not have their person record.
    const isOwn = row !== null && id === call.actor?.id && type.name === PERSON
    const isReached = row !== null && accounts.has(String(row['account_id'])) && (reached === null || reached.has(id))
    if (isReached || isOwn) continue
    draft.next[column] = NO_RECORD
    draft.conceals = true
  }
}
