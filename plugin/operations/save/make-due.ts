import { type Condition, criterionOf } from '../../schema/conditions.js'
import { stampWhere } from '../../storage/stamp.js'
import { dbOf, tellAfterCommit } from '../../storage/transaction.js'
import type { Work } from './work.js'

/** Sets the timestamp of a timer in all of its records that meet the condition, in all accounts; the job is woken. */
export async function makeDue({ call, deps }: Work, typeName: string, field: string, condition: Condition): Promise<void> {
  const type = deps.catalog.type(typeName)
  const timer = type.timers.find(({ due }) => due === field)
  if (!timer) throw new TypeError(`${typeName} has no timer of '${field}'`)
  const where = await deps.scope.resolve(call, { all: [timer.while, criterionOf(condition)] })
  await stampWhere(deps, dbOf(deps.storage, call), { type, where }, timer.column, call.now)
  tellAfterCommit(call, deps.expectTimers, [call.now])
}
