import { chunksOf, MAX_VALUES } from '../../core/chunks.js'
import { suggestion } from '../../core/text/nearest.js'
import { shown } from '../../core/text/shown.js'
import type { RecordType } from '../../schema/catalog.js'
import { type Condition, type Criterion, criterionOf } from '../../schema/language/conditions.js'
import { dbOf, tellAfterCommit } from '../../storage/database/transaction.js'
import { stampWhere } from '../../storage/records/stamp-rows.js'
import type { ReadDeps } from '../read/read-deps.js'
import type { Work } from '../work/pipeline.js'
import type { LockDeps } from '../work/work-deps.js'
import { mustHaveNames } from './ask-names.js'
import { mustBeCondition } from './rule-arguments.js'
import type { TimerDeps } from './save-deps.js'

/** Sets the timestamp of a timer in all of its records that meet the condition, in all accounts; the job is woken. */
export async function makeDue(
  work: Work<LockDeps & TimerDeps>,
  typeName: string,
  field: string,
  condition: Condition,
): Promise<void> {
  const { call, deps } = work
  const type = deps.catalog.type(typeName)
  const timer = type.timers.find(({ due }) => due === field)
  const names = type.timers.map(({ due }) => due)
  if (!timer) throw new TypeError(`${typeName} has no timer of ${shown(field)}${suggestion(String(field), names)}`)
  mustBeCondition('makeDue', typeName, condition)
  const criterion = criterionOf(condition)
  mustHaveNames(deps.catalog, type, [criterion])
  for (const own of await onOwnFields(work, type, criterion)) {
    const where = await deps.scope.resolve(call, { all: [timer.while, own] })
    await stampWhere(deps, dbOf(deps.storage, call), { type, where }, timer.column, call.now)
  }
  tellAfterCommit(call, deps.expectTimers, [call.now])
}

/**
 * A test that leads over a reference as tests of the reference itself, each with as many ids as a statement may have: a statement
 * that changes rows finds few of them by an index only if it joins no other table.
 */
async function onOwnFields(
  { call, deps }: Work<ReadDeps>,
  type: RecordType,
  criterion: Criterion,
): Promise<readonly Criterion[]> {
  if (!('path' in criterion) || criterion.path.length === 1) return [criterion]
  const [reference = '', ...path] = criterion.path
  const target = deps.catalog.type(type.fields.get(reference)?.record ?? '')
  const cells = await deps.queries.cells(call, { type: target, where: { ...criterion, path } }, [['id']])
  const ids = cells.map(([id]) => Number(id))
  return [...chunksOf(ids, MAX_VALUES)].map((values) => ({ path: [reference], op: 'in', values }))
}
