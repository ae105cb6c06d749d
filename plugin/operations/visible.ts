/** Finds records that the caller sees; what it does not see is not there. */
import { mayUse } from '../access/decide.js'
import type { Call } from '../core/call.js'
import { Forbidden, NotFound } from '../core/errors.js'
import type { RecordType } from '../schema/compile.js'
import type { Criterion } from '../schema/conditions.js'
import type { DraftRow, Row } from '../schema/define-rule.js'
import type { Owner } from './operations.js'
import type { OperationParts } from './parts.js'

/** The criterion of the parts of an owner. */
export function partsOfOwner(owner: Owner): Criterion {
  return {
    all: [
      { path: ['owner_type'], op: 'in', values: [owner.type] },
      { path: ['owner_id'], op: 'in', values: [owner.id] },
    ],
  }
}

/**
 * The rows among these ids that the caller sees, by id; one query.
 *
 * @throws Forbidden when the type is closed to the caller
 */
export async function visibleRows(
  parts: OperationParts,
  call: Call,
  type: RecordType,
  ids: readonly number[],
  options: { readonly lock?: boolean; readonly owner?: Owner | undefined } = {},
): Promise<ReadonlyMap<number, DraftRow>> {
  if (!mayUse(call, type)) throw new Forbidden()
  if (ids.length === 0) return new Map()
  const all: Criterion[] = [{ path: ['id'], op: 'in', values: [...new Set(ids)] }, await parts.scope.visible(call, type)]
  if (options.owner) all.push(partsOfOwner(options.owner))
  const rows = await parts.queries.rows(call, { type, where: { all } }, options.lock ? { lock: true } : {})
  return new Map(rows.map((row) => [Number(row['id']), row]))
}

/** One visible row. @throws NotFound, Forbidden */
export async function visibleRow(parts: OperationParts, call: Call, type: RecordType, id: number, owner?: Owner): Promise<Row> {
  const row = (await visibleRows(parts, call, type, [id], { owner })).get(id)
  if (!row) throw new NotFound()
  return row
}

/** One row that the call may refer to, trusted accounts included. @throws NotFound */
export async function reachableRow(parts: OperationParts, call: Call, type: RecordType, id: number): Promise<Row> {
  const where: Criterion = { all: [{ path: ['id'], op: 'in', values: [id] }, await parts.scope.reachable(call, type)] }
  const [row] = await parts.queries.rows(call, { type, where })
  if (!row) throw new NotFound()
  return row
}
