/** Finds the records that a batch refers to: one query per type, for any number of records. */
import type { Call } from '../../core/call.js'
import { inBothCases } from '../../core/text/both-cases.js'
import { folded } from '../../core/text/identity.js'
import type { RecordType } from '../../schema/catalog.js'
import { kindOf } from '../../schema/kinds/kinds.js'
import type { Criterion, Scalar } from '../../schema/language/conditions.js'
import { AMBIGUOUS } from '../contract.js'
import type { ReadDeps } from '../read/read-deps.js'
import { mayRefer } from '../read/visible.js'
import type { Rows } from './loaded-rows.js'

/** Rows that a batch refers to, by type and id: those of the unit of work. */
export type References = Pick<Rows, 'prefetch' | 'load' | 'known'>

/** Ids among these that the caller may refer to. */
export async function reachableIds(
  deps: ReadDeps,
  call: Call,
  type: RecordType,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0 || !(await mayRefer(deps, call, type))) return new Set()
  const reachable = await deps.scope.reachable(call, type)
  const where: Criterion = { all: [{ path: ['id'], op: 'in', values: [...new Set(ids)] }, reachable] }
  const cells = await deps.queries.cells(call, { type, where }, [['id']])
  return new Set(cells.map(([id]) => Number(id)))
}

/** Ids by value of a field, for links in imports. See `Operations.findIds`. */
export async function findIds(
  deps: ReadDeps,
  call: Call,
  typeName: string,
  field: string,
  values: readonly string[],
  accountId?: string,
): Promise<ReadonlyMap<string, number>> {
  const type = deps.catalog.type(typeName)
  if (values.length === 0 || !(await mayRefer(deps, call, type))) return new Map()
  const column = type.fields.get(field)
  const read = column && kindOf(column).filter?.read
  // Texts that cannot be values of the field match nothing.
  const valueIn = (text: string): Scalar => (read ? read(text, column, call.zone) : text)
  const wanted = new Set<Scalar>(inBothCases(values).flatMap((text) => valueIn(text) ?? []))
  const reachable = await deps.scope.reachable(call, type, accountId ?? call.account.id)
  const where: Criterion = { all: [{ path: [field], op: 'in', values: [...wanted], text: 'ignoreCase' }, reachable] }
  const cells = await deps.queries.cells(call, { type, where }, [['id'], [column?.column ?? field]])
  const byText = onlyOnes(cells.map(([id, value]) => [folded(String(value)), Number(id)]))
  const found = new Map<string, number>()
  for (const text of values.map(folded)) {
    const id = byText.get(text)
    if (id !== undefined) found.set(text, id)
  }
  return found
}

/** The ids by text; `AMBIGUOUS` for the texts of several. */
function onlyOnes(pairs: readonly (readonly [text: string, id: number])[]): ReadonlyMap<string, number> {
  const ids = new Map<string, number>()
  for (const [text, id] of pairs) ids.set(text, ids.has(text) ? AMBIGUOUS : id)
  return ids
}
