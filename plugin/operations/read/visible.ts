/** Finds records that the caller sees; all others are reported as not found. */
import { mayKnow } from '../../access/sight/decide.js'
import { opensType } from '../../access/tokens/token-limits.js'
import type { Call } from '../../core/call.js'
import { chunksOf, MAX_LISTED } from '../../core/chunks.js'
import { Forbidden, NotFound } from '../../core/errors.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Criterion } from '../../schema/language/conditions.js'
import type { DraftRow, Row } from '../../schema/language/define-rule.js'
import type { Owner } from '../contract.js'
import type { ReadDeps } from './read-deps.js'

/** The criterion of the sub-records of an owner. */
export function partsOfOwner({ type, id }: Owner): Criterion {
  return partsOfOwners(type, [id])
}

/** The criterion of the sub-records of several owners of one type. */
export function partsOfOwners(type: string, ids: readonly number[]): Criterion {
  return {
    all: [
      { path: ['owner_type'], op: 'in', values: [type] },
      { path: ['owner_id'], op: 'in', values: ids },
    ],
  }
}

/** Options of looking up rows. */
interface Looking {
  /** Locks the rows until the transaction ends. */
  readonly lock?: boolean
  /** For sub-records: finds only those of this record. */
  readonly owner?: Owner | undefined
  /** Finds only those that meet this, too. Servers look the records up by their ids, whatever index this condition could use. */
  readonly where?: Criterion
}

/**
 * The rows among these ids that the caller sees, by id; one query.
 *
 * @throws Forbidden if the type is closed to the caller
 */
export async function visibleRows(
  deps: ReadDeps,
  call: Call,
  type: RecordType,
  ids: readonly number[],
  { lock = false, owner, where: also }: Looking = {},
): Promise<ReadonlyMap<number, DraftRow>> {
  await mustUse(deps, call, type)
  if (ids.length === 0) return new Map()
  const all: Criterion[] = [await deps.scope.visible(call, type, owner && deps.catalog.type(owner.type))]
  if (owner) all.push(partsOfOwner(owner))
  if (also) all.push(also)
  const found = new Map<number, DraftRow>()
  for (const some of chunksOf([...new Set(ids)], MAX_LISTED)) {
    const where: Criterion = { all: [{ path: ['id'], op: 'in', values: some }, ...all] }
    const rows = await deps.queries.rows(call, { type, where }, { lock, byId: also !== undefined })
    for (const row of rows) found.set(Number(row['id']), row)
  }
  return found
}

/** One visible row. @throws NotFound, Forbidden */
export async function visibleRow(
  deps: ReadDeps,
  call: Call,
  type: RecordType,
  id: number,
  looking: Looking = {},
): Promise<Row> {
  const row = (await visibleRows(deps, call, type, [id], looking)).get(id)
  if (!row) throw new NotFound()
  return row
}

/** @throws Forbidden if the type is closed to the caller, regardless of the record, and the host does not open it */
export async function mustUse(deps: ReadDeps, call: Call, type: RecordType): Promise<void> {
  if (!opensType(call, type) || !(await mayRefer(deps, call, type))) throw new Forbidden()
}

/** True if the type is open to the roles of the caller, or the host opens it; whatever a token is limited to. */
export async function mayRefer({ decisions }: Pick<ReadDeps, 'decisions'>, call: Call, type: RecordType): Promise<boolean> {
  return mayKnow(call, type) || decisions.isOpen(call, type)
}

/** One row that the caller may refer to, trusted accounts included. @throws NotFound */
export async function reachableRow(
  deps: ReadDeps,
  call: Call,
  type: RecordType,
  id: number,
  looking: Pick<Looking, 'lock'> = {},
): Promise<Row> {
  const row = (await reachableRows(deps, call, type, [id], looking)).get(id)
  if (!row) throw new NotFound()
  return row
}

/** The rows that the caller may refer to, by id; those that it may not are missing. */
export async function reachableRows(
  deps: ReadDeps,
  call: Call,
  type: RecordType,
  ids: readonly number[],
  { lock = false }: Pick<Looking, 'lock'> = {},
): Promise<ReadonlyMap<number, Row>> {
  const where: Criterion = { all: [{ path: ['id'], op: 'in', values: ids }, await deps.scope.reachable(call, type)] }
  const rows = ids.length === 0 ? [] : await deps.queries.rows(call, { type, where }, { lock })
  return new Map(rows.map((row) => [Number(row['id']), row]))
}
